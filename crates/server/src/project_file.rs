//! A project file on disk, with the files it refers to.

use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use app::documents::{CheckedProject, check_written};
use domain::limits::MAX_DOCUMENT_BYTES;
use domain::{Fault, FileReader, Source};
use serde_json::Value;

use crate::failure::Failure;

/// The parsed project.
pub(crate) struct ProjectFile {
    pub(crate) checked: CheckedProject,
    /// The document as its author wrote it, for a server that knows more of the project.
    pub(crate) written: Value,
    /// The text of the project file itself.
    pub(crate) text: String,
}

/// A project file that was read, whatever is wrong with it.
pub(crate) struct Examined {
    /// Its name, as faults show it.
    pub(crate) name: String,
    /// The project and the document as its author wrote it, or what is wrong.
    pub(crate) outcome: Result<(CheckedProject, Value), Vec<Fault>>,
    pub(crate) texts: Texts,
    /// The file itself and those that it refers to, read or not: what is wrong may be put right in each.
    pub(crate) files: Vec<PathBuf>,
}

/// The files that were read, with what they say.
#[derive(Default)]
pub(crate) struct Texts(Vec<(PathBuf, String)>);

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

/// Reads and checks the project file at `path`, or on standard input by the name `-`.
pub(crate) fn read(path: &Path) -> Result<ProjectFile, Failure> {
    if path == Path::new(STANDARD_INPUT) {
        return checked(examine_standard_input()?).0;
    }
    read_with_files(path).0
}

/// The same with the files that decide what comes of it.
pub(crate) fn read_with_files(path: &Path) -> (Result<ProjectFile, Failure>, Vec<PathBuf>) {
    match examine(path) {
        Ok(examined) => checked(examined),
        Err(failure) => (Err(failure), vec![path.to_owned()]),
    }
}

fn checked(examined: Examined) -> (Result<ProjectFile, Failure>, Vec<PathBuf>) {
    let Examined { outcome, texts, files, .. } = examined;
    let text = texts.0.into_iter().next().map(|(_, text)| text).unwrap_or_default();
    let read = outcome.map_err(Failure::Faults);
    (read.map(|(checked, written)| ProjectFile { checked, written, text }), files)
}

/// Reads the project file at `path` and collects what is wrong with it.
pub(crate) fn examine(path: &Path) -> Result<Examined, Failure> {
    let text = File::open(path).and_then(whole_text);
    let text = text.map_err(|error| unreadable(path, &error))?;
    Ok(examine_text(path.to_string_lossy().into_owned(), text, folder(path)))
}

/// The same for standard input, which refers to files in the present folder.
pub(crate) fn examine_standard_input() -> Result<Examined, Failure> {
    let text =
        whole_text(io::stdin()).map_err(|error| Failure::unreadable("standard input", &error))?;
    Ok(examine_text("<stdin>".to_owned(), text, Path::new(".")))
}

/// The text of a project file, or of so much of it as shows that it is too long: a device may have no end.
fn whole_text(from: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(MAX_DOCUMENT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_DOCUMENT_BYTES {
        // The last character may be cut.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|_| {
        let told = "it is not valid UTF-8\n  hint: save it as UTF-8";
        io::Error::new(io::ErrorKind::InvalidData, told)
    })
}

fn examine_text(name: String, text: String, folder: &Path) -> Examined {
    let reader = FolderReader::new(folder);
    let outcome = check_written(&Source { name: &name, text: &text, files: &reader });
    let mut texts = vec![(PathBuf::from(&name), text)];
    texts.extend(reader.texts.into_inner());
    let mut files = vec![PathBuf::from(&name)];
    files.extend(reader.asked.into_inner());
    Examined { name, outcome, texts: Texts(texts), files }
}

impl Texts {
    /// The text of a file that a fault names, with `\n` at the end of each line.
    pub(crate) fn of(&self, file: &str) -> Option<String> {
        let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
        let file = plain(Path::new(file));
        let (_, text) = self.0.iter().find(|(path, _)| plain(path) == file)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Some(text.replace("\r\n", "\n").replace('\r', "\n"))
    }
}

/// Whether a file with this name is read as JSON, and as nothing else.
pub(crate) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// The folder that a file is in.
pub(crate) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::unreadable(format_args!("project file `{}`", path.display()), error)
}

/// The text of a regular file. Reading a pipe waits until another program writes to it, and a device may have no end.
fn read_regular(path: &Path) -> Result<String, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    if about.len() > MAX_DOCUMENT_BYTES as u64 {
        return Err(format!("it has more than {MAX_DOCUMENT_BYTES} bytes"));
    }
    fs::read_to_string(path).map_err(|error| error.to_string())
}

/// Reads files below one folder, and remembers them.
pub(crate) struct FolderReader<'f> {
    folder: &'f Path,
    /// The files that it was asked for.
    asked: RefCell<Vec<PathBuf>>,
    texts: RefCell<Vec<(PathBuf, String)>>,
}

impl<'f> FolderReader<'f> {
    pub(crate) fn new(folder: &'f Path) -> Self {
        Self { folder, asked: RefCell::default(), texts: RefCell::default() }
    }
}

impl FileReader for FolderReader<'_> {
    fn read(&self, relative: &str) -> Result<String, String> {
        let path = self.folder.join(relative);
        self.asked.borrow_mut().push(path.clone());
        // The path has no `..`; a symbolic link could still lead out.
        let folder = fs::canonicalize(self.folder).map_err(|error| error.to_string())?;
        let real = fs::canonicalize(&path).map_err(|error| error.to_string())?;
        if !real.starts_with(&folder) {
            return Err("it leads outside the project file's folder".to_owned());
        }
        let text = read_regular(&real)?;
        self.texts.borrow_mut().push((path, text.clone()));
        Ok(text)
    }
}
