//! The files beside an exported project file: those that it refers to. Their paths come from the member who applied the file, so nothing outside of
//! the folder and nothing hidden, such as a hook of Git, is written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use domain::FileReader as _;

use crate::cli::ExportArguments;
use crate::failure::Failure;
use crate::project_file::{FolderReader, folder};
use crate::{output, whole_file};

/// A folder, and what is to be written into it.
pub(super) struct Beside<'f> {
    folder: &'f Path,
    writes: bool,
    changed: BTreeMap<String, String>,
}

impl<'f> Beside<'f> {
    pub(super) fn new(arguments: &'f ExportArguments) -> Self {
        let folder = arguments.output.as_deref().map_or(Path::new("."), folder);
        Self { folder, writes: arguments.files, changed: BTreeMap::new() }
    }

    /// Whether the file at this path has this text, or gets it. Line breaks do not count: Git may change them at each checkout.
    pub(super) fn keeps(&mut self, path: &str, text: &str) -> bool {
        let there = FolderReader::new(self.folder).read(path);
        if there.is_ok_and(|there| there.replace("\r\n", "\n") == text.replace("\r\n", "\n")) {
            return true;
        }
        let keeps = self.writes && self.may_write(path);
        if keeps {
            self.changed.insert(path.to_owned(), text.to_owned());
        }
        keeps
    }

    /// The path has no `..`; a symbolic link could still lead out.
    fn may_write(&self, path: &str) -> bool {
        let is_hidden = path.split('/').any(|step| step.starts_with('.'));
        let target = self.folder.join(path);
        let there = target.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
        let real = there.and_then(|there| fs::canonicalize(there).ok());
        let folder = fs::canonicalize(self.folder);
        !is_hidden && folder.is_ok_and(|folder| real.is_some_and(|real| real.starts_with(folder)))
    }

    /// Writes the files that get another text.
    pub(super) fn write(&self) -> Result<(), Failure> {
        for (path, text) in &self.changed {
            let target = self.folder.join(path);
            let folder = target.parent().unwrap_or(self.folder);
            fs::create_dir_all(folder).map_err(|error| {
                Failure::environment(format_args!("cannot create `{}`: {error}", folder.display()))
            })?;
            whole_file::write(&target, text)?;
            output::complain(format_args!("wrote `{}`", target.display()));
        }
        Ok(())
    }
}
