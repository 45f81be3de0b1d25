//! Why a command failed, and its exit code: 1 the input is wrong, 3 the environment failed.
//! (Code 2 is wrong usage, which the argument parser tells in most cases; and a wrong input's where 1 is an answer.)

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use domain::Fault;
use thiserror::Error;

/// A command's failure, as it is shown to the person at the terminal.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The project file has faults.
    #[error("{}", each_on_its_line(.0))]
    Faults(Vec<Fault>),
    /// The input is wrong, and the command has told why.
    #[error("")]
    AlreadyReported,
    /// A command whose exit code 1 is an answer has failed.
    #[error(transparent)]
    BesideAnswer(Box<Failure>),
    /// Settings that do not go together: to start again changes nothing.
    #[error("error: {0}")]
    Usage(String),
    /// Another input is wrong.
    #[error("error: {0}")]
    Input(String),
    /// The environment failed: a file, a port, the database.
    #[error("error: {0}")]
    Environment(String),
}

impl Failure {
    pub(crate) fn input(message: impl Display) -> Self {
        Self::Input(message.to_string())
    }

    pub(crate) fn usage(message: impl Display) -> Self {
        Self::Usage(message.to_string())
    }

    pub(crate) fn environment(message: impl Display) -> Self {
        Self::Environment(message.to_string())
    }

    /// A file that cannot be read: the input is wrong if it is not there, or no text.
    pub(crate) fn unreadable(what: impl Display, error: &io::Error) -> Self {
        let message = format!("cannot read {what}: {error}");
        let is_input =
            [io::ErrorKind::NotFound, io::ErrorKind::InvalidData, io::ErrorKind::IsADirectory];
        if is_input.contains(&error.kind()) {
            Self::Input(message)
        } else {
            Self::Environment(message)
        }
    }

    /// The same failure with what to do about it.
    pub(crate) fn with_hint(self, hint: &str) -> Self {
        match self {
            Self::Input(message) => Self::Input(format!("{message}\n  hint: {hint}")),
            Self::Usage(message) => Self::Usage(format!("{message}\n  hint: {hint}")),
            Self::Environment(message) => Self::Environment(format!("{message}\n  hint: {hint}")),
            failure @ (Self::Faults(_) | Self::AlreadyReported | Self::BesideAnswer(_)) => failure,
        }
    }

    /// The same failure of a command that has done something before, in words.
    pub(crate) fn after(self, done: &str) -> Self {
        match self {
            Self::Input(message) => Self::Input(format!("{done}: {message}")),
            Self::Usage(message) => Self::Usage(format!("{done}: {message}")),
            Self::Environment(message) => Self::Environment(format!("{done}: {message}")),
            Self::BesideAnswer(failure) => Self::BesideAnswer(Box::new(failure.after(done))),
            failure @ (Self::Faults(_) | Self::AlreadyReported) => failure,
        }
    }

    /// What is told within another sentence.
    pub(crate) fn message(&self) -> String {
        let told = self.to_string();
        told.strip_prefix("error: ").map(str::to_owned).unwrap_or(told)
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_number())
    }

    pub(crate) fn exit_number(&self) -> u8 {
        match self {
            Self::Faults(_) | Self::AlreadyReported | Self::Input(_) => 1,
            Self::Usage(_) => 2,
            Self::BesideAnswer(failure) => match **failure {
                Self::Environment(_) => 3,
                Self::Faults(_)
                | Self::AlreadyReported
                | Self::BesideAnswer(_)
                | Self::Usage(_)
                | Self::Input(_) => 2,
            },
            Self::Environment(_) => 3,
        }
    }
}

pub(crate) fn each_on_its_line(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
