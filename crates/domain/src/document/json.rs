//! Reads JSON (RFC 8259) into a tree.
//!
//! YAML 1.2 is meant to contain JSON, but our YAML reader does not decode surrogate pairs (`"\ud83d\ude00"`), which most JSON writers use.
//! This module also reads stored drafts and REST bodies. `serde_json` decodes texts and numbers; we add where they stand.

use serde::de::DeserializeOwned;

use super::builder::{Builder, Grown, Stop};
use super::lines::mark;
use super::tree::{Mark, Shape, Style};
use crate::{Fault, Pointer};

/// Reads a JSON text.
///
/// # Errors
/// The one fault for which the text is not JSON.
pub(super) fn read(text: &str) -> Result<Grown, Grown> {
    let mut reader = Reader { rest: text, line: 0, column: 0, builder: Builder::default() };
    match reader.document() {
        Ok(()) => Ok(reader.builder.finished()),
        Err(Halt::Limit) => Ok(reader.builder.stopped()),
        Err(Halt::Syntax(message)) => {
            let message = format!("not readable as JSON: {message}");
            let fault = Fault::error("unreadable", Pointer::root(), message);
            Err(Grown { root: None, faults: vec![(reader.mark(), fault)] })
        }
    }
}

/// Why reading ended early.
enum Halt {
    Limit,
    Syntax(&'static str),
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Self {
        Self::Limit
    }
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
    column: usize,
    builder: Builder,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Result<(), Halt> {
        self.value()?;
        self.skip_space();
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Halt::Syntax("something follows the document"))
        }
    }

    /// Recurses once per level; the builder limits nesting.
    fn value(&mut self) -> Result<(), Halt> {
        self.skip_space();
        let mark = self.mark();
        match self.rest.bytes().next() {
            Some(b'{') => self.object(mark),
            Some(b'[') => self.list(mark),
            Some(b'"') => {
                let text = self.text()?;
                Ok(self.builder.value(mark, Shape::Text(text.into(), Style::DoubleQuoted))?)
            }
            _ => {
                let shape = self.word()?;
                Ok(self.builder.value(mark, shape)?)
            }
        }
    }

    fn object(&mut self, mark: Mark) -> Result<(), Halt> {
        self.builder.open_object(mark)?;
        self.advance(1);
        if !self.passes('}') {
            self.fields()?;
        }
        self.builder.close();
        Ok(())
    }

    fn fields(&mut self) -> Result<(), Halt> {
        loop {
            self.skip_space();
            let mark = self.mark();
            let name = self.text()?;
            self.builder.name(mark, name);
            self.expect(':', "expected `:`")?;
            self.value()?;
            if self.passes('}') {
                return Ok(());
            }
            self.expect(',', "expected `,` or `}`")?;
        }
    }

    fn list(&mut self, mark: Mark) -> Result<(), Halt> {
        self.builder.open_list(mark)?;
        self.advance(1);
        if !self.passes(']') {
            self.elements()?;
        }
        self.builder.close();
        Ok(())
    }

    fn elements(&mut self) -> Result<(), Halt> {
        loop {
            self.value()?;
            if self.passes(']') {
                return Ok(());
            }
            self.expect(',', "expected `,` or `]`")?;
        }
    }

    /// Whether `wanted` comes next; skips it then.
    fn passes(&mut self, wanted: char) -> bool {
        self.skip_space();
        let is_next = self.rest.starts_with(wanted);
        if is_next {
            self.advance(1);
        }
        is_next
    }

    fn expect(&mut self, wanted: char, otherwise: &'static str) -> Result<(), Halt> {
        if self.passes(wanted) { Ok(()) } else { Err(Halt::Syntax(otherwise)) }
    }

    fn text(&mut self) -> Result<String, Halt> {
        if !self.rest.starts_with('"') {
            return Err(Halt::Syntax("expected a text in double quotes"));
        }
        let mut is_escaped = false;
        let end = self.rest.bytes().skip(1).position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        let length = end.ok_or(Halt::Syntax("a text does not end"))? + 2;
        self.decode(length, "a text holds a line break, a control character or a bad escape")
    }

    /// `null`, `true`, `false` or a number.
    fn word(&mut self) -> Result<Shape<'static>, Halt> {
        let length = self.rest.find(|character: char| {
            !character.is_ascii_alphanumeric() && !"+-.".contains(character)
        });
        let length = length.unwrap_or(self.rest.len());
        let shape = match &self.rest[..length] {
            "null" => Shape::Null,
            "true" => Shape::Bool(true),
            "false" => Shape::Bool(false),
            _ => return self.decode(length, "expected a value").map(Shape::Number),
        };
        self.advance(length);
        Ok(shape)
    }

    fn decode<T: DeserializeOwned>(
        &mut self,
        length: usize,
        otherwise: &'static str,
    ) -> Result<T, Halt> {
        let decoded =
            serde_json::from_str(&self.rest[..length]).map_err(|_| Halt::Syntax(otherwise))?;
        self.advance(length);
        Ok(decoded)
    }

    fn skip_space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.rest.bytes().next() {
            let is_line_end = byte == b'\n' || (byte == b'\r' && !self.rest.starts_with("\r\n"));
            self.advance(1);
            if is_line_end {
                self.line += 1;
                self.column = 0;
            }
        }
    }

    /// Skips `length` bytes of the same line.
    fn advance(&mut self, length: usize) {
        let (passed, rest): (&'t str, &'t str) = self.rest.split_at(length);
        self.column += passed.chars().count();
        self.rest = rest;
    }

    fn mark(&self) -> Mark {
        mark(self.line, self.column)
    }
}
