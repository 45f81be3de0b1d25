//! The files beside an exported project file: those that it refers to. Their paths come from the member who applied the file, and their texts
//! from every member who edits the draft. So a file that is there is overwritten only if the project file that is there refers to it as well, and
//! nothing outside of the folder and nothing hidden, such as a hook of Git, is written.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use domain::FileReader as _;

use crate::cli::ExportArguments;
use crate::failure::Failure;
use crate::project_file::{FolderReader, examine, folder};
use crate::{output, whole_file};

/// New files are texts for pages. Other names can mean something to programs that work in the folder: `Makefile`, `setup.py`.
const NEW_FILES_END_IN: [&str; 7] = ["css", "htm", "html", "js", "mjs", "svg", "txt"];

/// A folder, and what is to be written into it.
pub(super) struct Beside<'f> {
    folder: &'f Path,
    writes: bool,
    /// What the project file that is there refers to.
    referred: HashSet<PathBuf>,
    changed: BTreeMap<String, String>,
    refused: BTreeMap<String, &'static str>,
}

impl<'f> Beside<'f> {
    pub(super) fn new(arguments: &'f ExportArguments) -> Self {
        let output = arguments.output.as_deref();
        let there = output.filter(|_| arguments.files).and_then(|output| examine(output).ok());
        let referred = there.map(|there| there.files.into_iter().skip(1).collect());
        Self {
            folder: output.map_or(Path::new("."), folder),
            writes: arguments.files,
            referred: referred.unwrap_or_default(),
            changed: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// Whether the file at this path has this text, or gets it. Line breaks do not count: Git may change them at each checkout.
    pub(super) fn keeps(&mut self, path: &str, text: &str) -> bool {
        let there = FolderReader::new(self.folder).read(path);
        if there.is_ok_and(|there| there.replace("\r\n", "\n") == text.replace("\r\n", "\n")) {
            return true;
        }
        if !self.writes {
            return false;
        }
        if let Some(why) = self.why_not(path) {
            self.refused.insert(path.to_owned(), why);
            return false;
        }
        self.changed.insert(path.to_owned(), text.to_owned());
        true
    }

    /// Why a file is not written, if it is not.
    pub(super) fn refused(&self, path: &str) -> Option<&'static str> {
        self.refused.get(path).copied()
    }

    /// The path has no `..`; a symbolic link could still lead out.
    fn why_not(&self, path: &str) -> Option<&'static str> {
        let is_hidden = path.split('/').any(|step| step.starts_with('.'));
        let target = self.folder.join(path);
        let there = target.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
        let real = there.and_then(|there| fs::canonicalize(there).ok());
        let folder = fs::canonicalize(self.folder);
        let is_inside =
            folder.is_ok_and(|folder| real.is_some_and(|real| real.starts_with(folder)));
        if is_hidden || !is_inside {
            return Some("a file that is hidden or outside of the folder is not written");
        }
        if self.referred.contains(&target) {
            return None;
        }
        if target.symlink_metadata().is_ok() {
            return Some(
                "`--files` overwrites only what the project file at `--output` refers to already",
            );
        }
        let end = target.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let is_text = NEW_FILES_END_IN.contains(&end);
        (!is_text).then_some(
            "a new file is written only if its name ends in .css, .htm, .html, .js, .mjs, .svg or .txt",
        )
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
