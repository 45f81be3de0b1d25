//! Reads YAML 1.2 into a tree, with the core schema for plain scalars.
//!
//! Refuses on purpose, each with its own fault: tags, aliases (a text that repeats itself is hard to review line by line, and can grow
//! without bounds), several documents in one file, and field names that are not scalars.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::Number;

use super::builder::{Builder, Grown, Stop};
use super::lines::{end_of, lines, within};
use super::tree::{Mark, Shape, Style};

/// Where people write, and maybe forget quotes. To look for remarks in lines of a megabyte, value by value, would take minutes.
const LINE_MAX: usize = 1000;

/// Reads a YAML text.
pub(super) fn read(text: &str) -> Grown {
    let lines = lines(text).collect();
    let builder = Builder::default();
    let mut reader = Reader { text, lines, end: end_of(text), builder, documents: 0 };
    match Parser::new_from_str(text).try_for_each(|event| reader.take(event)) {
        Ok(()) => reader.builder.finished(),
        Err(Stop) => reader.builder.stopped(),
    }
}

struct Reader<'t> {
    text: &'t str,
    lines: Vec<&'t str>,
    end: Mark,
    builder: Builder,
    documents: usize,
}

impl Reader<'_> {
    fn take(&mut self, event: Result<(Event<'_>, Span), ScanError>) -> Result<(), Stop> {
        match event {
            Ok((event, span)) => self.event(event, self.mark(span.start)),
            Err(error) => {
                let mark = within(self.text, self.mark(*error.marker()));
                if let Some(tab) =
                    self.indenting_tab(mark.line).filter(|_| error.info().contains("tab"))
                {
                    let message = "not readable as YAML: a tab is in front of this line, which takes spaces alone";
                    return self.builder.stop(tab, "unreadable", message);
                }
                let message = format!("not readable as YAML: {}", error.info());
                self.builder.stop(mark, "unreadable", message)
            }
        }
    }

    /// The first tab that indents a line, from this line on: the parser tells of it where the value before it begins.
    fn indenting_tab(&self, from: u32) -> Option<Mark> {
        (1..).zip(&self.lines).skip_while(|(line, _)| *line < from).find_map(|(line, text)| {
            let spaces = text.len() - text.trim_start_matches(' ').len();
            let column = u32::try_from(spaces + 1).ok()?;
            text[spaces..].starts_with('\t').then_some(Mark { line, column })
        })
    }

    fn event(&mut self, event: Event<'_>, mark: Mark) -> Result<(), Stop> {
        match event {
            Event::DocumentStart(_) => self.document(mark),
            Event::Alias(_) => {
                self.builder.stop(mark, "alias", "aliases are not supported, write the value out")
            }
            Event::Scalar(text, style, _, tag) => {
                self.refuse_tag(mark, tag.as_deref());
                self.scalar(mark, text.into_owned(), style)
            }
            Event::SequenceStart(_, tag) => {
                self.refuse_tag(mark, tag.as_deref());
                self.refuse_as_name(mark)?;
                self.builder.open_list(mark)
            }
            Event::MappingStart(_, tag) => {
                self.refuse_tag(mark, tag.as_deref());
                self.refuse_as_name(mark)?;
                self.builder.open_object(mark)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.builder.close();
                Ok(())
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
        }
    }

    fn document(&mut self, mark: Mark) -> Result<(), Stop> {
        self.documents += 1;
        if self.documents == 1 {
            return Ok(());
        }
        let message = "a second document starts here, a file holds one";
        self.builder.stop(mark, "second_document", message)
    }

    fn scalar(&mut self, mark: Mark, text: String, style: ScalarStyle) -> Result<(), Stop> {
        if self.builder.wants_name() {
            self.builder.name(mark, text);
            return Ok(());
        }
        // The parser puts an omitted value at the next token, which may be lines away.
        let mark = if text.is_empty() { self.builder.name_mark().unwrap_or(mark) } else { mark };
        if style == ScalarStyle::Plain {
            self.warn_of_comment(mark, &text);
        }
        let shape = match style {
            ScalarStyle::Plain => plain(text),
            ScalarStyle::SingleQuoted => Shape::Text(text.into(), Style::SingleQuoted),
            ScalarStyle::DoubleQuoted => Shape::Text(text.into(), Style::DoubleQuoted),
            ScalarStyle::Literal => Shape::Text(text.into(), Style::Literal),
            ScalarStyle::Folded => Shape::Text(text.into(), Style::Folded),
        };
        self.builder.value(mark, shape)
    }

    /// Warns of a comment that was probably meant as a part of the value: `main #price` selects `main`. Remarks have a space after the `#`.
    fn warn_of_comment(&mut self, mark: Mark, value: &str) {
        let Some(comment) = self.rest_of_line(mark, value).and_then(comment) else { return };
        let message = format!("`{comment}` is a comment in YAML, and no part of the value");
        let hint = "put the value in quotes, or a space after the `#` of a remark";
        self.builder.warn(mark, "comment_in_value", message, hint);
    }

    /// What stands after a plain value in its line. `mark` is where the value starts, or the name of the field that has none.
    fn rest_of_line(&self, mark: Mark, value: &str) -> Option<&str> {
        let line = self.lines.get(mark.line as usize - 1).filter(|line| line.len() < LINE_MAX)?;
        let (start, _) = line.char_indices().nth(mark.column as usize - 1)?;
        let from_start = &line[start..];
        if value.is_empty() {
            return from_start.split_once(':').map(|(_, rest)| rest);
        }
        from_start.strip_prefix(value)
    }

    fn refuse_tag(&mut self, mark: Mark, tag: Option<&Tag>) {
        if tag.is_some() {
            self.builder.fault(mark, "tag", "tags are not supported, a quoted value is a text");
        }
    }

    fn refuse_as_name(&mut self, mark: Mark) -> Result<(), Stop> {
        if !self.builder.wants_name() {
            return Ok(());
        }
        self.builder.stop(mark, "field_name", "the name of a field must be a text")
    }

    /// The parser counts columns from zero, and ends a text without a last line break on the line
    /// after it.
    fn mark(&self, marker: Marker) -> Mark {
        let line = u32::try_from(marker.line()).unwrap_or(u32::MAX);
        let column = u32::try_from(marker.col() + 1).unwrap_or(u32::MAX);
        Mark { line, column }.min(self.end)
    }
}

/// A comment that follows without a space of its own: up to the next space.
fn comment(rest: &str) -> Option<&str> {
    let comment = rest.strip_prefix([' ', '\t'])?.split_whitespace().next()?;
    let is_word =
        comment.strip_prefix('#').is_some_and(|word| !word.trim_start_matches('#').is_empty());
    is_word.then_some(comment)
}

/// A plain scalar by the core schema (YAML 1.2.2, 10.3.2). `.inf` and `.nan` stay texts: JSON has
/// no such numbers.
fn plain(text: String) -> Shape<'static> {
    match text.as_str() {
        "" | "~" | "null" | "Null" | "NULL" => Shape::Null,
        "true" | "True" | "TRUE" => Shape::Bool(true),
        "false" | "False" | "FALSE" => Shape::Bool(false),
        _ => match number(&text) {
            Some(number) => Shape::Number(number),
            None => Shape::Text(text.into(), Style::Plain),
        },
    }
}

fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    // Rust parses a few numbers that the schema does not have: `inf`, `nan`, `infinity`.
    if !text.bytes().any(|byte| byte.is_ascii_digit())
        || !text.bytes().all(|byte| b"0123456789+-.eE".contains(&byte))
    {
        return None;
    }
    let unsigned = text.parse::<u64>().ok().map(Number::from);
    let signed = || text.parse::<i64>().ok().map(Number::from);
    unsigned.or_else(signed).or_else(|| Number::from_f64(text.parse().ok()?))
}

fn radix(digits: &str, radix: u32) -> Option<Number> {
    let is_unsigned = digits.starts_with(|first: char| first.is_digit(radix));
    is_unsigned.then(|| u64::from_str_radix(digits, radix).ok()).flatten().map(Number::from)
}
