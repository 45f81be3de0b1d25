//! Patterns against an engine that goes back and tries again, as a browser does: it counts its steps. What the analysis lets pass stays
//! quick on nasty addresses.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::thread;

use decide::Pattern;
use proptest::prelude::*;

/// A pattern in small: characters, any character, sequences, alternatives, repetitions.
#[derive(Debug, Clone)]
enum Node {
    Character(char),
    Any,
    InTurn(Vec<Node>),
    OneOf(Vec<Node>),
    Times { node: Box<Node>, least: usize, most: Option<usize>, first: First },
}

impl Node {
    fn written(&self) -> String {
        match self {
            Self::Character(character) => character.to_string(),
            Self::Any => ".".to_owned(),
            Self::InTurn(nodes) => nodes.iter().map(Self::written).collect(),
            Self::OneOf(nodes) => {
                let all: Vec<String> = nodes.iter().map(Self::written).collect();
                format!("(?:{})", all.join("|"))
            }
            Self::Times { node, least, most, first } => {
                let most = most.map_or(String::new(), |most| most.to_string());
                let lazy = if *first == First::Fewest { "?" } else { "" };
                format!("(?:{}){{{least},{most}}}{lazy}", node.written())
            }
        }
    }
}

/// What a repetition tries first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    Most,
    Fewest,
}

#[derive(Debug, Clone, Copy)]
enum Op {
    Character(Option<char>),
    /// The first is tried before the second.
    Try(usize, usize),
    /// A further time begins.
    Begin(usize),
    /// A time that took nothing fails, as in JavaScript.
    End(usize),
    Only(usize),
    Last,
    Done,
}

#[derive(Default)]
struct Engine {
    ops: Vec<Op>,
    loops: usize,
    known: HashMap<(usize, usize, u64), (f64, bool)>,
}

impl Engine {
    fn of(pattern: &Whole) -> Self {
        let mut engine = Self::default();
        engine.write(&pattern.node);
        engine.ops.push(if pattern.is_anchored_at_end { Op::Last } else { Op::Done });
        engine.ops.push(Op::Done);
        engine
    }

    fn write(&mut self, node: &Node) {
        match node {
            Node::Character(character) => self.ops.push(Op::Character(Some(*character))),
            Node::Any => self.ops.push(Op::Character(None)),
            Node::InTurn(nodes) => nodes.iter().for_each(|node| self.write(node)),
            Node::OneOf(nodes) => self.write_one_of(nodes),
            Node::Times { node, least, most, first } => {
                (0..*least).for_each(|_| self.write(node));
                match most {
                    None => self.write_more(node, *first),
                    Some(most) => self.write_optional(node, *first, most - least),
                }
            }
        }
    }

    fn write_one_of(&mut self, nodes: &[Node]) {
        let mut ends = Vec::new();
        for (place, node) in nodes.iter().enumerate() {
            let split = self.ops.len();
            if place + 1 < nodes.len() {
                self.ops.push(Op::Done);
            }
            self.write(node);
            if place + 1 < nodes.len() {
                ends.push(self.ops.len());
                self.ops.push(Op::Done);
                self.ops[split] = Op::Try(split + 1, self.ops.len());
            }
        }
        let end = self.ops.len();
        for from in ends {
            self.ops[from] = Op::Only(end);
        }
    }

    /// Each further time stands inside the one before.
    fn write_optional(&mut self, node: &Node, first: First, times: usize) {
        let splits: Vec<usize> = (0..times).map(|_| self.write_time(node)).collect();
        let end = self.ops.len();
        for split in splits {
            self.split(split, end, first);
        }
    }

    fn write_more(&mut self, node: &Node, first: First) {
        let split = self.write_time(node);
        self.ops.push(Op::Only(split));
        self.split(split, self.ops.len(), first);
    }

    fn write_time(&mut self, node: &Node) -> usize {
        let split = self.ops.len();
        let own = self.loops;
        self.loops += 1;
        self.ops.extend([Op::Done, Op::Begin(own)]);
        self.write(node);
        self.ops.push(Op::End(own));
        split
    }

    fn split(&mut self, at: usize, end: usize, first: First) {
        self.ops[at] =
            if first == First::Fewest { Op::Try(end, at + 1) } else { Op::Try(at + 1, end) };
    }

    /// How many steps it takes to find out whether the pattern is anywhere in the text.
    fn steps(&mut self, text: &[char], starts: RangeInclusive<usize>) -> f64 {
        self.known.clear();
        let mut all = 0.0;
        for start in starts {
            let (steps, is_found) = self.run(text, 0, start, 0);
            all += steps;
            if is_found {
                break;
            }
        }
        all
    }

