//! `assay check`: reports every fault of project files. How they are told is in `check/`, a file for each format.

mod github;
mod json;
mod marked;
mod sarif;
mod text;

use std::path::Path;

use app::documents::CheckedProject;
use domain::{Fault, Pointer, Project, Severity};
use snippet::CompileError;

use crate::cli::{CheckArguments, FindingsFormat};
use crate::failure::Failure;
use crate::project_file::{Examined, Texts};
use crate::{output, project_file};

/// What was found in one file.
struct Findings {
    /// The file, as it was named.
    file: String,
    /// The project, if there are no errors.
    project: Option<Project>,
    faults: Vec<Fault>,
    texts: Texts,
    /// Whether the environment kept the file from being checked.
    is_unchecked: bool,
}

pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let findings = arguments.project_files.iter().map(|path| examine(path));
    let findings = findings.collect::<Result<Vec<_>, _>>()?;
    match arguments.format {
        FindingsFormat::Text => text::tell(&findings, arguments.color),
        FindingsFormat::Json => output::print(json::report(&findings)),
        FindingsFormat::Github => findings
            .iter()
            .flat_map(|found| found.faults.iter().map(|fault| (&found.file, fault)))
            .for_each(|(file, fault)| output::print(github::command(file, fault))),
        FindingsFormat::Sarif => output::print(sarif::report(&findings)),
    }
    let has = |severity| findings.iter().any(|found| found.count(severity) > 0);
    match () {
        () if findings.iter().any(|found| found.is_unchecked) => {
            Err(Failure::environment("not every file could be checked"))
        }
        () if has(Severity::Error) => Err(Failure::AlreadyReported),
        () if arguments.strict && has(Severity::Warning) => {
            Err(Failure::input("there are warnings, and --strict allows none"))
        }
        () => Ok(()),
    }
}

fn examine(path: &Path) -> Result<Findings, Failure> {
    let is_standard_input = path.as_os_str() == "-";
    let examined = if is_standard_input {
        project_file::examine_standard_input()
    } else {
        project_file::examine(path)
    };
    let Examined { name: file, outcome, texts, .. } = match examined {
        Ok(examined) => examined,
        Err(failure) => return Ok(unread(path, &failure)),
    };
    let (project, faults) = match outcome {
        Ok((checked, _)) => compiled(checked)?,
        Err(faults) => (None, faults),
    };
    Ok(Findings { file, project, faults, texts, is_unchecked: false })
}

/// That a file cannot be read is one of the findings, so that others are told as well.
fn unread(path: &Path, failure: &Failure) -> Findings {
    let told = failure.message();
    let fault = match told.split_once("\n  hint: ") {
        Some((told, hint)) => unreadable(told).hint(hint),
        None => unreadable(&told),
    };
    Findings {
        file: path.to_string_lossy().into_owned(),
        project: None,
        faults: vec![fault],
        texts: Texts::default(),
        is_unchecked: matches!(failure, Failure::Environment(_)),
    }
}

fn unreadable(told: &str) -> Fault {
    Fault::error("unreadable_file", Pointer::root(), told)
}

/// What is valid can be published: no later step refuses it.
fn compiled(checked: CheckedProject) -> Result<(Option<Project>, Vec<Fault>), Failure> {
    let CheckedProject { project, warnings } = checked;
    match snippet::compile(&project) {
        Ok(_) => Ok((Some(project), warnings)),
        Err(CompileError::Code(errors)) => {
            let errors = errors.into_iter().map(|error| Fault {
                hint: error.hint,
                ..Fault::error("code", error.pointer, error.message)
            });
            Ok((None, errors.chain(warnings).collect()))
        }
        Err(error) => Err(Failure::environment(error)),
    }
}

impl Findings {
    fn count(&self, severity: Severity) -> usize {
        self.faults.iter().filter(|fault| fault.severity == severity).count()
    }
}

/// A fault in words, with what was expected. The hint is not in it.
fn sentence(fault: &Fault) -> String {
    match &fault.expected {
        Some(expected) => format!("{}, expected {expected}", fault.message),
        None => fault.message.clone(),
    }
}

/// The same with the path in the document and the hint, for programs that show one text.
fn whole(fault: &Fault) -> String {
    let path = match &fault.pointer {
        root if *root == Pointer::root() => String::new(),
        pointer => format!("{}: ", pointer.path()),
    };
    let sentence = sentence(fault);
    match &fault.hint {
        Some(hint) => format!("{path}{sentence}\nhint: {hint}"),
        None => format!("{path}{sentence}"),
    }
}
