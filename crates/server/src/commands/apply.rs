//! `assay apply` and `assay diff`: a project file against a running server.

use domain::Project;
use serde_json::{Value, json};

use crate::cli::{ApplyArguments, DiffArguments};
use crate::failure::Failure;
use crate::remote::{Answer, Question, Remote};
use crate::{output, project_file};

/// Shows what applying a file would change.
pub(crate) fn diff(arguments: &DiffArguments) -> Result<(), Failure> {
    let checked = project_file::read(&arguments.project_file)?.checked;
    let remote = Remote::new(&arguments.remote)?;
    let document = document_of(&checked.project);
    let path = format!("{}?dry_run=true", path_of(&checked.project));
    let question = Question { method: "PUT", path, headers: &[], body: Some(&document) };
    match remote.ask(&question)? {
        Some(answer) if arguments.json => output::print(&answer.body["changes"]),
        Some(answer) => tell(&answer.body),
        None => output::print("the server has no such project; `assay apply` begins it"),
    }
    Ok(())
}

/// Puts a file in the place of the draft, and publishes it if that is asked for.
pub(crate) fn apply(arguments: &ApplyArguments) -> Result<(), Failure> {
    let checked = project_file::read(&arguments.project_file)?.checked;
    for warning in &checked.warnings {
        output::complain(warning);
    }
    let remote = Remote::new(&arguments.remote)?;
    let applied = put(&remote, &checked.project)?;
    tell(&applied.body);
    let tag = applied.tag.unwrap_or_default();
    if arguments.publish {
        publish(&remote, &checked.project, &tag, &arguments.message)?;
    }
    Ok(())
}

/// Whoever changes the draft between these two requests is not overwritten: the second is refused.
fn put(remote: &Remote, project: &Project) -> Result<Answer, Failure> {
    let (path, document) = (path_of(project), document_of(project));
    let question = Question { method: "GET", path: path.clone(), headers: &[], body: None };
    let tag = remote.ask(&question)?.and_then(|answer| answer.tag);
    let condition = match &tag {
        Some(tag) => ("if-match", tag.as_str()),
        None => ("if-none-match", "*"),
    };
    let headers = [condition];
    let question = Question { method: "PUT", path, headers: &headers, body: Some(&document) };
    remote.ask(&question)?.ok_or_else(|| Failure::input("the server has no such project any more"))
}

fn publish(remote: &Remote, project: &Project, tag: &str, message: &str) -> Result<(), Failure> {
    let path = format!("/v1/projects/{}/revisions", project.id);
    let body = json!({"message": message});
    let headers = [("if-match", tag)];
    let question = Question { method: "POST", path, headers: &headers, body: Some(&body) };
    let published = remote.ask(&question)?;
    let revision = published.map_or(Value::Null, |answer| answer.body["number"].clone());
    output::print(format_args!("revision {revision} is live"));
    Ok(())
}

fn path_of(project: &Project) -> String {
    format!("/v1/projects/{}/document", project.id)
}

fn document_of(project: &Project) -> Value {
    serde_json::to_value(project).expect("a project is always JSON")
}

fn tell(plan: &Value) {
    let changes = plan["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
    for change in changes {
        output::print(change["text"].as_str().unwrap_or_default());
    }
    if changes.is_empty() {
        output::print("no differences");
    }
}
