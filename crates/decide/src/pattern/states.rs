//! How large the automaton of a pattern is, before it is built: an ending of a few characters, `{1,9000}`, makes it thousands of times as
//! large.

use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;

/// About how many states it has.
pub(super) fn states_of(pattern: &Hir) -> u64 {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Literal(literal) => count(literal.0.len()),
        HirKind::Class(Class::Unicode(class)) => {
            // One byte leads on from one state, whichever it is.
            let ranges = class.ranges().iter().filter(|range| !range.end().is_ascii());
            let ways = ranges.map(|range| Utf8Sequences::new(range.start(), range.end()).count());
            ways.map(count).fold(1, u64::saturating_add)
        }
        HirKind::Repetition(repeated) => {
            let copies = repeated.max.unwrap_or(repeated.min).max(1);
            let one = states_of(&repeated.sub).saturating_add(1);
            one.saturating_mul(u64::from(copies))
        }
        HirKind::Capture(group) => states_of(&group.sub).saturating_add(2),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(states_of).fold(1, u64::saturating_add)
        }
    }
}

fn count(of: usize) -> u64 {
    of.try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::states_of;

    #[test]
    fn repetitions_multiply_what_they_repeat() {
        let states = |pattern: &str| states_of(&regex_syntax::parse(pattern).unwrap());

        assert_eq!(states("[ac]{1,9000}b"), 18_002);
        assert_eq!(states("(?:[ab]{3}c){100}"), 900);
        assert_eq!(states("(?:[ab]{4000000000}){4000000000}{4000000000}"), u64::MAX);
        assert_eq!(states("^/shop/[a-z]+"), 10);
        assert_eq!(states("[^x]"), 10, "those of more bytes begin in nine ways");
    }
}
