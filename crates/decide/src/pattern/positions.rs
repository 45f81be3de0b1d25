//! A pattern as the automaton of its positions: each character or class in it is a state, and what may come next follows it. How
//! often a browser can try the same text in different ways is read from this: `doubling` and `steps`.

use std::collections::{BTreeSet, HashSet};

use regex_syntax::ast::{Ast, Repetition, RepetitionKind, RepetitionRange};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Positions of a pattern with its short repetitions written out. With more, every repetition is taken for an endless one.
const POSITIONS_MAX: usize = 600;

/// A repetition of variable length is expanded up to this many times; a longer one counts as endless, since it takes
/// about as long.
const COPIES_MAX: u32 = 4;

/// The states, and what leads from one to the next.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// By position: the characters that it takes, as ranges.
    pub(super) characters: Vec<Vec<(u32, u32)>>,
    /// By position: those that may come next.
    pub(super) follow: Vec<BTreeSet<usize>>,
    /// Those that follow each other in two ways, as in `(a*)*`.
    pub(super) twice: Vec<(usize, usize)>,
    /// Those where a match may begin.
    pub(super) first: Vec<usize>,
    /// Those where a match is complete, whatever comes next.
    pub(super) sure_last: HashSet<usize>,
}

impl Positions {
    /// The automaton of a pattern.
    pub(super) fn of(pattern: &Ast) -> Self {
        let mut written_out = Builder { copies_max: COPIES_MAX, ..Builder::default() };
        if let Ok(whole) = written_out.part(pattern) {
            return written_out.finish(whole);
        }
        let mut endless = Builder { copies_max: 1, ..Builder::default() };
        let whole = endless.part(pattern).unwrap_or_default();
        endless.finish(whole)
    }
}

/// What is known of a part of the pattern.
#[derive(Debug, Default, Clone)]
struct Part {
    first: Vec<usize>,
    last: Vec<usize>,
    /// As `last`, but for those that are only if an assertion such as `$` holds.
    sure_last: Vec<usize>,
    can_be_empty: bool,
    /// As `can_be_empty`, without any assertion.
    is_surely_empty: bool,
}

impl Part {
    fn empty() -> Self {
        Self { can_be_empty: true, is_surely_empty: true, ..Self::default() }
    }

    fn optional(self) -> Self {
        Self { can_be_empty: true, is_surely_empty: true, ..self }
    }
}

struct TooMany;

#[derive(Default)]
struct Builder {
    copies_max: u32,
    /// How many copies of the current part all repetitions around it ask for.
    copies: u32,
    positions: Positions,
}

impl Builder {
    fn finish(self, whole: Part) -> Positions {
        let mut positions = self.positions;
        positions.first = whole.first;
        positions.sure_last = whole.sure_last.into_iter().collect();
        positions
    }

    /// As it is written: what is read further puts alternatives together that a browser tries one by one.
    fn part(&mut self, pattern: &Ast) -> Result<Part, TooMany> {
        match pattern {
            Ast::Empty(_) | Ast::Flags(_) => Ok(Part::empty()),
            // It takes no character, and may fail.
            Ast::Assertion(_) => Ok(Part { can_be_empty: true, ..Part::default() }),
            Ast::Literal(_)
            | Ast::Dot(_)
            | Ast::ClassUnicode(_)
            | Ast::ClassPerl(_)
            | Ast::ClassBracketed(_) => self.position(ranges_of(pattern)),
            Ast::Group(group) => self.part(&group.ast),
            Ast::Repetition(repetition) => self.repetition(repetition),
            Ast::Concat(concat) => self.all_in_turn(&concat.asts),
            Ast::Alternation(alternation) => self.one_of(&alternation.asts),
        }
    }

    fn all_in_turn(&mut self, parts: &[Ast]) -> Result<Part, TooMany> {
        let mut whole = Part::empty();
        for part in parts {
            let next = self.part(part)?;
            whole = self.in_turn(whole, next);
        }
        Ok(whole)
    }

    fn one_of(&mut self, parts: &[Ast]) -> Result<Part, TooMany> {
        let mut whole = Part::default();
        for part in parts {
            let other = self.part(part)?;
            whole.first.extend(other.first);
            whole.last.extend(other.last);
            whole.sure_last.extend(other.sure_last);
            whole.can_be_empty |= other.can_be_empty;
            whole.is_surely_empty |= other.is_surely_empty;
        }
        Ok(whole)
    }

    fn position(&mut self, characters: Vec<(u32, u32)>) -> Result<Part, TooMany> {
        let position = self.positions.characters.len();
        if position >= POSITIONS_MAX && self.copies_max > 1 {
            return Err(TooMany);
        }
        self.positions.characters.push(characters);
        self.positions.follow.push(BTreeSet::new());
        let own = vec![position];
        Ok(Part { first: own.clone(), last: own.clone(), sure_last: own, ..Part::default() })
    }

