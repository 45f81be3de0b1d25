//! How large the automaton of a pattern is, before it is built: an ending of a few characters, `{1,9000}`, makes it thousands of times as
//! large.

use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;

/// About how many states it has.
pub(super) fn states_of(pattern: &Hir) -> u64 {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => count(literal.0.len()),
        HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.ranges().iter();
            ranges.map(|range| count(Utf8Sequences::new(range.start(), range.end()).count())).sum()
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
