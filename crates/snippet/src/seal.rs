//! Seals a finished program, so that it says the same wherever it is put: inside a page's own `<script>` none of it begins a comment or
//! a tag (`<!--`, `<script`, `</script`), and where it has to be ASCII, a page of any encoding reads it alike.
//!
//! The text is read once more for that, which also proves that it is a program: what a browser cannot read never leaves here. Literals
//! get escapes that mean the same; between literals a space does, or an escaped name. A tagged template shows its function the text as
//! it is written, so it becomes a call that is given that text (`seal/templates.rs`).

mod edits;
mod templates;

use std::borrow::Cow;

use oxc::allocator::Allocator;
use oxc::ast::ast::{RegExpLiteral, StringLiteral, TaggedTemplateExpression, TemplateElement};
use oxc::ast_visit::{Visit, walk};
use oxc::parser::{ParseOptions, Parser};
use oxc::span::{SourceType, Span};

pub(crate) use self::edits::{Edit, Edits};
use self::templates::call_for;

/// The characters that a snippet is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// All: the server declares that it is UTF-8.
    Utf8,
    /// ASCII only: a browser reads it alike, whatever encoding it takes it for.
    Ascii,
}

impl Charset {
    /// A text of literals that [`crate::literal`] has written: no backslash stands before what is not ASCII.
    pub(crate) fn text(self, literals: &str) -> Cow<'_, str> {
        if self == Self::Utf8 || literals.is_ascii() {
            return Cow::Borrowed(literals);
        }
        let mut written = String::with_capacity(2 * literals.len());
        for character in literals.chars() {
            if character.is_ascii() {
                written.push(character);
            } else {
                written.push_str(&units(character.encode_utf8(&mut [0; 4]), Units::Short));
            }
        }
        Cow::Owned(written)
    }
}

/// The edits to `program`, a script, after which it can be put anywhere.
///
/// # Errors
/// If it is no program.
pub(crate) fn seal(program: &str, charset: Charset) -> Result<Edits, String> {
    let allocator = Allocator::default();
    // What a regular expression may hold was checked when it was the member's.
    let options = ParseOptions { parse_regular_expression: false, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, program, SourceType::script());
    let parsed = parsed.with_options(options).parse();
    if let Some(error) = parsed.diagnostics.errors().next() {
        return Err(error.to_string());
    }
    let hazards = hazards(program, charset);
    if hazards.is_empty() {
        return Ok(Edits::default());
    }
    let mut literals = Literals { hazards: &hazards, found: Vec::new(), calls: Vec::new() };
    literals.visit_program(&parsed.program);
    let Literals { mut found, calls, .. } = literals;
    found.sort_unstable_by_key(|(span, _)| span.start);
    let calls = Edits::new(calls);
    let own = hazards.iter().filter(|hazard| !calls.replace(hazard.at));
    let own = own.filter_map(|hazard| edit(program, *hazard, kind_at(&found, hazard.at)));
    Ok(Edits::new(own.chain(calls.iter().cloned()).collect()))
}

/// A script with calls for the tagged templates that the printer would change: it writes `<\/script` where their functions would see it.
pub(crate) fn with_calls(script: &str) -> Result<Cow<'_, str>, String> {
    let is_end_tag = |(at, _): (usize, &str)| begins_markup(&script.as_bytes()[at + 1..]);
    if !script.match_indices("</").any(is_end_tag) {
        return Ok(Cow::Borrowed(script));
    }
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, script, SourceType::script()).parse();
    if let Some(error) = parsed.diagnostics.errors().next() {
        return Err(error.to_string());
    }
    let hazards = hazards(script, Charset::Utf8);
    let mut literals = Literals { hazards: &hazards, found: Vec::new(), calls: Vec::new() };
    literals.visit_program(&parsed.program);
    Ok(Cow::Owned(Edits::new(literals.calls).apply(script)))
}

/// A character that cannot stay as it is.
#[derive(Debug, Clone, Copy)]
struct Hazard {
    at: usize,
    what: char,
}

/// What begins here would begin a comment or a tag in a page, or is not ASCII.
fn hazards(program: &str, charset: Charset) -> Vec<Hazard> {
    let bytes = program.as_bytes();
    let is_hazard = |(at, what): &(usize, char)| match what {
        '<' => begins_markup(&bytes[at + 1..]),
        // As an operator, behind `--`; it is looked at again when it is known where it stands.
        '>' => bytes[..*at].ends_with(b"--"),
        _ => charset == Charset::Ascii && !what.is_ascii(),
    };
    let found = program.char_indices().filter(is_hazard);
    found.map(|(at, what)| Hazard { at, what }).collect()
}

