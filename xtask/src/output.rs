//! The only place that writes to the terminal: results go to standard output, the rest to standard error.

use std::fmt::Display;
use std::io::{self, Write as _};

/// Prints one line of a result. A reader that went away is no error of ours.
pub(crate) fn say(line: impl Display) {
    let _reader_gone = writeln!(io::stdout(), "{line}");
}

/// Tells the person what went wrong.
pub(crate) fn complain(line: impl Display) {
    let _reader_gone = writeln!(io::stderr(), "{line}");
}
