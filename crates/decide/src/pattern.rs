//! JavaScript regular expressions (no flags) in the subset that runs in linear time, so that no
//! condition can stall.
//!
//! The pattern is rewritten for the `regex` crate where both would read it differently, and refused
//! where that cannot be told apart or needs backtracking: look-around, backreferences, legacy
//! escapes. So is what a browser would need too long for: it goes back and tries again, which `pattern/`
//! foresees. That it is well-formed JavaScript is checked where snippets are compiled.

mod doubling;
mod graph;
mod positions;
mod states;
mod steps;
mod ways;

use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ast::Ast;
use regex_syntax::ast::parse::Parser;
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{Hir, Look};

use crate::effort::{Effort, Room};
use crate::pattern::doubling::doubling_text;
use crate::pattern::graph::{Graph, Start};
use crate::pattern::positions::Positions;
use crate::pattern::states::states_of;
use crate::pattern::steps::takes_too_long;
use crate::pattern::ways::has_too_many_ways;

/// How many UTF-16 units of a text are compared with a pattern, here and in the page: a browser's time for a pattern grows at least with
/// the square of the text's length, and any link can bring a visitor with an address of any length.
const TEXT_LENGTH_MAX: usize = 2048;

/// Bytes of what a match remembers, for each pattern: with less it is slower, by no more than its states tell.
const CACHE_BYTES_AT_MOST: usize = 128 * 1024;

/// A pattern that finds in Rust what it finds in the visitor's page. The one exception: characters
/// outside the basic plane count as one here, as two there.
#[derive(Debug, Clone)]
pub struct Pattern {
    written: String,
    states: u64,
    /// `None` if there was no room for it.
    regex: Option<Regex>,
}

impl Pattern {
    /// Reads a JavaScript pattern, without slashes and flags, and checks it.
    ///
    /// # Errors
    ///
    /// [`PatternFault::Unsupported`] for syntax outside the subset, [`PatternFault::Malformed`] for
    /// no pattern at all or one that is too big, [`PatternFault::Doubling`] and
    /// [`PatternFault::TooSlow`] for one that a browser would need too long for.
    pub fn new(pattern: &str) -> Result<Self, PatternFault> {
        let rewritten = rewrite(pattern)?;
        let regex = Some(compiled(&rewritten)?);
        let (written, read) = parsed(&rewritten)?;
        refuse_slow(&written, &read)?;
        Ok(Self { written: pattern.to_owned(), states: states_of(&read), regex })
    }

    /// A pattern that was checked, to be matched many times; in a project that is live it was. Without room for it, no question
    /// that it is asked has an answer.
    pub(crate) fn checked(pattern: &str, room: &Room) -> Result<Self, PatternFault> {
        let rewritten = rewrite(pattern)?;
        let states = states_of(&parsed(&rewritten)?.1);
        let regex = if room.take(states) { Some(compiled(&rewritten)?) } else { None };
        Ok(Self { written: pattern.to_owned(), states, regex })
    }

    /// Whether the pattern matches anywhere in the text, of which no more than 2,048 UTF-16 units counts. It never does in a text for which
    /// the effort does not suffice, which is known from then on.
    #[must_use]
    pub fn is_in(&self, text: &str, effort: &Effort) -> bool {
        let text = beginning(text).as_bytes();
        let Some(regex) = &self.regex else { return effort.refuse(&self.written) };
        // Each of the bytes, and the end, may lead from each state to others.
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX).saturating_add(1);
        effort.spend(self.states.saturating_mul(bytes), &self.written) && regex.is_match(text)
    }
}

/// How much work it is to check a pattern, in pairs of its positions: [`Pattern::new`] takes up to ten microseconds for each. None for what
/// is refused at once.
#[must_use]
pub fn checking_work(pattern: &str) -> u64 {
    let Ok(rewritten) = rewrite(pattern) else { return 0 };
    let Ok((written, _)) = parsed(&rewritten) else { return 0 };
    let positions = u64::try_from(Positions::of(&written).characters.len()).unwrap_or(u64::MAX);
    positions.saturating_mul(positions)
}

/// As the page cuts it: what a longer text ends with is as if it were not there.
fn beginning(text: &str) -> &str {
    if text.len() <= TEXT_LENGTH_MAX {
        return text;
    }
    let mut length = 0;
    let is_beyond = |character: char| {
        length += character.len_utf16();
        length > TEXT_LENGTH_MAX
    };
    text.find(is_beyond).map_or(text, |end| &text[..end])
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternFault {
    /// It begins a construct, shown as written, that has no linear-time equal.
    Unsupported(String),
    /// It is no regular expression, or too big; the text says where.
    Malformed(String),
    /// A browser may need twice the time for each further time that this text is repeated.
    Doubling(String),
    /// A browser may need longer for a long address than a visitor should wait.
    TooSlow,
}

impl fmt::Display for PatternFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(construct) => {
                write!(formatter, "`{construct}` is outside the linear-time subset")
            }
            Self::Malformed(reason) => formatter.write_str(reason),
            Self::Doubling(text) => write!(
                formatter,
                "a repetition in it can take `{text}` in two ways: a browser needs twice the time for each further one"
            ),
            Self::TooSlow => formatter.write_str(
                "several parts in it can take the same text: a browser needs too long for a long address",
            ),
        }
    }
}