    /// What is tried again from the same place takes as many steps again; it is only counted, not done.
    fn run(&mut self, text: &[char], op: usize, at: usize, moved: u64) -> (f64, bool) {
        if let Some(known) = self.known.get(&(op, at, moved)) {
            return *known;
        }
        let found = match self.ops[op] {
            Op::Character(character) => {
                let is_taken =
                    text.get(at).is_some_and(|own| character.is_none_or(|it| it == *own));
                if is_taken { self.run(text, op + 1, at + 1, u64::MAX) } else { (0.0, false) }
            }
            Op::Only(next) => self.run(text, next, at, moved),
            Op::Begin(own) => self.run(text, op + 1, at, moved & !(1 << own)),
            Op::End(own) if moved & (1 << own) == 0 => (0.0, false),
            Op::End(_) => self.run(text, op + 1, at, moved),
            Op::Last if at < text.len() => (0.0, false),
            Op::Last | Op::Done => (0.0, true),
            Op::Try(first, second) => match self.run(text, first, at, moved) {
                (steps, true) => (steps, true),
                (steps, false) => {
                    let (more, is_found) = self.run(text, second, at, moved);
                    (steps + more, is_found)
                }
            },
        };
        let found = (found.0 + 1.0, found.1);
        self.known.insert((op, at, moved), found);
        found
    }
}

/// As long as addresses get.
const TEXT_LENGTH: usize = 2048;

/// The analysis counts ways to go on, of which a billion are allowed; each takes a few steps of the engine.
const STEPS_MAX: f64 = 3e10;

/// A pattern with its anchors.
#[derive(Debug, Clone)]
struct Whole {
    node: Node,
    is_anchored: bool,
    is_anchored_at_end: bool,
}

impl Whole {
    fn written(&self) -> String {
        let start = if self.is_anchored { "^" } else { "" };
        let end = if self.is_anchored_at_end { "$" } else { "" };
        format!("{start}{}{end}", self.node.written())
    }

    /// The most steps that any of the texts takes, and that text's beginning.
    fn worst(&self) -> (f64, String) {
        let whole = self.clone();
        let in_stack = move || {
            let mut engine = Engine::of(&whole);
            assert!(engine.loops < 64, "a bit for each");
            let count = |text: String| {
                let characters: Vec<char> = text.chars().collect();
                let starts = 0..=usize::from(!whole.is_anchored) * characters.len();
                let steps = engine.steps(&characters, starts);
                (steps, text[..20].to_owned())
            };
            nasty_texts().map(count).max_by(|one, other| one.0.total_cmp(&other.0)).unwrap()
        };
        // The engine goes down a step for each character.
        thread::Builder::new().stack_size(1 << 30).spawn(in_stack).unwrap().join().unwrap()
    }
}

/// Something said again and again, and an end that no pattern expects.
fn nasty_texts() -> impl Iterator<Item = String> {
    ["a", "b", "ab", "aab", "abb"].into_iter().map(|word| {
        let times = TEXT_LENGTH / word.len();
        word.repeat(times) + "!"
    })
}

fn any_node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        6 => prop_oneof![2 => Just('a'), 1 => Just('b')].prop_map(Node::Character),
        1 => Just(Node::Character('c')),
        1 => Just(Node::Any),
    ];
    let times = prop_oneof![
        Just((0, None)),
        Just((1, None)),
        Just((0, Some(1))),
        Just((2, None)),
        (0..3_usize, 0..4_usize).prop_map(|(least, more)| (least, Some(least + more))),
    ];
    let first = prop_oneof![Just(First::Most), Just(First::Fewest)];
    leaf.prop_recursive(5, 20, 4, move |inner| {
        let some = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            2 => some.clone().prop_map(Node::InTurn),
            1 => some.prop_map(Node::OneOf),
            2 => (inner, times.clone(), first.clone()).prop_map(|(node, (least, most), first)| {
                Node::Times { node: Box::new(node), least, most, first }
            }),
        ]
    })
}

fn any_pattern() -> impl Strategy<Value = Whole> {
    (any_node(), any::<bool>(), any::<bool>()).prop_map(
        |(node, is_anchored, is_anchored_at_end)| Whole { node, is_anchored, is_anchored_at_end },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_accepted_pattern_is_quick_on_the_worst_addresses(pattern in any_pattern()) {
        if Pattern::new(&pattern.written()).is_ok() {
            let (steps, text) = pattern.worst();
            prop_assert!(steps < STEPS_MAX, "{}: {steps:e} steps for {text}…", pattern.written());
        }
    }

    /// Some copies of something that takes a text in two ways, and what then fails.
    #[test]
    fn patterns_known_to_be_slow_are_refused(
        part in prop_oneof![
            Just("a?"), Just("a??"), Just("(a|a)"), Just("(a|ab|b)?"), Just("a{0,2}"), Just("(a|)"), Just("(|a)"), Just("[ab]?"),
        ],
        copies in 30..60_usize,
        is_counted in any::<bool>(),
        start in prop_oneof![Just(""), Just("^"), Just("/shop/")],
    ) {
        let copied = if is_counted { format!("({part}){{{copies}}}") } else { part.repeat(copies) };
        let pattern = format!("{start}{copied}{}$", "a".repeat(copies));

        prop_assert!(Pattern::new(&pattern).is_err(), "{pattern}");
    }
}