    fn in_turn(&mut self, before: Part, after: Part) -> Part {
        self.connect(&before.last, &after.first);
        let mut whole = Part {
            first: before.first,
            last: after.last,
            sure_last: after.sure_last,
            can_be_empty: before.can_be_empty && after.can_be_empty,
            is_surely_empty: before.is_surely_empty && after.is_surely_empty,
        };
        if before.can_be_empty {
            whole.first.extend(after.first);
        }
        if after.can_be_empty {
            whole.last.extend(before.last);
        }
        if after.is_surely_empty {
            whole.sure_last.extend(before.sure_last);
        }
        whole
    }

    fn repetition(&mut self, repetition: &Repetition) -> Result<Part, TooMany> {
        let sub = &repetition.ast;
        let (min, max) = match &repetition.op.kind {
            RepetitionKind::ZeroOrOne => (0, Some(1)),
            RepetitionKind::ZeroOrMore => (0, None),
            RepetitionKind::OneOrMore => (1, None),
            RepetitionKind::Range(RepetitionRange::Exactly(times)) => (*times, Some(*times)),
            RepetitionKind::Range(RepetitionRange::AtLeast(min)) => (*min, None),
            RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (*min, Some(*max)),
        };
        // Another copy of what takes no character changes nothing, and to write out billions takes minutes.
        let copies = if takes_nothing(sub) { 1 } else { u32::MAX };
        let (min, max) = (min.min(copies), max.map(|max| max.min(copies)));
        let is_same = |max: u32| min == max && self.copies_max > 1 && has_fixed_length(sub);
        match max {
            Some(max) if max <= self.copies_max || is_same(max) => self.copies(sub, min, max),
            Some(_) | None => {
                let mut once = self.looped(sub)?;
                if min > COPIES_MAX {
                    // Only the last of the copies that must be there completes it.
                    once.sure_last.clear();
                }
                // Each of them may be empty, in whatever order.
                if min > COPIES_MAX && once.can_be_empty {
                    self.connect(&once.last, &once.first);
                }
                Ok(if min == 0 { once.optional() } else { once })
            }
        }
    }

    fn looped(&mut self, sub: &Ast) -> Result<Part, TooMany> {
        let once = self.part(sub)?;
        self.connect(&once.last, &once.first);
        Ok(once)
    }

    fn copies(&mut self, sub: &Ast, min: u32, max: u32) -> Result<Part, TooMany> {
        let outside = self.copies;
        self.copies = outside.max(1).saturating_mul(max);
        if self.copies > COPIES_MAX && max > 1 {
            // So many copies, each with two ways, are as bad as a loop. This one stands apart, to be looked at by itself.
            self.looped(sub)?;
        }
        let whole = self.written_out(sub, min, max);
        self.copies = outside;
        whole
    }

    /// Copies that need not be there stand inside each other, since none comes after one that is left out.
    fn written_out(&mut self, sub: &Ast, min: u32, max: u32) -> Result<Part, TooMany> {
        let mut optional = Part::empty();
        for _ in min..max {
            let copy = self.part(sub)?;
            optional = self.in_turn(copy, optional).optional();
        }
        let mut whole = Part::empty();
        for _ in 0..min {
            let copy = self.part(sub)?;
            whole = self.in_turn(whole, copy);
        }
        Ok(self.in_turn(whole, optional))
    }

    fn connect(&mut self, before: &[usize], after: &[usize]) {
        let pairs = before.iter().flat_map(|from| after.iter().map(move |to| (*from, *to)));
        for (from, to) in pairs {
            if !self.positions.follow[from].insert(to) {
                self.positions.twice.push((from, to));
            }
        }
    }
}

/// The characters that a single character or a class takes; none for what is neither.
fn ranges_of(leaf: &Ast) -> Vec<(u32, u32)> {
    let Some(read) = read_further(leaf) else { return Vec::new() };
    match read.into_kind() {
        HirKind::Class(Class::Unicode(class)) => {
            class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect()
        }
        HirKind::Class(Class::Bytes(class)) => {
            class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect()
        }
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0);
            text.chars().map(|character| (character.into(), character.into())).collect()
        }
        HirKind::Empty
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => Vec::new(),
    }
}

fn has_fixed_length(part: &Ast) -> bool {
    read_further(part).is_some_and(|read| {
        let properties = read.properties();
        properties.minimum_len().is_some() && properties.minimum_len() == properties.maximum_len()
    })
}

fn takes_nothing(part: &Ast) -> bool {
    read_further(part).is_some_and(|read| read.properties().maximum_len() == Some(0))
}

/// Its text is only for the messages of faults, of which there are none: the whole was read before.
fn read_further(part: &Ast) -> Option<Hir> {
    TranslatorBuilder::new().utf8(false).build().translate("", part).ok()
}