impl std::error::Error for PatternFault {}

fn malformed(error: &impl ToString) -> PatternFault {
    PatternFault::Malformed(error.to_string())
}

fn compiled(rewritten: &str) -> Result<Regex, PatternFault> {
    let built = RegexBuilder::new(rewritten).dfa_size_limit(CACHE_BYTES_AT_MOST).build();
    built.map_err(|error| malformed(&error))
}

/// The pattern as it is written, and as it is read.
fn parsed(rewritten: &str) -> Result<(Ast, Hir), PatternFault> {
    let written = Parser::new().parse(rewritten).map_err(|error| malformed(&error))?;
    let read = TranslatorBuilder::new().utf8(false).build().translate(rewritten, &written);
    Ok((written, read.map_err(|error| malformed(&error))?))
}

/// Refuses what a browser, which tries one way after the other, may need too long for.
fn refuse_slow(written: &Ast, read: &Hir) -> Result<(), PatternFault> {
    let positions = Positions::of(written);
    let is_anchored = read.properties().look_set_prefix().contains(Look::Start);
    let start = if is_anchored { Start::Anchored } else { Start::Anywhere };
    let graph = Graph::new(&positions, start);
    if let Some(text) = doubling_text(&positions, &graph) {
        return Err(PatternFault::Doubling(text));
    }
    if takes_too_long(&graph) || has_too_many_ways(&graph) {
        Err(PatternFault::TooSlow)
    } else {
        Ok(())
    }
}

/// The characters of each class escape; JavaScript's are ASCII, except for white space.
const CLASS_ESCAPES: [(char, &str); 6] = [
    ('d', "[0-9]"),
    ('D', "[^0-9]"),
    ('w', "[0-9A-Za-z_]"),
    ('W', "[^0-9A-Za-z_]"),
    ('s', r"[\s\x{FEFF}--\x{85}]"),
    ('S', r"[^\s\x{FEFF}--\x{85}]"),
];

fn rewrite(pattern: &str) -> Result<String, PatternFault> {
    let mut rest = pattern.chars().peekable();
    let mut written = String::with_capacity(pattern.len());
    while let Some(character) = rest.next() {
        match character {
            '\\' => written.push_str(&escape(&mut rest, Place::Outside)?),
            '[' => written.push_str(&class(&mut rest)?),
            '.' => written.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            '(' if rest.peek() == Some(&'?') => written.push_str(group_start(&mut rest)?),
            '{' if rest.peek() == Some(&',') => return Err(unsupported("{,")),
            _ => written.push(character),
        }
    }
    Ok(written)
}

