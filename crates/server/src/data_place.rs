//! Where the data is, as the command line says it. An address may hold a password, so it is shown nowhere: not in help, not in errors.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command};
use secrecy::SecretString;

use crate::failure::Failure;

/// Where the data is.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DataPlace {
    /// Directory of the embedded database. [default: ./assay-data]
    #[arg(long, env = "ASSAY_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The database to use instead: sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE, which several processes may share.
    /// If it contains a password, use the environment variable.
    #[arg(
        long,
        env = "ASSAY_DATABASE",
        value_name = "sqlite:PATH|postgres://…",
        conflicts_with = "data",
        hide_env_values = true,
        value_parser = DatabaseParser
    )]
    pub(crate) database: Option<Database>,
    /// A file with what --database would say: the secret of a container.
    #[arg(
        long,
        env = "ASSAY_DATABASE_FILE",
        value_name = "FILE",
        conflicts_with_all = ["data", "database"],
        value_parser = DatabaseFileParser
    )]
    pub(crate) database_file: Option<Database>,
}

impl DataPlace {
    /// The database that was named, in one way or the other.
    pub(crate) fn database(&self) -> Option<&Database> {
        self.database.as_ref().or(self.database_file.as_ref())
    }
}

const EXPECTED: &str = "expected `sqlite:` and the path of the database file, or `postgres://` and the address of the database";

/// A database that was named.
#[derive(Debug, Clone)]
pub(crate) enum Database {
    /// A file.
    Sqlite(PathBuf),
    /// The address of a database on a server.
    Postgres(SecretString),
}

impl Database {
    fn parse(text: &str) -> Option<Self> {
        if ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Some(Self::Postgres(text.into()));
        }
        let path = text.strip_prefix("sqlite:").filter(|path| !path.is_empty())?;
        Some(Self::Sqlite(PathBuf::from(path)))
    }
}

/// The usual parsers quote what they do not understand.
#[derive(Clone)]
struct DatabaseParser;

impl TypedValueParser for DatabaseParser {
    type Value = Database;

    fn parse_ref(
        &self,
        command: &Command,
        _argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Database, clap::Error> {
        value
            .to_str()
            .and_then(Database::parse)
            .ok_or_else(|| fault(command, format_args!("--database: {EXPECTED}")))
    }
}

/// Reads the file when the flag is read, so that all else sees the database alone.
#[derive(Clone)]
struct DatabaseFileParser;

impl TypedValueParser for DatabaseFileParser {
    type Value = Database;

    fn parse_ref(
        &self,
        _command: &Command,
        _argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Database, clap::Error> {
        let path = Path::new(value);
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|error| of_file(&unreadable(path, &error)))?;
        Database::parse(text.trim()).ok_or_else(|| {
            of_file(&Failure::input(format_args!("--database-file: in `{shown}`, {EXPECTED}")))
        })
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let shown = path.display();
    let cure = if error.kind() == io::ErrorKind::NotFound {
        "write it, or mount the secret there"
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        "let the user who runs this read it (`chown`, `chmod`)"
    } else {
        "name a file with the address of the database"
    };
    Failure::unreadable(format_args!("--database-file `{shown}`"), error).with_hint(cure)
}

/// A file may be put right while a service manager tries again; wrong flags stay wrong. So its faults end as those of other files do.
fn of_file(failure: &Failure) -> clap::Error {
    let message = failure.to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let mut error = clap::Error::raw(ErrorKind::Io, format!("{message}\n"));
    error.insert(ContextKind::Custom, ContextValue::Number(failure.exit_number().into()));
    error
}

/// The exit code of an error that is about a file and not about flags.
pub(crate) fn exit_number(error: &clap::Error) -> Option<u8> {
    let Some(ContextValue::Number(number)) = error.get(ContextKind::Custom) else { return None };
    u8::try_from(*number).ok()
}

fn fault(command: &Command, message: impl Display) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n")).with_cmd(command)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use secrecy::ExposeSecret as _;

    use super::Database;

    #[test]
    fn a_file_and_a_server_are_told_apart() {
        let file = Database::parse("sqlite:data/assay.db").unwrap();
        assert!(matches!(file, Database::Sqlite(path) if path == Path::new("data/assay.db")));
        for address in ["postgres://ann:secret@host/assay", "postgresql:///assay"] {
            let database = Database::parse(address).unwrap();
            assert!(!format!("{database:?}").contains("secret"));
            assert!(
                matches!(database, Database::Postgres(kept) if kept.expose_secret() == address)
            );
        }
        for text in ["", "sqlite:", "data/assay.db", "postgres:assay", "mysql://host/assay"] {
            assert!(Database::parse(text).is_none(), "{text}");
        }
    }
}
