//! `assay import`: converts an Optimizely export into a project file. What is carried over and what is not:
//! docs/importing.md.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use app::documents::check_document;
use domain::{NoFiles, Source};
use import::{Export, ExportFile, Refusal, Report};

use crate::cli::{ImportArguments, ReportFormat};
use crate::failure::Failure;
use crate::{output, whole_file};

/// Bytes of an export, all files together: a hundred times the largest project document is more than any real
/// export, and still fits into memory.
const MAX_EXPORT_BYTES: u64 = 256 * 1024 * 1024;

pub(crate) fn run(arguments: &ImportArguments) -> Result<(), Failure> {
    let paths = paths(&arguments.export)?;
    let is_source = |output: &&PathBuf| paths.iter().any(|path| whole_file::is_same(output, path));
    if let Some(output) = arguments.output.as_ref().filter(is_source) {
        let told = format_args!(
            "`{}` is a file of the export; write the project to another",
            output.display()
        );
        return Err(Failure::input(told));
    }
    let export = Export::read(&files(paths)?).map_err(Failure::input)?;
    let imported = import::import(&export, arguments.project.as_deref(), &|source| {
        check_document(source).map(|checked| (checked.project, checked.warnings))
    });
    let imported = imported.map_err(|refusal| match refusal {
        Refusal::Faults(faults) => Failure::Faults(faults),
        Refusal::Unsuitable(unsuitable) => Failure::input(unsuitable),
    })?;
    let yaml = imported.project.to_yaml();
    // In YAML, a document near the limit can be longer than it was while it was checked.
    check_document(&Source { name: "the project file", text: &yaml, files: &NoFiles })
        .map_err(Failure::Faults)?;
    match &arguments.output {
        Some(path) => whole_file::write(path, &yaml)?,
        None => output::print_exactly(&yaml),
    }
    tell(&imported.report, arguments.report);
    Ok(())
}

fn tell(report: &Report, format: ReportFormat) {
    match format {
        ReportFormat::Text => output::complain(report),
        ReportFormat::Json => {
            output::complain(serde_json::to_string(report).expect("a report is always JSON"));
        }
    }
}

/// The file at `path`, or the JSON files of the folder that is there.
fn paths(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_dir() {
        json_files(path).map_err(|error| unreadable(path, &error))
    } else {
        Ok(vec![path.to_owned()])
    }
}

fn files(paths: Vec<PathBuf>) -> Result<Vec<ExportFile>, Failure> {
    let mut bytes = 0;
    let mut files = Vec::new();
    for path in paths {
        let mut text = String::new();
        // Of more, so much as shows it: a device may have no end.
        let read = File::open(&path)
            .and_then(|file| file.take(MAX_EXPORT_BYTES - bytes + 1).read_to_string(&mut text));
        bytes += read.map_err(|error| unreadable(&path, &error))? as u64;
        if bytes > MAX_EXPORT_BYTES {
            let message = format!("the export has more than {MAX_EXPORT_BYTES} bytes");
            return Err(Failure::input(message));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        files.push(ExportFile { name: name.to_string_lossy().into_owned(), text });
    }
    Ok(files)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::unreadable(format_args!("export `{}`", path.display()), error)
}

fn json_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}
