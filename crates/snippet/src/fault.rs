//! A fault in the member's code, and how a compiler's diagnostic becomes one.

use domain::Pointer;
use oxc::diagnostics::OxcDiagnostic;

/// Something wrong with a piece of the member's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeFault {
    /// Which value of the document.
    pub pointer: Pointer,
    /// Line within that value, from 1.
    pub line: u32,
    /// Column within that line in code points, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What would be right, if that is known.
    pub hint: Option<String>,
}

/// A compiler's diagnostic in our words and our way of counting. In what the compiler has read, `text` begins at `start`.
pub(crate) fn fault(
    pointer: &Pointer,
    text: &str,
    start: usize,
    diagnostic: &OxcDiagnostic,
) -> CodeFault {
    let offset = diagnostic.labels.first().map_or(0, |label| label.offset() as usize);
    let (line, column) = line_and_column(text, offset.saturating_sub(start));
    let message = diagnostic.message.trim_end_matches('.').to_owned();
    let hint = diagnostic.help.as_ref().map(ToString::to_string);
    CodeFault { pointer: pointer.clone(), line, column, message, hint }
}

fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
