//! `assay apply` and `assay diff`: a project file against a running server. Shows first what visitors would notice, and asks
//! for confirmation; removes what the file does not have only with `--prune`.

use std::collections::HashSet;

use domain::{Project, what_visitors_notice};
use serde_json::{Value, json};

use crate::cli::{ApplyArguments, DiffArguments};
use crate::confirmation::is_confirmed;
use crate::failure::Failure;
use crate::project_file::ProjectFile;
use crate::remote::{Answer, Expected, Question, Remote};
use crate::{output, project_file};

/// What the lists of a plan lack is told by nothing else.
const TRUNCATED: &str =
    "the list of differences is truncated: there are more resources or values than an answer holds";

/// As many resources are named where something is refused because of them.
const NAMED_AT_MOST: usize = 5;

/// Shows what applying a file would change. With an exit code, 1 says that there is something.
pub(crate) fn diff(arguments: &DiffArguments) -> Result<(), Failure> {
    if !arguments.exit_code {
        return show_differences(arguments).map(|_| ());
    }
    match show_differences(arguments) {
        Ok(false) => Ok(()),
        Ok(true) => Err(Failure::AlreadyReported),
        Err(failure) => Err(Failure::BesideAnswer(Box::new(failure))),
    }
}

/// Whether there are any.
fn show_differences(arguments: &DiffArguments) -> Result<bool, Failure> {
    let ProjectFile { checked, written: document, .. } =
        project_file::read(&arguments.project_file)?;
    let remote = Remote::new(&arguments.remote)?;
    let answer = plan(&remote, &checked.project, &document)?;
    if answer.is_none() && !arguments.json {
        output::print("the server has no such project; `assay apply` creates it");
    }
    let plan = answer.map_or_else(|| beginning(&checked.project), |answer| answer.body);
    if arguments.json {
        output::print(&plan["changes"]);
    } else {
        tell(&plan);
    }
    if arguments.json && plan["truncated"] == true {
        output::complain(format_args!("warning: {TRUNCATED}"));
    }
    Ok(!list(&plan, "changes").is_empty())
}

/// Replaces the draft with a file, and publishes it if the arguments say so.
pub(crate) fn apply(arguments: &ApplyArguments) -> Result<(), Failure> {
    let ProjectFile { checked, written: document, text, .. } =
        project_file::read(&arguments.project_file)?;
    for warning in &checked.warnings {
        output::complain(warning);
    }
    let remote = Remote::new(&arguments.remote)?;
    let project = &checked.project;
    let seen = seen(&remote, project, arguments)?;
    let planned = match &seen {
        Some(_) => plan(&remote, project, &document)?,
        None => None,
    };
    if let Some(planned) = &planned {
        tell(&planned.body);
        refuse_to_remove(&planned.body, arguments)?;
        ask_for_consent(&planned.body, arguments)?;
    } else {
        tell(&beginning(project));
    }
    let applied = put(&remote, project, &document, (seen.as_deref(), arguments.prune))?;
    if planned.is_none() {
        tell_late(&applied.body);
    }
    let tag = applied.tag.unwrap_or_default();
    keep_source(&remote, project, &tag, &text);
    if arguments.publish {
        let published = publish(&remote, project, &tag, &arguments.message);
        published.map_err(|failure| failure.after("the draft is applied, but not published"))?;
    }
    Ok(())
}

/// The tag of the present draft, which the file replaces and which must be the one that the file was made
/// for. `None` if there is no such project.
fn seen(
    remote: &Remote,
    project: &Project,
    arguments: &ApplyArguments,
) -> Result<Option<String>, Failure> {
    let path = path_of(project);
    let expected = Expected::Tagged("project");
    let question = Question { method: "GET", path, headers: &[], body: None, expected };
    let there = remote.ask(&question)?.and_then(|answer| answer.tag);
    let Some(wanted) = &arguments.if_match else { return Ok(there) };
    let is_met = |tag: &String| tag.trim_matches('"') == wanted.trim_matches('"');
    match there {
        Some(tag) if is_met(&tag) => Ok(Some(tag)),
        Some(tag) => Err(Failure::input(format_args!(
            "the draft has changed since `{wanted}`: it is {tag} now, and nothing was done"
        ))),
        None => Err(Failure::input("the server has no such project, and nothing was done")),
    }
}

/// The changes that the file would make; `None` if there is no such project.
fn plan(remote: &Remote, project: &Project, document: &Value) -> Result<Option<Answer>, Failure> {
    let path = format!("{}?dry_run=true", path_of(project));
    let expected = Expected::Field("changes");
    remote.ask(&Question { method: "PUT", path, headers: &[], body: Some(document), expected })
}

/// The same for a project that the server does not have.
fn beginning(project: &Project) -> Value {
    let id = project.id.to_string();
    let name = project.name.as_deref().unwrap_or(project.key.as_str());
    let text = format!("project `{name}` ({id}) added");
    let fields = json!([]);
    let change = json!({"change": "added", "kind": "project", "id": id, "name": name, "fields": fields, "text": text});
    let notices = what_visitors_notice(None, project);
    let notices: Value = notices.into_iter().map(|notice| json!({"text": notice.text})).collect();
    json!({"changes": [change], "visitors": notices, "live_revision": null})
}

