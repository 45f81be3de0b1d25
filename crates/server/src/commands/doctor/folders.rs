//! The folders of the database and of events: whether the server may write there, and how much room their disks have.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use app::events::FREE_BYTES_AT_LEAST;
use rustix::fs::{Access, AtFlags, CWD, accessat, statvfs};
use rustix::process::geteuid;

use super::finding::{Finding, fault, fine, warning};
use crate::cli::EventKeepingArguments;
use crate::data_place::DataPlace;
use crate::event_room::{database_folder, free_bytes_of};
use crate::opening::{self, DatabaseLocation, WRITABLE_DISK};
use crate::project_file;

const FOLDER: &str = "data folder";
const EVENTS: &str = "events folder";
const DISK: &str = "disk space";

const MEBIBYTE: u64 = 1 << 20;

/// A day of events of a busy site, or more.
const ADVISED_BYTES: u64 = 1_024 * MEBIBYTE;

/// A database on another machine has its disk there.
pub(super) fn look(place: &DataPlace, events: &EventKeepingArguments) -> Vec<Finding> {
    let (database, events) = (database_folder(place), events.folder.of(place));
    let mut findings = Vec::new();
    findings.extend(database.as_deref().map(data_folder));
    if let DatabaseLocation::File(file) = opening::at(place) {
        findings.extend(database_files(&file));
    }
    findings.extend(events.as_deref().map(events_folder));
    let mut disks = BTreeSet::new();
    for folder in database.iter().chain(&events) {
        // Folders of the same disk have the same room.
        if folder.metadata().is_ok_and(|metadata| disks.insert(metadata.dev())) {
            findings.push(space(folder));
        }
    }
    findings
}

fn data_folder(folder: &Path) -> Finding {
    let shown = folder.display();
    match folder.metadata() {
        Ok(metadata) => access(folder, &metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fine(FOLDER, format_args!("`{shown}` does not exist yet: `assay serve` creates it"))
        }
        Err(error) => unseen(FOLDER, folder, &error),
    }
}

fn access(folder: &Path, metadata: &Metadata) -> Finding {
    let shown = folder.display();
    if let Err(error) = tempfile::tempfile_in(folder) {
        return unwritable(FOLDER, (folder, metadata), &error);
    }
    if metadata.uid() != geteuid().as_raw() {
        let told = format_args!("`{shown}` belongs to user {}, not to you", metadata.uid());
        return warning(FOLDER, told, "run this as the user who runs `assay serve`");
    }
    if metadata.mode() & 0o077 != 0 {
        let told = format_args!("other users of this machine can look into `{shown}`");
        return warning(FOLDER, told, format!("chmod 700 {shown}"));
    }
    fine(FOLDER, format_args!("`{shown}` is yours alone"))
}

/// The database and the files beside it, of which a start as another user may have left some.
fn database_files(database: &Path) -> Vec<Finding> {
    let beside = ["-wal", "-shm"].map(|suffix| {
        let mut name = database.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    });
    let written = [database.to_owned()].into_iter().chain(beside);
    let needed = written.map(|file| (file, Access::READ_OK | Access::WRITE_OK));
    let needed = needed.chain([(opening::serving_mark(database), Access::READ_OK)]);
    needed.filter_map(|(file, access)| database_file(database, &file, access)).collect()
}

/// What is wrong with one of them, as the user who runs this; root may do all, so for root the owner counts.
fn database_file(database: &Path, file: &Path, access: Access) -> Option<Finding> {
    let (metadata, shown) = (file.metadata().ok()?, file.display());
    if let Err(error) = accessat(CWD, file, access, AtFlags::EACCESS) {
        let cure = opening::cure_of_access(file).unwrap_or_default();
        return Some(fault(FOLDER, format_args!("cannot use `{shown}`: {error}"), cure));
    }
    let folder = project_file::folder(database).metadata().ok()?;
    (geteuid().is_root() && metadata.uid() != folder.uid()).then(|| {
        let (own, other) = (metadata.uid(), folder.uid());
        let told = format_args!("`{shown}` belongs to user {own}, and its folder to user {other}");
        let folder = project_file::folder(database).display();
        let cure = format!("`chown --reference={folder} {shown}`, if the folder is the server's");
        warning(FOLDER, told, cure)
    })
}

