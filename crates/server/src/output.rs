//! The only place that writes to the terminal: results go to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;

use crate::failure::Failure;

/// Why a result could not be written whole.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Prints a command's result.
pub(crate) fn print(result: impl Display) {
    note(writeln!(io::stdout(), "{result}"));
}

/// Prints a text exactly as it is.
pub(crate) fn print_exactly(text: &str) {
    note(io::stdout().write_all(text.as_bytes()));
}

/// Ends the output: a result of which a part is missing, as on a full disk, is none.
pub(crate) fn finish() -> Result<(), Failure> {
    note(io::stdout().flush());
    match UNWRITTEN.get() {
        None => Ok(()),
        Some(error) => Err(Failure::environment(format_args!("cannot write the output: {error}"))),
    }
}

/// A closed pipe is no error of ours: its reader has enough.
fn note(written: io::Result<()>) {
    let error = written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
    if let Some(error) = error {
        let _the_first_is_told = UNWRITTEN.set(error.to_string());
    }
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
