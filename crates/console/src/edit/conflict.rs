//! Another member has saved the same resource meanwhile: both versions side by side, and two ways on.

use app::drafts::ChangedMeanwhile;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value};
use web::{FormTargets, Session};

use crate::edit::context::At;
use crate::edit::edited::Edited;
use crate::edit::show::title;
use crate::edit::three_way::{are_in_place, are_told_apart, identity, merged_fields};
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::project_frame::ProjectFrame;
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "edit/conflict.html")]
struct ConflictPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    above: (String, String),
    title: String,
    path: &'a str,
    /// Who saved the other version.
    by: String,
    rows: Vec<Row>,
    was: String,
    now: String,
    etag: String,
}

/// A field that differs.
struct Row {
    name: String,
    theirs: String,
    yours: String,
    /// Whether each of the two members changed it.
    is_theirs: bool,
    is_yours: bool,
}

/// Shows both versions. `edited` is the form of this member, who wants this.
pub(super) async fn answer(
    at: &At<'_>,
    (edited, wanted): (&Edited, &Map<String, Value>),
    both: &ChangedMeanwhile,
) -> Result<Response, Refusal> {
    let theirs = Edited::stored(at.editor, &both.current);
    let yours = Value::Object(merged_fields(&edited.was, &theirs.was, wanted));
    let yours = Edited::stored(at.editor, &yours);
    let project = at.context.frame(at.app, at.actor, at.editor).await?;
    let versions = Versions {
        above: (at.editor.above)(at.context.id, &theirs.now),
        title: title(at.editor, &theirs),
        path: at.path,
        by: both.current["updated_by"].as_str(),
        edited,
        theirs,
        yours,
    };
    Ok(versions.show(at.session, project))
}

/// Both versions of what a member edits.
pub(crate) struct Versions<'a> {
    pub(crate) above: (String, String),
    pub(crate) title: String,
    /// The address of the form.
    pub(crate) path: &'a str,
    /// Who saved the other version.
    pub(crate) by: Option<&'a str>,
    /// The form of this member.
    pub(crate) edited: &'a Edited,
    pub(crate) theirs: Edited,
    /// Theirs with the changes of this member.
    pub(crate) yours: Edited,
}

impl Versions<'_> {
    pub(crate) fn show(self, session: &Session, project: ProjectFrame) -> Response {
        let Self { above, title, path, by, edited, theirs, yours } = self;
        let template = ConflictPage {
            frame: Frame::new(session, NavigationTab::Projects),
            project,
            above,
            title,
            path,
            by: by.unwrap_or("another member").to_owned(),
            rows: rows(edited, &theirs, &yours),
            was: Value::Object(theirs.was).to_string(),
            now: yours.now.to_string(),
            etag: theirs.etag,
        };
        page(StatusCode::CONFLICT, &template, FormTargets::OwnPages)
    }
}

/// The values that at least one of the two members changed, each by itself.
fn rows(edited: &Edited, theirs: &Edited, yours: &Edited) -> Vec<Row> {
    let states = [&edited.was, &theirs.was, &yours.was];
    let states = states.map(|state| Value::Object(state.clone()));
    let mut rows = Vec::new();
    add_rows(&mut rows, "", states.each_ref().map(Some));
    rows
}

/// Adds what differs between a value before, theirs and yours.
fn add_rows(rows: &mut Vec<Row>, name: &str, states: [Option<&Value>; 3]) {
    let [before, theirs, yours] = states.map(|state| state.unwrap_or(&Value::Null));
    if before == theirs && theirs == yours {
        return;
    }
    let parts = parts_of([before, theirs, yours]);
    if parts.is_empty() {
        rows.push(Row {
            name: name.to_owned(),
            theirs: readable(theirs),
            yours: readable(yours),
            is_theirs: theirs != before,
            is_yours: yours != theirs,
        });
    }
    for (part, states) in parts {
        let inside = if name.is_empty() { part } else { format!("{name} › {part}") };
        add_rows(rows, &inside, states);
    }
}

type Parts<'v> = Vec<(String, [Option<&'v Value>; 3])>;

/// The parts of a value by their names: the fields of objects, and the elements of lists as far as they can be told apart. Nothing if it is
/// told as a whole.
fn parts_of(states: [&Value; 3]) -> Parts<'_> {
    if let [Value::Object(before), Value::Object(theirs), Value::Object(yours)] = states {
        let names = unique(yours.keys().chain(theirs.keys()).chain(before.keys()));
        let part = |name: &String| [before, theirs, yours].map(|state| state.get(name));
        return names.into_iter().map(|name| (name.replace('_', " "), part(name))).collect();
    }
    let [Value::Array(before), Value::Array(theirs), Value::Array(yours)] = states else {
        return Vec::new();
    };
    let lists = [before, theirs, yours];
    if lists.iter().all(|list| list.iter().all(Value::is_object) && are_told_apart(list)) {
        return parts_by_identity(lists);
    }
    if are_in_place(lists.map(Vec::as_slice))
        && lists.iter().all(|list| list.iter().all(Value::is_object))
    {
        let place = |index: usize| lists.map(|list| list.get(index));
        return (0..before.len()).map(|index| ((index + 1).to_string(), place(index))).collect();
    }
    Vec::new()
}

fn parts_by_identity(lists: [&Vec<Value>; 3]) -> Parts<'_> {
    let [before, theirs, yours] = lists;
    let ids = unique(yours.iter().chain(theirs).chain(before).filter_map(identity));
    let parts = ids.into_iter().map(|id| {
        let states = lists.map(|list| list.iter().find(|one| identity(one).as_ref() == Some(&id)));
        let known = states.into_iter().flatten().next();
        let title = known.and_then(|one| one["name"].as_str().or_else(|| one["key"].as_str()));
        (title.map_or(id, str::to_owned), states)
    });
    parts.collect()
}

fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut unique = Vec::new();
    for one in all {
        if !unique.contains(&one) {
            unique.push(one);
        }
    }
    unique
}

/// A value as text; lists and objects in lines.
fn readable(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(_) | Value::Object(_) => format!("{value:#}"),
    }
}
