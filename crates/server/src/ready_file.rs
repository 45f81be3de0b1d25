//! The file that tells scripts and tests how to reach a server that has just become ready.

use std::fs;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::Path;

use serde::Serialize;

use crate::demo::Credentials;
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

/// Writes the file whole or not at all, readable by its owner alone.
pub(crate) fn write(path: &Path, ready: &Ready) -> io::Result<()> {
    let folder = project_file::folder(path);
    // A temporary file is created with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut file, ready)?;
    file.flush()?;
    file.persist(path).map_err(|error| error.error)?;
    fs::File::open(folder)?.sync_all()
}
