//! `assay project`: lists the projects of a running server, archives and restores them, and deletes archived ones for good.

use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use crate::cli::{ProjectArguments, ProjectCommand, ProjectDeleteArguments, ProjectListArguments};
use crate::failure::Failure;
use crate::output;
use crate::remote::{Expected, Question, Remote, named};

/// The longest page of a list.
const PER_PAGE: usize = 100;

/// More projects than a server has.
const PAGES_AT_MOST: usize = 1_000;

/// Runs one of the commands.
pub(crate) fn run(command: &ProjectCommand) -> Result<(), Failure> {
    match command {
        ProjectCommand::List(arguments) => list(arguments),
        ProjectCommand::Archive(arguments) => act(arguments, "archive"),
        ProjectCommand::Restore(arguments) => act(arguments, "restore"),
        ProjectCommand::Delete(arguments) => delete(arguments),
    }
}

fn list(arguments: &ProjectListArguments) -> Result<(), Failure> {
    let remote = Remote::new(&arguments.remote)?;
    let mut projects = Vec::new();
    for page in 1..=PAGES_AT_MOST {
        let path = format!("/v1/projects?archived=any&per_page={PER_PAGE}&page={page}");
        let question =
            Question { method: "GET", path, headers: &[], body: None, expected: Expected::List };
        let answer = remote.ask(&question)?.map(|answer| answer.body).unwrap_or_default();
        let found = answer.as_array().map(Vec::as_slice).unwrap_or_default();
        projects.extend_from_slice(found);
        if found.len() < PER_PAGE {
            break;
        }
    }
    if arguments.json {
        output::print(Value::from(projects));
    } else if !projects.is_empty() {
        output::print(projects.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    Ok(())
}

fn line(project: &Value) -> String {
    let [id, key, name] = ["id", "key", "name"].map(|field| project[field].as_str());
    let state = match (project["archived"].as_bool(), project["revision"].as_u64()) {
        (Some(true), _) => "archived".to_owned(),
        (_, Some(revision)) => format!("revision {revision} is live"),
        (_, None) => "not published".to_owned(),
    };
    let key = key.unwrap_or_default();
    format!("{}  {key}  {state}  {}", id.unwrap_or_default(), name.unwrap_or(key))
}

fn act(arguments: &ProjectArguments, action: &str) -> Result<(), Failure> {
    let remote = Remote::new(&arguments.remote)?;
    let path = format!("/v1/projects/{}/actions", named(&arguments.project));
    let body = json!({"action": action});
    let expected = Expected::Tagged("key");
    let question = Question { method: "POST", path, headers: &[], body: Some(&body), expected };
    let done = remote.ask(&question)?.ok_or_else(|| unknown(&arguments.project))?;
    let key = done.body["key"].as_str().unwrap_or_default();
    output::print(format_args!("{action}d `{key}` in its draft: publish it"));
    Ok(())
}

fn delete(arguments: &ProjectDeleteArguments) -> Result<(), Failure> {
    let remote = Remote::new(&arguments.remote)?;
    let key: String = byte_serialize(arguments.permanently.as_bytes()).collect();
    let path = format!("/v1/projects/{}?permanently={key}", named(&arguments.project));
    let expected = Expected::Nothing;
    let question = Question { method: "DELETE", path, headers: &[], body: None, expected };
    remote.ask(&question)?.ok_or_else(|| unknown(&arguments.project))?;
    output::print(format_args!("deleted `{}` for good", arguments.permanently));
    Ok(())
}

fn unknown(project: &str) -> Failure {
    Failure::input(format_args!("the server has no project `{project}`"))
        .with_hint("`assay project list` shows those that you may read")
}
