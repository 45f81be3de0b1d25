//! `assay export`: a project of a running server as a project file.

use std::fs;

use domain::Project;

use crate::cli::ExportArguments;
use crate::failure::Failure;
use crate::output;
use crate::remote::{Question, Remote};

/// Writes the draft, or a revision, as YAML.
pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let remote = Remote::new(&arguments.remote)?;
    let project = &arguments.project;
    let path = match arguments.revision {
        Some(number) => format!("/v1/projects/{project}/revisions/{number}/document"),
        None => format!("/v1/projects/{project}/document"),
    };
    let question = Question { method: "GET", path, headers: &[], body: None };
    let found = remote.ask(&question)?;
    let found =
        found.ok_or_else(|| Failure::input("the server has no such project or revision"))?;
    let (project, _) = domain::parse_value(&found.body).map_err(Failure::Faults)?;
    let yaml = with_schema(&remote, &project);
    let Some(path) = &arguments.output else {
        output::print_exactly(&yaml);
        return Ok(());
    };
    fs::write(path, &yaml).map_err(|error| {
        Failure::environment(format_args!("cannot write `{}`: {error}", path.display()))
    })
}

/// The first line names the schema for editors.
fn with_schema(remote: &Remote, project: &Project) -> String {
    let schema = remote.address("/v1/project.schema.json");
    format!("# yaml-language-server: $schema={schema}\n{}", project.to_yaml())
}
