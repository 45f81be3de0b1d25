//! A project file on disk, with the files it refers to.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::{fs, io};

use app::documents::{CheckedProject, check_written};
use domain::{FileReader, Source};
use serde_json::Value;

use crate::failure::Failure;

/// The parsed project and the files it was read from, which are watched.
pub(crate) struct ProjectFile {
    pub(crate) checked: CheckedProject,
    /// The document as its author wrote it, for a server that knows more of the project.
    pub(crate) written: Value,
    pub(crate) files: Vec<PathBuf>,
}

/// Reads and checks the project file at `path`.
pub(crate) fn read(path: &Path) -> Result<ProjectFile, Failure> {
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let folder = folder(path);
    let reader = FolderReader { folder, files: RefCell::new(vec![path.to_owned()]) };
    let name = path.to_string_lossy();
    let source = Source { name: &name, text: &text, files: &reader };
    let (checked, written) = check_written(&source).map_err(Failure::Faults)?;
    Ok(ProjectFile { checked, written, files: reader.files.into_inner() })
}

/// The folder that a file is in.
pub(crate) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::unreadable(format_args!("project file `{}`", path.display()), error)
}

/// Reads files below one folder, and remembers which.
struct FolderReader<'f> {
    folder: &'f Path,
    files: RefCell<Vec<PathBuf>>,
}

impl FileReader for FolderReader<'_> {
    fn read(&self, relative: &str) -> Result<String, String> {
        let path = self.folder.join(relative);
        // The path has no `..`; a symbolic link could still lead out.
        let folder = fs::canonicalize(self.folder).map_err(|error| error.to_string())?;
        let real = fs::canonicalize(&path).map_err(|error| error.to_string())?;
        if !real.starts_with(&folder) {
            return Err("it leads outside the project file's folder".to_owned());
        }
        self.files.borrow_mut().push(path);
        fs::read_to_string(real).map_err(|error| error.to_string())
    }
}
