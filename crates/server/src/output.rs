//! The only place that writes to the terminal: results go to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, Write as _};

/// Prints a command's result. A reader that went away is no error of ours.
pub(crate) fn print(result: impl Display) {
    let _reader_gone = writeln!(io::stdout(), "{result}");
}

/// Prints a text exactly as it is.
pub(crate) fn print_exactly(text: &str) {
    let _reader_gone = io::stdout().write_all(text.as_bytes());
}

/// Tells the person something that is not the result.
pub(crate) fn complain(message: impl Display) {
    let _reader_gone = writeln!(io::stderr(), "{message}");
}
