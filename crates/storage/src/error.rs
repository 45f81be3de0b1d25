//! What can go wrong with a store. Something that is not there is no error but `None`.

use std::fmt;

use thiserror::Error;

/// Why an operation was not done. Nothing of it stays.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StorageError {
    /// It already exists.
    #[error("it already exists")]
    Conflict,
    /// Another project has this key.
    #[error("another project has this key")]
    KeyTaken,
    /// Something was to be added to a project that is not there, or not any more.
    #[error("there is no such project")]
    NoSuchProject,
    /// What the request came with ended before it was done.
    #[error("the session or the access token of this request has ended")]
    SignedOut,
    /// More is waiting than can be done soon; try again later.
    #[error("the store has too much to do")]
    Busy,
    /// There is no room left on the disk of the database.
    #[error("the disk of the database is full")]
    Full,
    /// The database takes no writes, as a standby takes none.
    #[error("the database is read-only")]
    ReadOnly,
    /// The file of the database is not at its path any more. The log says so once.
    #[error("the file of the database was moved, removed or replaced")]
    FileGone,
    /// The database does not answer as it should.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The engine cannot read a part of the database, and no waiting cures it.
    #[error(
        "a part of the database is damaged ({0}): `assay doctor` says more, and `assay restore` brings back the newest backup"
    )]
    Damaged(String),
    /// A stored value cannot be read.
    #[error("stored data is damaged: {0}")]
    Corrupt(String),
    /// The stored document of a draft or a revision cannot be read; which, and why.
    #[error("{0}")]
    Document(String),
    /// Events that are stored in files beside the database cannot be had, or changed.
    #[error("{0}")]
    EventFiles(String),
    /// A computation with what the store gave ended without a result; which.
    #[error("{0}")]
    Stopped(String),
}

impl StorageError {
    /// Whether the store itself logs when this begins and when it is over, with what it kept from being done, so that no other line has to.
    #[must_use]
    pub fn is_logged(&self) -> bool {
        *self == Self::FileGone
    }

    /// A stored value cannot be read.
    #[must_use]
    pub fn corrupt(what: impl Into<String>) -> Self {
        Self::Corrupt(what.into())
    }

    /// The same with the row of the value that cannot be read: its table, and what it has there as its key.
    pub(crate) fn in_row(self, table: &str, key: impl fmt::Display) -> Self {
        if let Self::Corrupt(what) = &self {
            return Self::corrupt(format!("{what} of `{key}` in the table `{table}`"));
        }
        self
    }

    /// The kind of failure, in a word for traces; `None` where the store did what it should.
    pub(crate) fn failure(&self) -> Option<&'static str> {
        match self {
            Self::Conflict | Self::KeyTaken | Self::NoSuchProject | Self::SignedOut => None,
            Self::Busy => Some("busy"),
            Self::Full => Some("full"),
            Self::ReadOnly => Some("read_only"),
            Self::FileGone => Some("file_gone"),
            Self::Unavailable(_) => Some("unavailable"),
            Self::Damaged(_) | Self::Corrupt(_) | Self::Document(_) => Some("corrupt"),
            Self::EventFiles(_) => Some("event_files"),
            Self::Stopped(_) => Some("stopped"),
        }
    }
}

/// Why a database could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file cannot be created, read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// The file is something else.
    #[error("it is not a SQLite database")]
    NotADatabase,
    /// It is the database of another program.
    #[error("it is the database of another program")]
    Foreign,
    /// The address cannot be used. The text quotes nothing of it: there may be a password in it.
    #[error("{0}")]
    Address(String),
    /// There is no connection, or it is of no use; what the server says, or what kept us from asking it.
    #[error("{said}")]
    Refused {
        /// In the words of the server or the system.
        said: String,
        /// What is in the way.
        obstacle: Obstacle,
    },
    /// The server, or something on the way to it, does not answer.
    #[error("the server does not answer")]
    Silent,
    /// A new connection stands, and is not served.
    #[error("the server, or a pooler before it, does not serve a new connection in time")]
    NoneLeft,
    /// A pooler gives each transaction another connection to the server.
    #[error(
        "a notification to itself did not arrive: a pooler before the server keeps no sessions"
    )]
    SessionsNotKept,
    /// It is a standby, or kept read-only.
    #[error("the database is read-only")]
    ReadOnly,
    /// It cannot keep all text.
    #[error("the encoding of the database is {0}, and UTF8 is needed")]
    Encoding(String),
    /// `search_path` names no schema that there is.
    #[error("there is no schema to make tables in")]
    NoSchema,
    /// The server is too old.
    #[error("the server is PostgreSQL {found}; at least {oldest} is needed")]
    OldServer {
        /// The server's release.
        found: i32,
        /// The oldest that will do.
        oldest: i32,
    },
    /// A newer Assay made it.
    #[error("it was made by a newer Assay (schema {found}, this one knows {known})")]
    Newer {
        /// The database's schema.
        found: u32,
        /// The newest one that this binary knows.
        known: u32,
    },
    /// A part of the file cannot be read.
    #[error("{0}")]
    Damaged(String),
    /// The database engine failed.
    #[error("{0}")]
    Engine(String),
}

/// What keeps a server from giving a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// Nothing answers at the address.
    NoServer,
    /// Its certificate is not trusted.
    Certificate,
    /// The user or the password.
    Credentials,
    /// There is no such database.
    NoDatabase,
    /// What the user may not do.
    Rights,
    /// Tables belong to another user.
    Owner,
    /// As many connections are open as there may be.
    NoneLeft,
    /// A pooler does not know a setting that the connection begins with, such as `options`.
    StartupParameter,
}
