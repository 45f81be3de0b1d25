//! Where each value of a text starts and ends. Unlike the tree of a document (`tree.rs`), which is read from JSON as well and knows only
//! where values start, this is for changing YAML, of which JSON is a part.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};

use crate::Pointer;

/// A value in a text, with its bytes.
#[derive(Debug)]
pub(super) struct Laid {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) form: Form,
}

/// What a value has inside. `is_flow`: it is in brackets or braces.
#[derive(Debug)]
pub(super) enum Form {
    /// `content` is where its text starts: a block begins with a line of its own, which can have a comment.
    Scalar {
        content: usize,
    },
    List {
        is_flow: bool,
        elements: Vec<Laid>,
    },
    Object {
        is_flow: bool,
        entries: Vec<LaidEntry>,
    },
}

/// A field in a text.
#[derive(Debug)]
pub(super) struct LaidEntry {
    pub(super) name: String,
    /// Where its name starts.
    pub(super) start: usize,
    /// The byte after the colon.
    pub(super) after_colon: usize,
    pub(super) value: Laid,
}

impl Laid {
    /// The value at `pointer`.
    pub(super) fn at(&self, pointer: &Pointer) -> Option<&Self> {
        pointer.tokens().try_fold(self, |laid, token| match &laid.form {
            Form::Scalar { .. } => None,
            Form::List { elements, .. } => elements.get(token.parse::<usize>().ok()?),
            Form::Object { entries, .. } => {
                entries.iter().find(|entry| entry.name == token).map(|entry| &entry.value)
            }
        })
    }

    /// The bytes of all scalars and names in it, in order.
    pub(super) fn words(&self) -> Vec<(usize, usize)> {
        match &self.form {
            Form::Scalar { content } => vec![(*content, self.end)],
            Form::List { elements, .. } => elements.iter().flat_map(Self::words).collect(),
            Form::Object { entries, .. } => entries
                .iter()
                .flat_map(|entry| {
                    let mut words = vec![(entry.start, entry.after_colon)];
                    words.extend(entry.value.words());
                    words
                })
                .collect(),
        }
    }
}

/// The layout of a text; `None` if it is no YAML, or is written in a way that is not changed here.
pub(super) fn layout(text: &str) -> Option<Laid> {
    let events = Parser::new_from_str(text);
    let mut reader = Reader { text, events, offsets: Offsets::new(text) };
    loop {
        let (event, span) = reader.next()?;
        if !matches!(event, Event::StreamStart | Event::DocumentStart(_)) {
            return reader.value((event, span), None);
        }
    }
}

struct Reader<'t, E> {
    text: &'t str,
    events: E,
    offsets: Offsets<'t>,
}