/// Other tools may read it, so that only writing matters.
fn events_folder(folder: &Path) -> Finding {
    let shown = folder.display();
    match folder.metadata() {
        Ok(metadata) => match tempfile::tempfile_in(folder) {
            Ok(_) => fine(EVENTS, format_args!("takes files: `{shown}`")),
            Err(error) => unwritable(EVENTS, (folder, &metadata), &error),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => not_there(folder),
        Err(error) => unseen(EVENTS, folder, &error),
    }
}

/// The server makes it with all folders above it that are missing. A disk that is not mounted looks so, too.
fn not_there(folder: &Path) -> Finding {
    let shown = folder.display();
    let there = folder.ancestors().skip(1).find_map(|above| {
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        Some((above, above.metadata().ok()?))
    });
    let Some((above, metadata)) = there else {
        return fault(EVENTS, format_args!("`{shown}` cannot be made"), "correct --events");
    };
    match tempfile::tempfile_in(above) {
        Ok(_) => {
            fine(EVENTS, format_args!("`{shown}` does not exist yet: `assay serve` creates it"))
        }
        Err(error) => unwritable(EVENTS, (above, &metadata), &error),
    }
}

fn unwritable(
    about: &'static str,
    (folder, metadata): (&Path, &Metadata),
    error: &io::Error,
) -> Finding {
    let cure = if error.kind() == io::ErrorKind::ReadOnlyFilesystem {
        WRITABLE_DISK.to_owned()
    } else if [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded].contains(&error.kind()) {
        "make room: `df` and `df -i` say what is used up, bytes or inodes".to_owned()
    } else if metadata.is_dir() {
        let owner = metadata.uid();
        format!(
            "run this as the user who runs `assay serve`; `chown` the folder to that user if it is not theirs: it is user {owner}'s"
        )
    } else {
        "name a folder".to_owned()
    };
    fault(about, format_args!("cannot write to `{}`: {error}", folder.display()), cure)
}

fn unseen(about: &'static str, folder: &Path, error: &io::Error) -> Finding {
    let cure = "run this as the user who runs `assay serve`";
    fault(about, format_args!("cannot look at `{}`: {error}", folder.display()), cure)
}

fn space(folder: &Path) -> Finding {
    match (free_bytes_of(folder), has_inodes(folder)) {
        (Ok(_), Ok(false)) => no_inodes(folder),
        (Ok(free), _) => room(folder, free),
        (Err(error), _) => warning(DISK, format_args!("unknown: {error}"), "look with `df`"),
    }
}

/// Whether the disk of a folder can have one more file. Some disks do not count them.
fn has_inodes(folder: &Path) -> io::Result<bool> {
    let disk = statvfs(folder)?;
    Ok(disk.f_files == 0 || disk.f_favail > 0)
}

fn no_inodes(folder: &Path) -> Finding {
    let told = format_args!("no inode is left for `{}`: no file can be made", folder.display());
    fault(DISK, told, "remove files; `df -i` says how many there are")
}

/// The server's own limit is the fault.
fn room(folder: &Path, free_bytes: u64) -> Finding {
    let (shown, free) = (folder.display(), free_bytes / MEBIBYTE);
    let told = format!("{free} MiB free for `{shown}`");
    let needed = FREE_BYTES_AT_LEAST / MEBIBYTE;
    match free_bytes {
        ..FREE_BYTES_AT_LEAST => {
            let told = format!("{told}: below {needed} MiB, the server takes no events");
            fault(DISK, told, "make room, or events are lost; a full disk stops changes, too")
        }
        FREE_BYTES_AT_LEAST..ADVISED_BYTES => {
            let cure = format!("make room: below {needed} MiB, the server takes no events");
            warning(DISK, told, cure)
        }
        ADVISED_BYTES.. => fine(DISK, told),
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::path::Path;

    use app::events::FREE_BYTES_AT_LEAST;

    use super::super::finding::State;
    use super::{WRITABLE_DISK, room, unwritable};

    #[test]
    fn a_disk_is_too_full_where_the_server_stops_taking_events() {
        let state = |free_bytes| room(Path::new("data"), free_bytes).state;

        assert_eq!(state(FREE_BYTES_AT_LEAST - 1), State::Fault);
        assert_eq!(state(FREE_BYTES_AT_LEAST), State::Warning);
        assert_eq!(state(1 << 40), State::Fine);
        let told = room(Path::new("data"), 127 << 20).told;
        assert_eq!(told, "127 MiB free for `data`: below 128 MiB, the server takes no events");
    }

    #[test]
    fn a_folder_that_takes_no_files_is_told_with_the_cure_of_its_fault() {
        let folder = tempfile::tempdir().unwrap();
        let metadata = folder.path().metadata().unwrap();
        let cure = |kind: ErrorKind| {
            let finding = unwritable("data folder", (folder.path(), &metadata), &kind.into());
            finding.cure.unwrap()
        };

        assert!(cure(ErrorKind::StorageFull).contains("inodes"));
        assert_eq!(cure(ErrorKind::ReadOnlyFilesystem), WRITABLE_DISK);
        assert!(cure(ErrorKind::PermissionDenied).contains("`chown` the folder"));
    }
}
