//! The files of events that a restore copies, and takes back if the database cannot be restored.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use lake::Folder;

use crate::cli::RestoreArguments;
use crate::commands::backup::event_files::{self, StillFolder};
use crate::failure::Failure;

const OF_A_BACKUP: &str = "name an empty folder with --events: the server's files will be there, and those of the backup are copied into it; if the folder is a copy made for this database, remove `.assay` in it";

const OF_A_DATABASE: &str = "name an empty folder with --events; if the database that was backed up is gone, and this one takes its place, add --take-over";

/// Files of a backup on their way to the folder of a server.
pub(super) struct CopiedEvents {
    to: PathBuf,
    is_new_folder: bool,
    /// Those that are not there as they were written.
    due: HashSet<String>,
    /// Those of them that were not there at all.
    new: HashSet<String>,
    /// How many are left out because they are damaged.
    pub(super) left_out: usize,
}

impl CopiedEvents {
    /// What is to be copied, of what a backup lists; all of it is read once. `None` if it lists nothing. The folder may be that of the owner
    /// `replaced`, which has nothing yet.
    pub(super) fn plan(
        arguments: &RestoreArguments,
        listed: &HashSet<String>,
        replaced: Option<&str>,
    ) -> Result<Option<Self>, Failure> {
        let to = arguments.events.of(&arguments.place);
        if let Some(to) = to.as_ref().filter(|to| to.exists()) {
            refuse_owned(to, arguments, replaced)?;
            refuse_newer(to, listed)?;
        }
        if listed.is_empty() {
            return Ok(None);
        }
        let to = to.ok_or_else(|| {
            Failure::input(
                "the backup has files of events\n  hint: name their folder with --events",
            )
        })?;
        let beside = event_files::beside(&arguments.file);
        let mut due = event_files::not_whole(&to, listed)?;
        let damaged = event_files::not_whole(&beside, &due)?;
        if arguments.without_damaged_events {
            due.retain(|name| !damaged.contains(name));
        } else {
            refuse_damaged(&beside, &damaged)?;
        }
        let new = due.iter().filter(|name| !to.join(name).exists()).cloned().collect();
        let is_new_folder = !to.exists();
        Ok(Some(Self { to, is_new_folder, due, new, left_out: damaged.len() }))
    }

    /// Copies them. They have to be there before the database that lists them.
    pub(super) fn copy(&self, arguments: &RestoreArguments) -> Result<(), Failure> {
        let beside = event_files::beside(&arguments.file);
        let damaged = event_files::copy(
            StillFolder::of(Some(beside.clone()))?.as_ref(),
            &self.to,
            &self.due,
        )?;
        refuse_damaged(&beside, &damaged.into_iter().collect())
    }

    /// Removes what this restore has copied, and nothing else.
    pub(super) fn take_back(&self) {
        let folder = Folder::as_it_is(&self.to);
        for name in &self.new {
            let _is_left_over = folder.remove(name);
            let path = self.to.join(name);
            for above in path.ancestors().skip(1).take_while(|above| *above != self.to) {
                // One that has something is not removed.
                let _is_in_use = fs::remove_dir(above);
            }
        }
        if self.is_new_folder {
            let _is_in_use = fs::remove_dir(&self.to);
        }
    }
}

/// Leaves the folder that a first start has marked to the database that was restored.
pub(super) fn give_up(arguments: &RestoreArguments, replaced: Option<&str>) -> Result<(), Failure> {
    let folder = arguments.events.of(&arguments.place);
    let (Some(folder), Some(replaced)) = (folder, replaced) else { return Ok(()) };
    Folder::give_up(&folder, replaced).map_err(|error| {
        let mark = folder.join(".assay");
        Failure::environment(format_args!(
            "the backup is restored, but `{}` is still there: {error}\n  hint: remove it",
            mark.display()
        ))
    })
}

/// Refuses a folder in which another database, or a backup, has its files: the restored database would change and remove them.
fn refuse_owned(
    folder: &Path,
    arguments: &RestoreArguments,
    replaced: Option<&str>,
) -> Result<(), Failure> {
    let path = folder.display();
    let owner = Folder::owner(folder)
        .map_err(|error| Failure::unreadable(format_args!("folder `{path}`"), &error))?;
    let is_beside = folder.canonicalize().ok().is_some_and(|folder| {
        event_files::beside(&arguments.file).canonicalize().is_ok_and(|beside| beside == folder)
    });
    let (whose, hint) = match owner.as_deref() {
        _ if is_beside => ("this backup", OF_A_BACKUP),
        Some(Folder::BACKUP) => ("a backup", OF_A_BACKUP),
        Some(owner) if replaced == Some(owner) => return Ok(()),
        Some(_) if !arguments.original.take_over => ("another database", OF_A_DATABASE),
        Some(_) | None => return Ok(()),
    };
    let refused = format_args!("`{path}` has the files of events of {whose}");
    Err(Failure::input(refused).with_hint(hint))
}

/// Refuses what would have no results once it is restored.
fn refuse_damaged(beside: &Path, damaged: &HashSet<String>) -> Result<(), Failure> {
    let Some(first) = damaged.iter().min() else { return Ok(()) };
    if !beside.exists() {
        return Err(Failure::input(format_args!(
            "the backup has files of events, and their folder `{}` is not there\n  hint: put it beside the backup, and rename it with the backup",
            beside.display()
        )));
    }
    let (first, count) = (beside.join(first), damaged.len());
    Err(Failure::input(format_args!(
        "files of events beside the backup are damaged or missing ({count}), such as `{}`\n  hint: put them back from another backup, where they have the same names, or leave them out with --without-damaged-events",
        first.display()
    )))
}

/// Refuses a folder that has more than the backup knows: the server would take that for what a crash left, and remove it.
fn refuse_newer(folder: &Path, listed: &HashSet<String>) -> Result<(), Failure> {
    let path = folder.display();
    let found = Folder::as_it_is(folder).count_unlisted(listed);
    match found.map_err(|error| Failure::unreadable(format_args!("folder `{path}`"), &error))? {
        0 => Ok(()),
        found => Err(Failure::input(format_args!(
            "`{path}` has files of events that the backup does not list ({found}), which Assay would remove when it starts\n  hint: name an empty folder with --events, here and for `assay serve`, and keep this one for as long as you may need it"
        ))),
    }
}
