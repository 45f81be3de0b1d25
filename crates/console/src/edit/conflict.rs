//! Another member has saved the same resource meanwhile: both versions side by side, and two ways on.

use app::drafts::ChangedMeanwhile;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;
use web::{FormTargets, Session};

use crate::edit::edited::Edited;
use crate::edit::show::{At, title};
use crate::frame::{Frame, Place};
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

/// Shows both versions. `edited` is the form of this member.
pub(super) async fn answer(
    at: &At<'_>,
    edited: &Edited,
    both: &ChangedMeanwhile,
) -> Result<Response, Refusal> {
    let theirs = Edited::stored(at.editor, &both.current);
    let yours = both.yours.as_ref().unwrap_or(&both.current);
    let yours = Edited::stored(at.editor, yours);
    let project = at.desk.frame(at.app, at.actor, at.editor).await?;
    let versions = Versions {
        above: (at.editor.above)(at.desk.id, &theirs.now),
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
            frame: Frame::new(session, Place::Projects),
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

/// The fields that at least one of the two members changed.
fn rows(edited: &Edited, theirs: &Edited, yours: &Edited) -> Vec<Row> {
    let nothing = &Value::Null;
    let names =
        yours.was.keys().chain(theirs.was.keys().filter(|name| !yours.was.contains_key(*name)));
    let rows = names.map(|name| {
        let [before, theirs, yours] =
            [&edited.was, &theirs.was, &yours.was].map(|state| state.get(name).unwrap_or(nothing));
        Row {
            name: name.replace('_', " "),
            theirs: readable(theirs),
            yours: readable(yours),
            is_theirs: theirs != before,
            is_yours: yours != theirs,
        }
    });
    rows.filter(|row| row.is_theirs || row.is_yours).collect()
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
