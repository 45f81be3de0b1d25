//! The file that tells scripts and tests how to reach a server that has just become ready.

use std::fs;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::demo::Credentials;
use crate::failure::Failure;
use crate::project_file;

/// The facts that scripts and people need about a server that has just become ready.
#[derive(Serialize)]
pub(crate) struct Ready {
    pub(crate) url: String,
    /// The address of the socket, which differs from `url` behind a proxy.
    pub(crate) listening: SocketAddr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) demo_url: Option<String>,
    /// Unless the process answers visitors alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) console_url: Option<String>,
    /// Where a server without members is set up; it contains the set-up token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) setup_url: Option<String>,
    /// Where Prometheus reads, if anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metrics_url: Option<String>,
    pub(crate) pid: u32,
    #[serde(flatten)]
    pub(crate) credentials: Option<Credentials>,
    pub(crate) project_id: Option<String>,
}

/// A file while its server is ready: it goes away with this.
pub(crate) struct ReadyFile {
    path: Option<PathBuf>,
    /// Which file this has written: the next server may have put its own in the place.
    own: Option<u64>,
}

impl ReadyFile {
    /// Where it will be, if anywhere. One of a server that was killed would tell of this one too early.
    pub(crate) fn at(path: Option<PathBuf>) -> Self {
        // If it cannot be removed, it cannot be written either, and that is told.
        let _was_there = path.as_ref().map(fs::remove_file);
        Self { path, own: None }
    }

    /// Writes the file, if one is wanted.
    pub(crate) fn write(&mut self, ready: &Ready) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        let written = write(path, ready).map_err(|error| {
            let shown = path.display();
            Failure::environment(format_args!("cannot write ready file `{shown}`: {error}"))
        });
        self.own = Some(written?);
        Ok(())
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        let Some(path) = self.path.as_ref().filter(|_| self.own.is_some()) else { return };
        if fs::metadata(path).ok().map(|there| there.ino()) == self.own {
            let _gone = fs::remove_file(path);
        }
    }
}

/// Writes the file whole or not at all, readable by its owner alone.
fn write(path: &Path, ready: &Ready) -> io::Result<u64> {
    let folder = project_file::folder(path);
    // A temporary file is created with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut file, ready)?;
    file.flush()?;
    let written = file.persist(path).map_err(|error| error.error)?;
    fs::File::open(folder)?.sync_all()?;
    Ok(written.metadata()?.ino())
}