/// What HTML gives a meaning to inside a script, behind its `<`. It knows no case.
pub(crate) fn begins_markup(rest: &[u8]) -> bool {
    ["!--", "script", "/script"].iter().any(|word| {
        rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// What a place of a program is in. What is between literals is code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A string, or a template that no function is given.
    Text,
    Regex,
    Code,
}

fn kind_at(literals: &[(Span, Kind)], at: usize) -> (Kind, usize) {
    let place = literals.partition_point(|(span, _)| span.start as usize <= at);
    let before = place.checked_sub(1).and_then(|last| literals.get(last));
    match before {
        Some((span, kind)) if at < span.end as usize => (*kind, span.start as usize),
        _ => (Kind::Code, at),
    }
}

/// What takes the hazard away, which is in this kind of text, which begins at `start`.
fn edit(program: &str, hazard: Hazard, (kind, start): (Kind, usize)) -> Option<Edit> {
    let Hazard { at, what } = hazard;
    let replace = |at: usize, length: usize, by: String| Edit { start: at, end: at + length, by };
    let is_escaped = is_escaped(&program[start..at]);
    Some(match (kind, what) {
        (Kind::Text | Kind::Regex, '>') => return None,
        (Kind::Code, '>') => replace(at, 0, " ".to_owned()),
        (Kind::Code, '<') => replace(at + 1, 0, " ".to_owned()),
        (Kind::Code, _) => replace(at, what.len_utf8(), format!("\\u{{{:x}}}", u32::from(what))),
        // A backslash before the end of a line joins the lines.
        (Kind::Text, '\u{2028}' | '\u{2029}') if is_escaped => replace(at - 1, 4, String::new()),
        (Kind::Regex, '<') if is_syntax(program, start, at) => {
            // A name, or what looks back: the character behind `<` can be said otherwise.
            if program[at + 1..].starts_with('!') {
                replace(at + 2, 1, r"\x2D".to_owned())
            } else {
                replace(at + 1, 1, units(&program[at + 1..at + 2], Units::Long))
            }
        }
        (kind, _) => {
            let form = if kind == Kind::Regex { Units::Long } else { Units::Short };
            let written = if what == '<' {
                r"\x3C".to_owned()
            } else {
                units(what.encode_utf8(&mut [0; 4]), form)
            };
            // An escape that is none (`\é`) has its backslash already.
            let written = if is_escaped { written[1..].to_owned() } else { written };
            replace(at, what.len_utf8(), written)
        }
    })
}

/// Whether the text ends with a backslash that belongs to what follows.
fn is_escaped(before: &str) -> bool {
    before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Whether the `<` at this place of a regular expression is part of `(?<` or `\k<`, not a character to be found.
fn is_syntax(program: &str, start: usize, at: usize) -> bool {
    let pattern = &program[start..at];
    let (mut is_in_class, mut is_escape) = (false, false);
    let mut last_two = [' '; 2];
    for character in pattern.chars() {
        let is_plain = !is_escape;
        last_two = [last_two[1], if is_plain || character == 'k' { character } else { ' ' }];
        match character {
            '\\' if is_plain => is_escape = true,
            '[' if is_plain => is_in_class = true,
            ']' if is_plain => is_in_class = false,
            _ => {}
        }
        if !is_plain {
            is_escape = false;
        }
    }
    !is_in_class && !is_escape && matches!(last_two, ['(', '?'] | ['\\', 'k'])
}

/// How short an escape may be: regular expressions know `\x41` as well, but names in them do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Units {
    Short,
    Long,
}

/// A text as escapes of its UTF-16 units.
fn units(text: &str, form: Units) -> String {
    let escape = |unit: u16| match unit {
        0..=0xff if form == Units::Short => format!("\\x{unit:02X}"),
        _ => format!("\\u{unit:04X}"),
    };
    text.encode_utf16().map(escape).collect()
}

/// Finds the literals of a program.
struct Literals<'p> {
    hazards: &'p [Hazard],
    found: Vec<(Span, Kind)>,
    /// What makes calls of tagged templates.
    calls: Vec<Edit>,
}

impl<'a> Visit<'a> for Literals<'_> {
    fn visit_string_literal(&mut self, literal: &StringLiteral<'a>) {
        self.found.push((literal.span, Kind::Text));
    }

    fn visit_template_element(&mut self, element: &TemplateElement<'a>) {
        self.found.push((element.span, Kind::Text));
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        self.found.push((literal.span, Kind::Regex));
    }

    fn visit_tagged_template_expression(&mut self, tagged: &TaggedTemplateExpression<'a>) {
        let is_hazardous = |element: &TemplateElement<'_>| {
            let (start, end) = (element.span.start as usize, element.span.end as usize);
            let first = self.hazards.partition_point(|hazard| hazard.at < start);
            let inside = self.hazards[first..].iter().take_while(|hazard| hazard.at < end);
            inside.into_iter().any(|hazard| hazard.what != '>')
        };
        if tagged.quasi.quasis.iter().any(is_hazardous) {
            self.calls.extend(call_for(tagged));
        }
        walk::walk_tagged_template_expression(self, tagged);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The sealed program, which is a program in the same words.
    fn sealed(program: &str, charset: Charset) -> String {
        let edits = seal(program, charset).unwrap();
        let sealed = edits.apply(program);
        assert_eq!(
            seal(&sealed, charset).unwrap().apply(&sealed),
            sealed,
            "{program} became {sealed}"
        );
        sealed
    }

    #[test]
    fn nothing_begins_a_comment_or_a_tag() {
        let cases = [
            ("a('<!--','<Script>',\"</SCRIPT\")", r#"a('\x3C!--','\x3CScript>',"\x3C/SCRIPT")"#),
            ("a(`<!--${b}</script`)", r"a(`\x3C!--${b}\x3C/script`)"),
            (r"a('\<script','\\<script')", r"a('\x3Cscript','\\\x3Cscript')"),
            ("/<!--/.test(a)", r"/\x3C!--/.test(a)"),
            (r"/[<!--a]\<script/.test(a)", r"/[\x3C!--a]\x3Cscript/.test(a)"),
            (
                "/(?<script>a)(?<!--b)\\k<script>/.test(a)",
                r"/(?<\u0073cript>a)(?<!\x2D-b)\k<\u0073cript>/.test(a)",
            ),
            ("a<script;a</script/.b", "a< script;a< /script/.b"),
            ("a-->b;'-->'", "a-- >b;'-->'"),
            ("a={'<script':1}", r"a={'\x3Cscript':1}"),
            ("'<!--';a", r"'\x3C!--';a"),
            ("a<b;'<scrip'", "a<b;'<scrip'"),
        ];
        for (program, expected) in cases {
            assert_eq!(sealed(program, Charset::Utf8), expected);
        }
    }

    #[test]
    fn a_tagged_template_is_given_the_same_text() {
        let cases = [
            (
                r"String.raw`\n<script`",
                r#"(String.raw((c=>(c.raw=["\x5Cn\x3Cscript"],c))(["\x0A\x3Cscript"])))"#,
            ),
            (
                "a`é${b,c}\\u{`.d",
                r#"(a((c=>(c.raw=["\xE9","\x5Cu{"],c))(["\xE9",void 0]),(b,c))).d"#,
            ),
            (
                "new a`${b`é`}é`",
                r#"new (a((c=>(c.raw=["","\xE9"],c))(["","\xE9"]),((b((c=>(c.raw=["\xE9"],c))(["\xE9"]))))))"#,
            ),
            ("a`plain${'é'}`", r"a`plain${'\xE9'}`"),
            (r"a`é\ud800`", r#"(a((c=>(c.raw=["\xE9\x5Cud800"],c))(["\xE9\ud800"])))"#),
        ];
        for (program, expected) in cases {
            assert_eq!(sealed(program, Charset::Ascii), expected);
        }
    }

    #[test]
    fn ascii_says_the_same() {
        let cases = [
            ("größe='Größe 👍'", r"gr\u{f6}\u{df}e='Gr\xF6\xDFe \uD83D\uDC4D'"),
            (r"a('\é','a\\é')", r"a('\xE9','a\\\xE9')"),
            ("a(`x\\\u{2028}y`)", "a(`xy`)"),
            ("/[é-ü]\\é👍/u", r"/[\u00E9-\u00FC]\u00E9\uD83D\uDC4D/u"),
            ("a={é:1}", r"a={\u{e9}:1}"),
        ];
        for (program, expected) in cases {
            assert_eq!(sealed(program, Charset::Ascii), expected);
        }
        assert_eq!(sealed("a('é')", Charset::Utf8), "a('é')");
    }

    /// The values of a program's strings and templates.
    fn values(program: &str) -> Vec<String> {
        struct Values(Vec<String>);
        impl<'a> Visit<'a> for Values {
            fn visit_string_literal(&mut self, literal: &StringLiteral<'a>) {
                self.0.push(literal.value.to_string());
            }
            fn visit_template_element(&mut self, element: &TemplateElement<'a>) {
                self.0.push(format!("{:?}", element.value.cooked));
            }
        }
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, program, SourceType::script()).parse();
        assert!(!parsed.diagnostics.has_errors(), "{program}");
        let mut values = Values(Vec::new());
        values.visit_program(&parsed.program);
        values.0
    }

    fn any_text() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "<", "<!--", "<script", "</ScRipt", "!--", "script", "/", "\\\\", "\\n", "é", "👍",
            "\u{2028}", "a", " ", "-->", "\\<", "\\é",
        ]);
        prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn whatever_is_said_stays_said(texts in prop::collection::vec((any_text(), 0..3_usize), 1..5)) {
            let literals = texts.iter().map(|(text, kind)| match kind {
                0 => format!("'{text}'"),
                1 => format!("\"{text}\""),
                _ => format!("`{text}${{'{text}'}}{text}`"),
            });
            let program = format!("a({})", literals.collect::<Vec<_>>().join(","));

            let ascii = sealed(&program, Charset::Ascii);

            prop_assert!(ascii.is_ascii());
            prop_assert_eq!(values(&ascii), values(&program));
            prop_assert_eq!(values(&sealed(&program, Charset::Utf8)), values(&program));
        }
    }
}