impl<'t, E: Iterator<Item = Result<(Event<'t>, Span), saphyr_parser::ScanError>>> Reader<'t, E> {
    fn next(&mut self) -> Option<(Event<'t>, Span)> {
        self.events.next()?.ok()
    }

    /// The value that this event begins; `after_colon` if it is a field's.
    fn value(
        &mut self,
        (event, span): (Event<'t>, Span),
        after_colon: Option<usize>,
    ) -> Option<Laid> {
        let start = self.offsets.of(span.start)?;
        match event {
            Event::Scalar(text, style, ..) => {
                let end = self.offsets.of(span.end)?;
                self.scalar((start, end), (text.is_empty(), style), after_colon)
            }
            Event::SequenceStart(..) => self.list(start),
            Event::MappingStart(..) => self.object(start),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::Alias(_)
            | Event::SequenceEnd
            | Event::MappingEnd => None,
        }
    }

    fn scalar(
        &self,
        (start, end): (usize, usize),
        (is_empty, style): (bool, ScalarStyle),
        after_colon: Option<usize>,
    ) -> Option<Laid> {
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let content = start;
        let start = match after_colon {
            // The parser puts an omitted value at the next token, and a block at its first line.
            Some(colon) if is_empty && style == ScalarStyle::Plain => {
                let form = Form::Scalar { content: colon };
                return Some(Laid { start: colon, end: colon, form });
            }
            Some(colon) if is_block => colon + self.text.get(colon..)?.find(['|', '>'])?,
            None if is_block => self.text.get(..start)?.rfind(['|', '>'])?,
            _ => start,
        };
        let text = self.text.get(start..end)?;
        // The parser takes blanks and a comment behind quotes for a part of them.
        let length = match style {
            ScalarStyle::DoubleQuoted => 1 + after_quote(text.strip_prefix('"')?, '"', '\\')?,
            ScalarStyle::SingleQuoted => 1 + after_quote(text.strip_prefix('\'')?, '\'', '\'')?,
            ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => {
                text.trim_end().len()
            }
        };
        let end = start + length;
        let form = Form::Scalar { content: content.min(end) };
        Some(Laid { start, end, form })
    }

    fn list(&mut self, start: usize) -> Option<Laid> {
        let is_flow = self.text.get(start..)?.starts_with('[');
        let mut elements: Vec<Laid> = Vec::new();
        let closed = loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                break span.start;
            }
            elements.push(self.value((event, span), None)?);
        };
        let last = elements.last().map_or(start, |element| element.end);
        let end = if is_flow { self.offsets.of(closed)? + 1 } else { last };
        Some(Laid { start, end, form: Form::List { is_flow, elements } })
    }

    fn object(&mut self, start: usize) -> Option<Laid> {
        let is_flow = self.text.get(start..)?.starts_with('{');
        let mut entries: Vec<LaidEntry> = Vec::new();
        let closed = loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                break span.start;
            }
            entries.push(self.entry((event, span))?);
        };
        let last = entries.last().map_or(start, |entry| entry.value.end);
        let end = if is_flow { self.offsets.of(closed)? + 1 } else { last };
        Some(Laid { start, end, form: Form::Object { is_flow, entries } })
    }

    /// The field that this event names.
    fn entry(&mut self, (event, span): (Event<'t>, Span)) -> Option<LaidEntry> {
        let Event::Scalar(name, ..) = event else { return None };
        let (start, end) = (self.offsets.of(span.start)?, self.offsets.of(span.end)?);
        let rest = self.text.get(end..)?.trim_start().strip_prefix(':')?;
        let after_colon = self.text.len() - rest.len();
        let next = self.next()?;
        let value = self.value(next, Some(after_colon))?;
        Some(LaidEntry { name: name.into_owned(), start, after_colon, value })
    }
}

/// The length of a text up to and with the quote that closes it. What follows an escape belongs to the text; in single quotes a quote escapes
/// another one.
fn after_quote(text: &str, quote: char, escape: char) -> Option<usize> {
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        match character {
            escaping if escaping == escape && (quote != escape || next == Some(quote)) => {
                characters.next();
            }
            closing if closing == quote => return Some(at + quote.len_utf8()),
            _ => {}
        }
    }
    None
}

/// Finds the bytes of lines and columns. Most are asked for in the order of the text.
struct Offsets<'t> {
    text: &'t str,
    lines: Vec<usize>,
    last: (LineAndColumn, usize),
}

/// A line and a column, each from zero.
type LineAndColumn = (usize, usize);

impl<'t> Offsets<'t> {
    fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(at, byte)| {
            **byte == b'\n' || (**byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        });
        let lines = [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect();
        Self { text, lines, last: ((0, 0), 0) }
    }

    fn of(&mut self, marker: Marker) -> Option<usize> {
        let (line, column) = (marker.line() - 1, marker.col());
        let Some(start) = self.lines.get(line) else { return Some(self.text.len()) };
        let (from, passed) = match self.last {
            ((known, passed), offset) if known == line && passed <= column => (offset, passed),
            _ => (*start, 0),
        };
        let rest = self.text.get(from..)?;
        let step = rest.char_indices().nth(column - passed).map_or(rest.len(), |(step, _)| step);
        self.last = ((line, column), from + step);
        Some(from + step)
    }
}
