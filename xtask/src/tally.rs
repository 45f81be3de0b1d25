//! How many checks passed and failed, read from what the test runners print.

use std::fmt::{self, Display};
use std::ops::{Add, AddAssign};

/// Counted checks.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Tally {
    pub(crate) const FAILURE: Self = Self { passed: 0, failed: 1 };
    pub(crate) const SUCCESS: Self = Self { passed: 1, failed: 0 };
}

/// One check, which has passed or not.
impl From<bool> for Tally {
    fn from(has_passed: bool) -> Self {
        if has_passed { Self::SUCCESS } else { Self::FAILURE }
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// `Summary [ 1.2s] 5 tests run: 3 passed, 1 failed, 1 timed out, 0 skipped`.
pub(crate) fn of_nextest(text: &str) -> Option<Tally> {
    let line = text.lines().rfind(|line| line.trim_start().starts_with("Summary ["))?;
    let counts = line.split_once("run:")?.1;
    Some(Tally {
        passed: before(counts, "passed").unwrap_or(0),
        failed: ["failed", "timed out", "exec failed"]
            .iter()
            .filter_map(|word| before(counts, word))
            .sum(),
    })
}

/// `test result: ok. 3 passed; 0 failed; …`, once for each crate.
pub(crate) fn of_rust_examples(text: &str) -> Option<Tally> {
    let results = text.lines().filter(|line| line.starts_with("test result:"));
    let tallies = results.filter_map(|line| {
        Some(Tally { passed: before(line, "passed")?, failed: before(line, "failed")? })
    });
    tallies.reduce(Tally::add)
}

/// `Tests  1 failed | 5 passed (6)`.
pub(crate) fn of_vitest(text: &str) -> Option<Tally> {
    let line = text.lines().rfind(|line| line.trim_start().starts_with("Tests "))?;
    Some(Tally {
        passed: before(line, "passed").unwrap_or(0),
        failed: before(line, "failed").unwrap_or(0),
    })
}

/// `ℹ pass 5`, `ℹ fail 1`, `ℹ cancelled 0`, each on its line.
pub(crate) fn of_node_test(text: &str) -> Option<Tally> {
    let count = |word: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix("ℹ "));
        lines.filter_map(|line| line.strip_prefix(word)?.trim().parse::<usize>().ok()).next_back()
    };
    Some(Tally { passed: count("pass ")?, failed: count("fail ")? + count("cancelled ")? })
}

/// The number before `word`.
fn before(text: &str, word: &str) -> Option<usize> {
    let mut places = text.match_indices(word);
    places.find_map(|(place, _)| text[..place].split_whitespace().next_back()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{Tally, of_nextest, of_node_test, of_rust_examples, of_vitest};

    const fn tally(passed: usize, failed: usize) -> Tally {
        Tally { passed, failed }
    }

    #[test]
    fn nextest_is_read_from_its_summary() {
        let passing = "   PASS a\n     Summary [   0.077s] 39 tests run: 39 passed, 0 skipped\n";
        assert_eq!(of_nextest(passing), Some(tally(39, 0)));
        let slow = "  Summary [  1.0s] 4/9 tests run: 1 passed (1 slow), 2 failed, 1 timed out, 0 skipped\n";
        assert_eq!(of_nextest(slow), Some(tally(1, 3)));
        assert_eq!(of_nextest("error: no such command"), None);
    }

    #[test]
    fn rust_examples_are_summed_over_the_crates() {
        let text = "test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n";
        assert_eq!(of_rust_examples(text), Some(tally(4, 2)));
        assert_eq!(of_rust_examples(""), None);
    }

    #[test]
    fn vitest_is_read_from_its_line_of_tests() {
        let text = " Test Files  2 passed (2)\n      Tests  1 failed | 5 passed (6)\n";
        assert_eq!(of_vitest(text), Some(tally(5, 1)));
        assert_eq!(of_vitest("      Tests  151 passed (151)\n"), Some(tally(151, 0)));
        assert_eq!(of_vitest("No test files found"), None);
    }

    #[test]
    fn a_story_that_was_cancelled_has_failed() {
        let text = "ℹ tests 7\nℹ pass 5\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n";
        assert_eq!(of_node_test(text), Some(tally(5, 2)));
        assert_eq!(of_node_test("✔ a\n"), None);
    }
}
