//! What happens to the watched files, and which of them another program has not written to the end.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind};
use notify::{Event, EventKind};

/// What is known of the files from what the system tells.
#[derive(Default)]
pub(super) struct Changes {
    /// What the files are read through: themselves, the links on the way to them, and their folders.
    entries: HashSet<PathBuf>,
    being_written: HashSet<PathBuf>,
}

impl Changes {
    /// From now on, the files are read through these.
    pub(super) fn look_at(&mut self, entries: HashSet<PathBuf>) {
        self.being_written.retain(|path| entries.contains(path));
        self.entries = entries;
    }

    /// Whether this is something new about the files. Our own reading is an event too, and so is a log that is written beside them.
    pub(super) fn note(&mut self, event: &notify::Result<Event>) -> bool {
        // What the watcher could not make out may have been a change.
        let Ok(Event { kind, paths, .. }) = event else { return true };
        let known: Vec<_> = paths.iter().filter(|path| self.entries.contains(*path)).collect();
        match kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {
                known.into_iter().filter(|path| self.being_written.remove(*path)).count() > 0
            }
            EventKind::Access(_) => false,
            EventKind::Modify(ModifyKind::Data(_)) => {
                self.being_written.extend(known.iter().copied().cloned());
                !known.is_empty()
            }
            EventKind::Create(CreateKind::File) => {
                let begun = known.iter().copied().filter(|path| is_begun(path));
                self.being_written.extend(begun.cloned());
                !known.is_empty()
            }
            EventKind::Any
            | EventKind::Create(_)
            | EventKind::Modify(_)
            | EventKind::Remove(_)
            | EventKind::Other => {
                for path in &known {
                    self.being_written.remove(*path);
                }
                !known.is_empty()
            }
        }
    }

    /// One of the files that another program is writing.
    pub(super) fn being_written(&self) -> Option<&Path> {
        self.being_written.iter().next().map(PathBuf::as_path)
    }

    /// Nothing was heard of the programs that write for too long.
    pub(super) fn give_up_writers(&mut self) {
        self.being_written.clear();
    }
}

/// Whether a file that is new is to be written yet: a link is whole at once.
fn is_begun(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file() && about.nlink() == 1)
}
