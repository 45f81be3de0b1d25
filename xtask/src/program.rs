//! A program that we run, with its output on the terminal.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, Result, ensure};

use crate::output;
use crate::repository::root;
use crate::tally::Tally;

/// A program with its arguments, run at the root of the repository by default.
pub(crate) struct Program {
    command: Command,
}

impl Program {
    pub(crate) fn new<const N: usize>(name: &str, arguments: [&str; N]) -> Self {
        let mut command = Command::new(name);
        command.args(arguments).current_dir(root());
        Self { command }
    }

    /// Further arguments.
    pub(crate) fn and(mut self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Runs it in a folder of the repository.
    pub(crate) fn within(mut self, folder: &str) -> Self {
        self.command.current_dir(root().join(folder));
        self
    }

    /// Sets a variable of its environment.
    pub(crate) fn set(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Whether it exists and succeeds; its output is ignored.
    pub(crate) fn works(mut self) -> bool {
        self.command.output().is_ok_and(|output| output.status.success())
    }

    /// What it prints, without white space at the ends; `None` if it is not there or fails.
    pub(crate) fn answer(mut self) -> Option<String> {
        let output = self.command.output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Runs it, and fails if it does.
    pub(crate) fn must_succeed(self) -> Result<()> {
        let shown = self.shown();
        ensure!(self.passes()?.failed == 0, "`{shown}` failed");
        Ok(())
    }

    /// Runs it as one check.
    pub(crate) fn passes(mut self) -> Result<Tally> {
        let status =
            self.command.status().with_context(|| format!("cannot run `{}`", self.shown()))?;
        Ok(Tally::from(status.success()))
    }

    /// Runs it as many checks, which `count` finds in what it prints. Success without a count is an
    /// error, because we would not notice that nothing ran.
    pub(crate) fn counted(mut self, count: fn(&str) -> Option<Tally>) -> Result<Tally> {
        let shown = self.shown();
        let command = self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot run `{shown}`"))?;
        let complaints = child.stderr.take().map(|pipe| thread::spawn(|| pass_on(pipe)));
        let mut text = child.stdout.take().map(pass_on).unwrap_or_default();
        if let Some(complaints) = complaints {
            text += &complaints.join().expect("passing lines on does not panic");
        }
        let has_succeeded = child.wait()?.success();
        let tally = count(&text);
        ensure!(!has_succeeded || tally.is_some(), "`{shown}` does not tell what it ran");
        let tally = tally.unwrap_or_default();
        Ok(if has_succeeded || tally.failed > 0 { tally } else { tally + Tally::FAILURE })
    }

    fn shown(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
    }
}

/// Shows each line as it comes, and gives all of them at the end.
fn pass_on(pipe: impl Read) -> String {
    let mut text = String::new();
    let mut reader = BufReader::new(pipe);
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
        let shown = String::from_utf8_lossy(&line);
        output::say(shown.trim_end());
        text += &shown;
        line.clear();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Program;
    use crate::tally::Tally;

    fn shell(script: &str) -> Program {
        Program::new("sh", ["-c", script])
    }

    #[test]
    fn success_without_a_count_is_an_error() {
        assert!(shell("echo nothing").counted(|_| None).is_err());
    }

    #[test]
    fn failure_without_a_count_is_one_failure() {
        let tally = shell("exit 1").counted(|_| None).unwrap();
        assert_eq!(tally, Tally { passed: 0, failed: 1 });
    }

    #[test]
    fn failure_is_never_hidden_by_a_count_without_one() {
        let tally = shell("exit 1").counted(|_| Some(Tally { passed: 3, failed: 0 })).unwrap();
        assert_eq!(tally, Tally { passed: 3, failed: 1 });
    }

    #[test]
    fn both_outputs_are_counted() {
        let count = |text: &str| Some(Tally { passed: text.lines().count(), failed: 0 });
        let tally = shell("echo one; echo two >&2").counted(count).unwrap();
        assert_eq!(tally, Tally { passed: 2, failed: 0 });
    }

    #[test]
    fn a_missing_program_is_an_error_and_does_not_work() {
        assert!(Program::new("no-such-program", []).passes().is_err());
        assert!(!Program::new("no-such-program", []).works());
        assert_eq!(Program::new("no-such-program", []).answer(), None);
    }
}
