//! The only place that writes to the terminal: results go to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

/// Prints a command's result. A closed pipe is no error of ours.
pub(crate) fn print(result: impl Display) {
    let _reader_gone = writeln!(io::stdout(), "{result}");
}

/// Prints a text exactly as it is.
pub(crate) fn print_exactly(text: &str) {
    let _reader_gone = io::stdout().write_all(text.as_bytes());
}

/// Prints a message that is not the result.
pub(crate) fn complain(message: impl Display) {
    let _reader_gone = writeln!(io::stderr(), "{message}");
}

/// The progress of a long operation, on one line that is rewritten; nothing without a terminal.
pub(crate) struct Percents {
    what: &'static str,
    told: Option<u64>,
}

impl Percents {
    /// Progress of an operation, in words.
    pub(crate) fn of(what: &'static str) -> Self {
        Self { what, told: None }
    }

    /// Shows how much of the whole is done.
    pub(crate) fn tell(&mut self, done: u64, of: u64) {
        let percents = u128::from(done) * 100 / u128::from(of.max(1));
        let percents = u64::try_from(percents).unwrap_or(u64::MAX);
        if self.told == Some(percents) || !io::stderr().is_terminal() {
            return;
        }
        self.told = Some(percents);
        let end = if done == of { "\n" } else { "" };
        let _reader_gone = write!(io::stderr(), "\r{} {percents} %{end}", self.what);
    }
}