/// Plain and named groups; everything else behind `(?` looks around or sets flags.
fn group_start(rest: &mut Peekable<Chars<'_>>) -> Result<&'static str, PatternFault> {
    rest.next();
    let kind = rest.next();
    let name_start = rest.peek().copied();
    match (kind, name_start) {
        (Some(':'), _) => Ok("(?:"),
        (Some('<'), Some(look @ ('=' | '!'))) => Err(unsupported(&format!("(?<{look}"))),
        (Some('<'), _) => Ok("(?<"),
        (Some(other), _) => Err(unsupported(&format!("(?{other}"))),
        (None, _) => Err(unsupported("(?")),
    }
}

/// A character class, from behind its opening bracket to its closing one. Brackets and set
/// operators are plain characters in JavaScript.
fn class(rest: &mut Peekable<Chars<'_>>) -> Result<String, PatternFault> {
    let mut written = String::from("[");
    if rest.next_if_eq(&'^').is_some() {
        written.push('^');
    }
    if rest.peek() == Some(&']') {
        return Err(unsupported("[]"));
    }
    while let Some(character) = rest.next() {
        match character {
            ']' => return Ok(written + "]"),
            '\\' => written.push_str(&escape(rest, Place::InClass)?),
            '[' | '&' | '~' => written.extend(['\\', character]),
            '-' if rest.peek() == Some(&'-') => return Err(unsupported("--")),
            _ => written.push(character),
        }
    }
    Ok(written)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    InClass,
}

/// The character of an escape, read from after its backslash.
fn escape(rest: &mut Peekable<Chars<'_>>, place: Place) -> Result<String, PatternFault> {
    let Some(escaped) = rest.next() else {
        return Err(PatternFault::Malformed("a backslash at the end of the pattern".to_owned()));
    };
    if let Some((_, class)) = CLASS_ESCAPES.iter().find(|(name, _)| *name == escaped) {
        return Ok((*class).to_owned());
    }
    // In Rust a brace here would belong to the escape.
    let is_before_brace = rest.peek() == Some(&'{');
    match escaped {
        'b' | 'B' if place == Place::Outside && !is_before_brace => {
            Ok(format!(r"(?-u:\{escaped})"))
        }
        'x' | 'u' if !is_before_brace => Ok(format!(r"\{escaped}")),
        't' | 'n' | 'r' | 'f' | 'v' => Ok(format!(r"\{escaped}")),
        '<' | '>' => Ok(escaped.to_string()),
        _ if escaped.is_ascii_punctuation() => Ok(format!(r"\{escaped}")),
        _ => Err(unsupported(&format!(r"\{escaped}"))),
    }
}

fn unsupported(construct: &str) -> PatternFault {
    PatternFault::Unsupported(construct.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Pattern, PatternFault, checking_work};
    use crate::effort::{Effort, Room, TooCostly};

    #[test]
    fn patterns_mean_what_they_mean_in_javascript() {
        let matches = [
            (r"\d\W", "1-", true),
            (r"\d", "\u{663}", false),
            (r"\w", "\u{e9}", false),
            (r"[\w-]+$", "a-b", true),
            (r"[^\d]", "12", false),
            (r"\s", "\u{feff}", true),
            (r"\s", "\u{85}", false),
            (r"[[]", "[", true),
            (r"[a&&b]", "&", true),
            (r"[~~a]", "~", true),
            (r"a.b", "a\rb", false),
            (r"\bcaf\b", "caf\u{e9}", true),
            (r"\Bb", "ab", true),
            (r"\/p\-\<\>", "/p-<>", true),
            (r"\x41\u0042", "AB", true),
            (r"(?<year>\d{4})-(?:\d\d)", "2024-05", true),
            (r"^(?:a|b){2,}?$", "abab", true),
        ];
        for (pattern, text, expected) in matches {
            let is_in = Pattern::new(pattern).unwrap().is_in(text, &Effort::default());
            assert_eq!(is_in, expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn constructs_outside_the_subset_are_named() {
        let refused = [
            ("a(?=b)", "(?="),
            ("a(?!b)", "(?!"),
            ("(?<=a)b", "(?<="),
            ("(?<!a)b", "(?<!"),
            ("(?i)a", "(?i"),
            (r"(a)\1", r"\1"),
            (r"\0", r"\0"),
            (r"\A", r"\A"),
            (r"\p{L}", r"\p"),
            (r"\u{41}", r"\u"),
            (r"\b{start}", r"\b"),
            (r"[\b]", r"\b"),
            ("[]a]", "[]"),
            ("[^]", "[]"),
            ("[!--a]", "--"),
            ("a{,5}", "{,"),
        ];
        for (pattern, construct) in refused {
            let fault = Pattern::new(pattern).unwrap_err();
            assert_eq!(fault, PatternFault::Unsupported(construct.to_owned()), "{pattern}");
        }
    }

    #[test]
    fn an_invalid_pattern_is_malformed() {
        for pattern in ["(", "a)", "[a", "*", r"\", "a{2,1}"] {
            let fault = Pattern::new(pattern).unwrap_err();
            assert!(matches!(fault, PatternFault::Malformed(_)), "{pattern}: {fault:?}");
        }
    }

    #[test]
    fn ordinary_patterns_are_quick_enough() {
        let ordinary = [
            r"^https://.*/shop/.*\?id=\d+",
            r"^https?://[^/]+/shop/.*$",
            r"/shop/.*/item/.*",
            r"^https?://[^/]+/[^/]+/[^/]+/item/[^?]*\?.*id=\d+",
            r"(foo|bar)+/",
            r"^https?://(www\.)?shop\.test/(a|b)+$",
            r"/products/\d+",
            r"/shop/([a-z]+)",
            r"^(gold|silver)$",
            r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$",
            r"^/([^/]+/)*[^/]*$",
            r"(%20|%2B|%2F)*x",
            r"[?&]utm_(source|medium)=([^&#]*)",
            r"\d{1,3}(\.\d{1,3}){3}",
            r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            r"(a+)+",
            r".*",
            r"\s+$",
            r"shop.*cart",
            r"^/shop/.*/cart/.*pay",
            r"^(?:[^?]*/)?(?:index\.html)?(?:\?.*)?$",
            r"(ab|a)*c",
            r"^(en|de|fr)(-[a-z]{2})?/.*\.html$",
            r"/(19|20)\d{2}/(0[1-9]|1[0-2])/[\w-]+/?$",
            r"^[a-z0-9]+(?:-[a-z0-9]+)*$",
            r"^https?://(www\.)?shop\.example/(a|b)/?(\?.*)?$",
            r"\d{4}-\d{2}",
            r"a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?",
            r"^(a|a)*(bc)?",
            r"(\w+\.)?(\w+\.)?shop\.example",
            r"/(\d\d?)/(\d\d?)/(\d{4})$",
            r"^/(en|de)?/?(shop|store)?/?(sale)?/?$",
            r"(?:utm_[a-z]+=[^&]*&?)+",
            r"colou?rs?-?[a-z]?[a-z]?[0-9]?[0-9]?[0-9]?$",
        ];
        for pattern in ordinary {
            assert_eq!(Pattern::new(pattern).err(), None, "{pattern}");
        }
    }

    #[test]
    fn patterns_that_double_the_time_are_refused_with_what_doubles() {
        let doubling = [
            "(a+)+$",
            "(a*)*b",
            "(a|a)*b",
            r"(\w|\d)*$",
            r"(\w*)*x",
            r"(\w+\s?)+$",
            "(a|b|ab)*c",
            r"^([\w.]+)+@",
            "(.*,)*x",
            "(a?){30}b",
            "(a|a){30}b",
            "(a{1,30}){1,30}b",
            "((a{1,4}){1,4}){1,4}b",
            "(a*b?)*c",
            "(a|aa)+$",
            "(a|a){30}",
            "(a?){30}",
            "(a{0,20}){0,20}$",
            "(a{0,20}){0,20}b",
            "(a*?)*?b",
            "(a+?)+?$",
            "(a??){30}b",
            "(?:a|b|ab)*?c",
        ];
        for pattern in doubling {
            let fault = Pattern::new(pattern).unwrap_err();
            assert!(matches!(fault, PatternFault::Doubling(_)), "{pattern}: {fault}");
        }
        assert_eq!(
            Pattern::new("^(a|b|ab)*c").unwrap_err().to_string(),
            "a repetition in it can take `ab` in two ways: a browser needs twice the time for each further one"
        );
    }

    #[test]
    fn patterns_with_too_many_ways_to_share_an_address_are_refused() {
        let optional = format!("^{}{}$", "a?".repeat(30), "a".repeat(30));
        let alternative = format!("/{}$", "(b|a|a)".repeat(30));
        let overlapping = format!("^{}x", "(ab|a)(b|)".repeat(30));
        let lazy = "[a-z]??".repeat(40) + "!";
        let bounded = "a{0,4}".repeat(12) + "b";
        for pattern in [
            ".*.*x",
            "/shop/.*/item/.*x",
            "shop.*cart.*pay",
            r"^https://.*/shop/.*\?.*id=\d+",
            "^.*.*.*x",
            r"\w+\w+\w+$",
            ".*/.*/.*/x",
            "(.*),(.*),(.*),(.*),x$",
            &optional,
            &alternative,
            &overlapping,
            &lazy,
            &bounded,
        ] {
            assert_eq!(Pattern::new(pattern).err(), Some(PatternFault::TooSlow), "{pattern}");
        }
    }

    #[test]
    fn what_takes_no_character_is_checked_at_once_however_often_it_repeats() {
        for pattern in
            ["(?:){4000000000}", "(?:a{0}){4000000000}b", "((?:^){3000000000}){3000000000}"]
        {
            assert_eq!(Pattern::new(pattern).err(), None, "{pattern}");
        }
    }

    #[test]
    fn the_work_of_a_check_grows_with_the_square_of_what_is_written_out() {
        let works = ["(?:){4000000000}", "[ab]{1,28000}c", "abcd", "(?:abcdq){100}", "("];

        assert_eq!(works.map(checking_work), [0, 4, 16, 255_025, 0]);
    }

    #[test]
    fn a_pattern_without_room_refuses_the_answer() {
        let pattern = Pattern::checked("(?:[ab]{1000}){1000}", &Room::of_project()).unwrap();
        let effort = Effort::default();

        assert!(!pattern.is_in("a", &effort));
        assert_eq!(effort.judge(()), Err(TooCostly::of("(?:[ab]{1000}){1000}")));
    }

    #[test]
    fn a_pattern_is_matched_until_its_states_and_texts_are_too_much_for_one_answer() {
        let pattern = Pattern::checked("[ac]{1,28000}b", &Room::of_trial()).unwrap();
        let (effort, text) = (Effort::default(), "a".repeat(1_900) + "b");

        let matched = (0..100).filter(|_| pattern.is_in(&text, &effort)).count();

        assert_eq!(matched, 1, "56,002 states for each of 1,902 places");
        assert_eq!(effort.judge(()), Err(TooCostly::of("[ac]{1,28000}b")));
    }
}