fn refuse_to_remove(plan: &Value, arguments: &ApplyArguments) -> Result<(), Failure> {
    if arguments.prune {
        return Ok(());
    }
    let stopped = list(plan, "visitors").iter().filter(|notice| notice["effect"] == "removed");
    let mut removed: Vec<String> = missing(plan).into_iter().chain(stopped).map(named).collect();
    let mut told = HashSet::new();
    removed.retain(|resource| told.insert(resource.clone()));
    if removed.is_empty() {
        return Ok(());
    }
    Err(Failure::input(format_args!(
        "the file does not have {}, and nothing was done\n  hint: `assay export` writes a complete file; `--prune` removes what is not in the file",
        first_of(&removed)
    )))
}

/// What the server has and the file lacks. A server of an earlier version tells only what is removed.
fn missing(plan: &Value) -> Vec<&Value> {
    let is_told = plan["missing"].is_array();
    let (field, is_missing): (_, fn(&&Value) -> bool) =
        if is_told { ("missing", |_| true) } else { ("changes", |one| one["change"] == "removed") };
    list(plan, field).iter().filter(is_missing).collect()
}

/// The first few, and how many more there are.
fn first_of(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED_AT_MOST);
    let first = names[..names.len() - more].join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}

/// Visitors notice what is published, and the end of what runs in any case: the next publication brings it. Before the first one, no page has
/// the snippet.
fn ask_for_consent(plan: &Value, arguments: &ApplyArguments) -> Result<(), Failure> {
    // A server of an earlier version does not tell.
    let is_first = plan.get("live_revision").is_some_and(Value::is_null);
    let notices = list(plan, "visitors");
    let is_noticed = |notice: &Value| arguments.publish || notice["effect"] == "removed";
    if arguments.yes
        || is_first
        || !notices.iter().any(is_noticed)
        || is_confirmed("visitors notice this.")
    {
        return Ok(());
    }
    Err(Failure::input(
        "visitors would notice this, and nothing was done\n  hint: `--yes` does it anyway",
    ))
}

/// Refuses to overwrite a draft that an editor has changed since.
fn put(
    remote: &Remote,
    project: &Project,
    document: &Value,
    (seen, prune): (Option<&str>, bool),
) -> Result<Answer, Failure> {
    let condition = seen.map_or(("if-none-match", "*"), |tag| ("if-match", tag));
    let headers = [condition];
    let path = format!("{}?prune={prune}", path_of(project));
    let (body, expected) = (Some(document), Expected::Tagged("changes"));
    let question = Question { method: "PUT", path, headers: &headers, body, expected };
    remote.ask(&question)?.ok_or_else(no_more)
}

fn no_more() -> Failure {
    Failure::input("the server has no such project any more")
}

/// Has the server keep the file as it is written, for `assay export`. The draft is applied whether it does or not; a server of an earlier
/// version does not.
fn keep_source(remote: &Remote, project: &Project, tag: &str, text: &str) {
    let path = format!("{}/source", path_of(project));
    let (headers, body) = ([("if-match", tag)], json!({"text": text}));
    let (body, expected) = (Some(&body), Expected::Nothing);
    let question = Question { method: "PUT", path, headers: &headers, body, expected };
    if let Err(failure) = remote.ask(&question) {
        output::complain(format_args!(
            "warning: the draft is applied, but the server does not have the comments of the file: {}",
            failure.message()
        ));
    }
}

fn publish(remote: &Remote, project: &Project, tag: &str, message: &str) -> Result<(), Failure> {
    let path = format!("/v1/projects/{}/revisions", project.id);
    let body = json!({"message": message});
    let headers = [("if-match", tag)];
    let (body, expected) = (Some(&body), Expected::Field("number"));
    let question = Question { method: "POST", path, headers: &headers, body, expected };
    let published = remote.ask(&question)?.ok_or_else(no_more)?;
    output::print(format_args!("revision {} is live", published.body["number"]));
    Ok(())
}

fn path_of(project: &Project) -> String {
    format!("/v1/projects/{}/document", project.id)
}

fn list<'p>(plan: &'p Value, field: &str) -> &'p [Value] {
    plan[field].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn named(resource: &Value) -> String {
    let [kind, name] = ["kind", "name"].map(|field| resource[field].as_str().unwrap_or_default());
    format!("{kind} `{name}` ({})", resource["id"].as_str().unwrap_or_default())
}

fn tell(plan: &Value) {
    let (notices, changes) = (list(plan, "visitors"), list(plan, "changes"));
    if !notices.is_empty() {
        output::print("once this is live, visitors notice:");
        for notice in notices {
            output::print(notice["text"].as_str().unwrap_or_default());
        }
        output::print("");
    }
    for change in changes {
        output::print(change["text"].as_str().unwrap_or_default());
    }
    tell_late(plan);
    if plan["truncated"] == true {
        output::print(format_args!("… and more: {TRUNCATED}"));
    } else if changes.is_empty() {
        output::print("no differences");
    }
}

/// What schedules do at once, or never: only the server knows what they have done. Other warnings are told where the file is read.
fn tell_late(plan: &Value) {
    for warning in list(plan, "warnings").iter().filter(|one| one["code"] == "moment_past") {
        let [message, hint] =
            ["message", "hint"].map(|field| warning[field].as_str().unwrap_or_default());
        output::complain(format_args!("warning: {message}\n  hint: {hint}"));
    }
}
