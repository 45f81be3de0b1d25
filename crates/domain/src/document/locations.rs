//! Where each value of a document stands in its file, down to the characters of a text.

use super::files::within_folder;
use super::lines::lines;
use super::quoted::characters_before;
use super::tree::{Mark, Node, Shape, Style};
use crate::{Pointer, SourceLocation};

/// Where each value of a document stands, also inside texts and in files beside the document.
#[derive(Debug, Clone)]
pub struct Locations {
    file: String,
    text: String,
    root: Node<'static>,
}

impl Locations {
    pub(super) fn new(file: &str, text: &str, root: Node<'static>) -> Self {
        Self { file: file.to_owned(), text: text.to_owned(), root }
    }

    /// Whether the author wrote a value at `pointer`: a null field counts as left out.
    pub(super) fn says(&self, pointer: &Pointer) -> bool {
        self.root.at(pointer).is_some_and(|node| !node.is_null())
    }

    /// The file that the author wrote at `pointer` for a text: its path below the document's folder.
    pub(super) fn file(&self, pointer: &Pointer) -> Option<String> {
        let path = self.root.at(pointer)?.field("file")?.text()?;
        within_folder(path)
    }

    /// Where the value at `pointer` starts; `None` if there is no such value.
    #[must_use]
    pub fn place(&self, pointer: &Pointer) -> Option<SourceLocation> {
        self.root.at(pointer).map(|node| self.place_of(node.mark))
    }

    /// The place of a line and a column, each from 1, inside the text at `pointer`. Exact for block
    /// texts that keep their lines (`|`), texts on one line and files; the start of the text
    /// otherwise. `None` if there is no such value.
    #[must_use]
    pub fn place_inside(
        &self,
        pointer: &Pointer,
        line: u32,
        column: u32,
    ) -> Option<SourceLocation> {
        let node = self.root.at(pointer)?;
        if let Some(path) = node.field("file").and_then(Node::text) {
            return Some(SourceLocation { file: self.beside(path), line, column });
        }
        let Shape::Text(text, style) = &node.shape else { return Some(self.place_of(node.mark)) };
        let inside = Mark { line, column };
        let mark = match style {
            Style::Literal => in_block(node.mark, text, inside),
            Style::Plain => self.in_plain(node.mark, text, inside),
            Style::SingleQuoted | Style::DoubleQuoted => self.in_quotes(node.mark, *style, inside),
            Style::Folded => None,
        };
        Some(self.place_of(mark.unwrap_or(node.mark)))
    }

    fn place_of(&self, mark: Mark) -> SourceLocation {
        SourceLocation { file: self.file.clone(), line: mark.line, column: mark.column }
    }

    /// The name of a file beside the document, relative to the same folder as the document's own name.
    fn beside(&self, path: &str) -> String {
        let relative = within_folder(path).unwrap_or_else(|| path.to_owned());
        match self.file.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{relative}"),
            None => relative,
        }
    }

    /// A plain text on one line stands there unchanged. `None` for one on several lines, which the parser joined.
    fn in_plain(&self, start: Mark, text: &str, inside: Mark) -> Option<Mark> {
        let written = self.line_from(start)?;
        written
            .starts_with(text)
            .then_some(Mark { line: start.line, column: start.column + inside.column - 1 })
    }

    /// The rest of a line from this place on.
    fn line_from(&self, start: Mark) -> Option<&str> {
        let line = lines(&self.text).nth(start.line as usize - 1)?;
        let (offset, _) = line.char_indices().nth(start.column as usize - 1)?;
        Some(&line[offset..])
    }

    fn in_quotes(&self, start: Mark, style: Style, inside: Mark) -> Option<Mark> {
        let passed = characters_before(self.line_from(start)?, style, inside)?;
        Some(Mark { line: start.line, column: start.column + passed })
    }
}

/// The parser starts a block text at its first line that is not empty; all lines share that line's indentation.
fn in_block(start: Mark, text: &str, inside: Mark) -> Option<Mark> {
    let empty_lines = u32::try_from(text.bytes().take_while(|byte| *byte == b'\n').count()).ok()?;
    let line = (start.line + inside.line - 1).checked_sub(empty_lines)?;
    Some(Mark { line, column: start.column + inside.column - 1 })
}
