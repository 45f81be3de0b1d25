//! What regular expressions may cost on a server. A browser matches a few of them for one visitor; here a viewer could have any
//! number of them compiled and matched. No clock measures it: the same question has the same cost on every machine.

use std::cell::{Cell, OnceCell};

use thiserror::Error;

/// What an automaton takes beside its states, in states: some ten kilobytes.
const STATES_OF_NONE: u64 = 100;

/// A second or two of a core, which takes up to ten nanoseconds for each. A project of a thousand regular expressions of usual length
/// takes a tenth of it for an address of usual length.
const STEPS_AT_MOST: u64 = 200_000_000;

/// Bytes of the words in which conditions tell what they found. They quote what they compare, so that a request of a megabyte may have an answer
/// of a hundred.
const WORDS_AT_MOST: usize = 8 * 1024 * 1024;

/// Characters of a pattern that are told of: enough to recognize it.
const TOLD_AT_MOST: usize = 60;

/// How many states the compiled patterns of a project may have together: each takes some hundred bytes.
#[derive(Debug)]
pub struct Room {
    at_most: u64,
    taken: Cell<u64>,
}

impl Room {
    /// For a project that is kept, ready for many visits: several thousand patterns of usual length, a hundred megabytes at most.
    #[must_use]
    pub fn of_project() -> Self {
        Self { at_most: 1_000_000, taken: Cell::new(0) }
    }

    /// For what is tried once: a thousand patterns of usual length, some twenty megabytes at most.
    #[must_use]
    pub fn of_trial() -> Self {
        Self { at_most: 200_000, ..Self::of_project() }
    }

    /// What is taken, in states.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.get()
    }

    /// Whether a pattern of so many states fits in; it takes none if it does not.
    pub(crate) fn take(&self, states: u64) -> bool {
        let taken = self.taken.get().saturating_add(states).saturating_add(STATES_OF_NONE);
        let fits = taken <= self.at_most;
        if fits {
            self.taken.set(taken);
        }
        fits
    }
}

/// What one question has taken: those to [`crate::Decider::decide`] that belong to one request share it.
#[derive(Debug, Default)]
pub struct Effort {
    steps: Cell<u64>,
    words: Cell<usize>,
    refused: OnceCell<TooCostly>,
}

impl Effort {
    /// Whether there is enough left to match a pattern; if not, so it stays.
    pub(crate) fn spend(&self, steps: u64, pattern: &str) -> bool {
        let all = self.steps.get().saturating_add(steps);
        if all > STEPS_AT_MOST {
            return self.refuse(pattern);
        }
        self.steps.set(all);
        self.refused.get().is_none()
    }

    /// The pattern is not matched, so there will be no answer.
    pub(crate) fn refuse(&self, pattern: &str) -> bool {
        self.refused.get_or_init(|| TooCostly::of(pattern));
        false
    }

    /// Whether there is room to tell so many bytes more; if not, there will be no answer.
    pub(crate) fn tell(&self, bytes: usize) -> bool {
        let all = self.words.get().saturating_add(bytes);
        self.words.set(all);
        if all > WORDS_AT_MOST {
            self.refused.get_or_init(|| TooCostly::Words);
        }
        self.refused.get().is_none()
    }

    /// The answer, unless some pattern of it was too costly.
    pub(crate) fn judge<T>(&self, answer: T) -> Result<T, TooCostly> {
        self.refused.get().map_or(Ok(answer), |refused| Err(refused.clone()))
    }
}

/// Why a question has no answer here, though browsers may have one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TooCostly {
    /// The regular expressions take too much time or memory, this one with those before it.
    #[error(
        "the regular expression `{0}`, with those before it, takes too long to match here, though browsers may match it; hint: let it repeat less often, or ask about fewer conditions and shorter addresses at once"
    )]
    Pattern(String),
    /// The reasons are too long.
    #[error(
        "the reasons have more than {} bytes; hint: ask about fewer conditions and shorter texts at once",
        WORDS_AT_MOST
    )]
    Words,
}

impl TooCostly {
    /// This pattern is the one too many.
    #[must_use]
    pub fn of(pattern: &str) -> Self {
        Self::Pattern(pattern.chars().take(TOLD_AT_MOST).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Effort, Room, TooCostly};

    #[test]
    fn what_does_not_fit_leaves_room_for_less() {
        let room = Room::of_trial();

        assert!(!room.take(200_000));
        assert!(room.take(100_000));
        assert!(!room.take(100_000));
        assert!(room.take(1_000));
    }

    #[test]
    fn an_answer_with_a_refused_pattern_is_none() {
        let effort = Effort::default();

        assert!(effort.spend(150_000_000, "a"));
        assert_eq!(effort.judge(1), Ok(1));
        assert!(!effort.spend(150_000_000, "b"));
        assert!(!effort.spend(1, "c"), "nothing is matched for no answer");
        assert_eq!(effort.judge(1), Err(TooCostly::of("b")));
    }

    #[test]
    fn an_answer_with_endless_reasons_is_none() {
        let effort = Effort::default();

        assert!(effort.tell(5_000_000));
        assert!(!effort.tell(5_000_000));
        assert_eq!(effort.judge(1), Err(TooCostly::Words));
    }
}
