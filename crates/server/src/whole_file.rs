//! Files that commands write for people: whole or not at all, and never what the command reads.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::Builder;

use crate::failure::Failure;
use crate::{output, project_file};

/// What the user's mask leaves of it, as for any new file.
const MODE: u32 = 0o666;

/// Writes the text to a file, or to standard output by the name `-`. A link stays one, and a device or a pipe gets the text as it comes.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        output::print_exactly(text);
        return Ok(());
    }
    written(path, text).map_err(|error| {
        Failure::environment(format_args!("cannot write `{}`: {error}", path.display()))
    })
}

/// Whether both are the same file, whatever they are called.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let (one, other) = (fs::canonicalize(one), fs::canonicalize(other));
    one.is_ok_and(|one| other.is_ok_and(|other| one == other))
}

fn written(path: &Path, text: &str) -> io::Result<()> {
    let there = fs::metadata(path).ok();
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        return fs::write(path, text);
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mode = there.map_or_else(|| Permissions::from_mode(MODE), |there| there.permissions());
    let beside = Builder::new().permissions(mode).tempfile_in(project_file::folder(&target));
    let whole = beside.and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.persist(&target).map(drop).map_err(|error| error.error)
    });
    match whole {
        // The folder is somebody else's, or the file is mounted as one: it can be written only in its place.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ResourceBusy
            ) =>
        {
            fs::write(path, text)
        }
        whole => whole,
    }
}
