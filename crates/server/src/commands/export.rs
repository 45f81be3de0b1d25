//! `assay export`: a project of a running server as a project file. The draft of an applied file is that file, with what has changed since.

mod beside;

use domain::{Project, Rewritten, rewrite};

use crate::cli::ExportArguments;
use crate::failure::Failure;
use crate::remote::{self, Expected, Question, Remote};
use crate::{output, project_file, whole_file};
use beside::Beside;

/// Writes the draft, or a revision, as a project file.
pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let remote = Remote::new(&arguments.remote)?;
    let project = remote::named(&arguments.project);
    let path = match arguments.revision {
        Some(number) => format!("/v1/projects/{project}/revisions/{number}/document"),
        None => format!("/v1/projects/{project}/document"),
    };
    let expected = Expected::Field("project");
    let question = Question { method: "GET", path, headers: &[], body: None, expected };
    let found = remote.ask(&question)?;
    let found =
        found.ok_or_else(|| Failure::input("the server has no such project or revision"))?;
    let (project, _) = domain::parse_value(&found.body).map_err(Failure::Faults)?;
    let text = match source(&remote, arguments)? {
        Some(source) => from_source(&source, &project, arguments)?,
        None => None,
    };
    write(&text.unwrap_or_else(|| generated(&remote, &project, arguments)), arguments)
}

/// The file that the draft was applied from, unless something else is wanted.
fn source(remote: &Remote, arguments: &ExportArguments) -> Result<Option<String>, Failure> {
    if arguments.generate || arguments.revision.is_some() {
        return Ok(None);
    }
    let path = format!("/v1/projects/{}/document/source", remote::named(&arguments.project));
    let expected = Expected::Field("text");
    let question = Question { method: "GET", path, headers: &[], body: None, expected };
    let found = remote.ask(&question)?;
    Ok(found.and_then(|answer| answer.body["text"].as_str().map(str::to_owned)))
}

/// The applied file with what has changed since, and nothing of it lost silently. `None` if it cannot be changed.
fn from_source(
    source: &str,
    project: &Project,
    arguments: &ExportArguments,
) -> Result<Option<String>, Failure> {
    if is_json_wanted(arguments) && !is_json(source) {
        output::complain(
            "warning: the applied file is YAML, and Assay reads a file `.json` as JSON: this is a new file, without comments and file references",
        );
        return Ok(None);
    }
    let mut beside = Beside::new(arguments);
    let Some(rewritten) = rewrite(source, project, |path, text| beside.keeps(path, text)) else {
        output::complain(
            "warning: the draft has changed since its file was applied, in ways that cannot be put into it: this is a new file, without the comments and file references of that one",
        );
        return Ok(None);
    };
    tell(&rewritten, &beside, arguments);
    beside.write()?;
    Ok(Some(rewritten.text))
}

fn tell(rewritten: &Rewritten, beside: &Beside<'_>, arguments: &ExportArguments) {
    for path in &rewritten.inlined {
        let hint = if arguments.files {
            beside.refused(path).unwrap_or("a file with two texts is not written")
        } else {
            "`--files` writes the file and keeps the reference"
        };
        output::complain(format_args!(
            "warning: `{path}` does not have the text that the project has, so the text is in the project file itself\n  hint: {hint}"
        ));
    }
    let lines: Vec<String> = rewritten.lost_comments.iter().map(ToString::to_string).collect();
    if !lines.is_empty() {
        output::complain(format_args!(
            "warning: comments of the applied file are gone with what has changed around them, from line {}",
            lines.join(", ")
        ));
    }
}

/// In YAML, the first line names the schema for editors.
fn generated(remote: &Remote, project: &Project, arguments: &ExportArguments) -> String {
    if is_json_wanted(arguments) {
        return project.to_json();
    }
    let schema = remote.address("/v1/project.schema.json");
    format!("# yaml-language-server: $schema={schema}\n{}", project.to_yaml())
}

fn is_json_wanted(arguments: &ExportArguments) -> bool {
    arguments.output.as_deref().is_some_and(project_file::is_json)
}

fn is_json(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn write(text: &str, arguments: &ExportArguments) -> Result<(), Failure> {
    let Some(path) = &arguments.output else {
        output::print_exactly(text);
        return Ok(());
    };
    whole_file::write(path, text)
}
