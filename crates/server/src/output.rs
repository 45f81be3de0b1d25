//! The only place that writes to the terminal: results go to standard output, everything else to standard error.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;

use crate::failure::Failure;

/// What is known after the first write that failed: why, unless the reader has enough.
static UNWRITTEN: OnceLock<Option<String>> = OnceLock::new();

/// Prints a command's result. Programs get it as it is.
pub(crate) fn print(result: impl Display) {
    let result = result.to_string();
    let shown = if io::stdout().is_terminal() { harmless(&result) } else { result.into() };
    note(writeln!(io::stdout(), "{shown}"));
}

/// Prints a text exactly as it is, without a further line break.
pub(crate) fn print_exactly(text: &str) {
    if io::stdout().is_terminal() {
        note(write!(io::stdout(), "{}", harmless(&text.replace("\r\n", "\n"))));
    } else {
        note(io::stdout().write_all(text.as_bytes()));
    }
}

/// Whether more of the result would be written: a long one ends where this is false.
pub(crate) fn is_open() -> bool {
    UNWRITTEN.get().is_none()
}

/// Ends the output: a result of which a part is missing, as on a full disk, is none.
pub(crate) fn finish() -> Result<(), Failure> {
    note(io::stdout().flush());
    match UNWRITTEN.get() {
        None | Some(None) => Ok(()),
        Some(Some(error)) => {
            Err(Failure::environment(format_args!("cannot write the output: {error}")))
        }
    }
}

/// A closed pipe is no error of ours: its reader has enough.
fn note(written: io::Result<()>) {
    if let Err(error) = written {
        let is_enough = error.kind() == io::ErrorKind::BrokenPipe;
        let _the_first_is_told = UNWRITTEN.set((!is_enough).then(|| error.to_string()));
    }
}

/// Prints a message that is not the result.
pub(crate) fn complain(message: impl Display) {
    let message = message.to_string();
    complain_styled(harmless(&message));
}

/// The same where the message has colours, and nothing of others that would be harmful.
pub(crate) fn complain_styled(message: impl Display) {
    let _reader_gone = writeln!(io::stderr(), "{message}");
}

/// A text of which a terminal shows all, in its order: what strangers wrote, such as the name of a column, could else hide or rewrite what
/// stands beside it.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |character: char| match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        other => other.is_control(),
    };
    if !text.contains(is_harmful) {
        return text.into();
    }
    let shown = |character: char| {
        let escaped = is_harmful(character).then(|| character.escape_unicode());
        let kept = escaped.is_none().then_some(character);
        escaped.into_iter().flatten().chain(kept)
    };
    text.chars().flat_map(shown).collect()
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

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn control_characters_are_escaped_in_output() {
        let text = "row 2:\n\t\u{1b}[2K\rall is well \u{202e}dab si";

        assert_eq!(harmless(text), "row 2:\n\t\\u{1b}[2K\\u{d}all is well \\u{202e}dab si");
        assert_eq!(harmless("Bérichte שלום 報告"), "Bérichte שלום 報告");
    }
}
