//! Files that commands write for people: whole or not at all.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::Path;

use tempfile::Builder;

use crate::failure::Failure;
use crate::{links, output, project_file};

/// What the user's mask leaves of it, as for any new file.
const MODE: u32 = 0o666;

/// Writes the text to a file, or to standard output by the name `-`. A link to a file stays one, and a device or a pipe gets the text as it comes.
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
    let target = links::end_of(path)?;
    let new = Permissions::from_mode(MODE);
    let beside = Builder::new().permissions(new).tempfile_in(project_file::folder(&target));
    let whole = beside.and_then(|mut file| {
        if let Some(there) = there {
            // Only root may, and others need not.
            let _kept = fchown(file.as_file(), Some(there.uid()), Some(there.gid()));
            file.as_file().set_permissions(there.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&target).map(drop).map_err(|error| error.error)
    });
    match whole {
        // This user may write the file but not the folder, or a container has this one file mounted: the text goes into the file itself.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::ResourceBusy
            ) =>
        {
            fs::write(path, text)
        }
        whole => whole,
    }
}
