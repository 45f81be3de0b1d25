//! The page of a form: a resource as it is stored, as a member is editing it, or as it was refused.

use app::App;
use app::drafts::DraftWarning;
use app::resources::{User, find_resource};
use askama::Template;
use axum::Extension;
use axum::extract::{OriginalUri, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Fault, ProjectId};
use serde_json::Value;
use web::FormTargets;

use crate::address::Path;
use crate::assets::form_scripts;
use crate::caller::PageCaller;
use crate::edit::context::{At, EditContext};
use crate::edit::edited::Edited;
use crate::edit::focus::with_focus;
use crate::edit::form::{Form, SummaryLine};
use crate::edit::trial::Trial;
use crate::edit::{Editor, MESSAGES};
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::page::page_with;
use crate::project_frame::ProjectFrame;
use crate::refusal::Refusal;
use crate::warnings::ShownWarning;

/// The page with a form.
#[derive(Template)]
#[template(path = "edit/page.html")]
pub(crate) struct EditPage<'a> {
    pub(crate) frame: Frame,
    pub(crate) project: ProjectFrame,
    pub(crate) above: (String, String),
    pub(crate) title: String,
    /// The page's own address.
    pub(crate) path: &'a str,
    pub(crate) was: String,
    pub(crate) now: String,
    pub(crate) etag: &'a str,
    pub(crate) is_new: bool,
    pub(crate) is_archived: bool,
    pub(crate) only_reads: Option<&'static str>,
    /// The address of a new resource that is like this one, unless this one is new or has a page of its own, which copies it.
    pub(crate) copy_path: Option<String>,
    pub(crate) content: String,
    pub(crate) summary: Vec<SummaryLine>,
    /// Warnings because of the resource as it is stored.
    pub(crate) warnings: Vec<ShownWarning>,
    /// What uses the resource, and so kept it from being archived.
    pub(crate) users: Vec<ShownUser>,
    /// Whose unsaved work the browser keeps.
    pub(crate) member: String,
    /// Whether the form shows what the member typed, and not what is stored.
    pub(crate) is_typed: bool,
    /// The address of the form that was just saved, if one was.
    pub(crate) saved: Option<String>,
}

/// What uses a resource, with its page.
pub(crate) struct ShownUser {
    pub(crate) word: &'static str,
    pub(crate) title: String,
    pub(crate) path: String,
}

/// What the page says about the form.
#[derive(Default)]
pub(super) struct Feedback<'a> {
    pub(super) sent: Option<&'a Fields>,
    pub(super) faults: &'a [Fault],
    /// What kept it from being archived.
    pub(super) users: &'a [User],
    /// What came of trying its conditions.
    pub(super) trial: Option<&'a Trial>,
    /// The element where the member goes on.
    pub(super) focus: Option<&'a str>,
    /// The act of the button that was pressed.
    pub(super) pressed: Option<&'a str>,
    /// The query of the page's address, which may name a message.
    pub(super) query: Option<&'a str>,
}

/// `GET /projects/{id}/{collection}/{name}`
pub(super) async fn show(
    State(app): State<App>,
    Extension(editor): Extension<&'static Editor>,
    Path((id, name)): Path<(ProjectId, String)>,
    (RawQuery(query), OriginalUri(uri)): (RawQuery, OriginalUri),
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let context = EditContext::open(&app, &session, &actor, id).await?;
    let resource = find_resource(&app, &actor, context.id, editor.kind, &name).await?;
    let edited = Edited::stored(editor, &resource);
    let (session, actor, context) = (&session, &actor, &context);
    let at = At { app: &app, editor, session, actor, context, path: uri.path() };
    let feedback = Feedback { query: query.as_deref(), ..Feedback::default() };
    answer(&at, StatusCode::OK, &edited, feedback).await
}

/// `GET /projects/{id}/{collection}/new`, perhaps with fields filled in (`?/name=Hero`), or as a copy of a resource (`?copy=2001`).
pub(super) async fn show_new(
    State(app): State<App>,
    Extension(editor): Extension<&'static Editor>,
    Path(id): Path<ProjectId>,
    (RawQuery(query), OriginalUri(uri)): (RawQuery, OriginalUri),
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let context = EditContext::open(&app, &session, &actor, id).await?;
    let query = Fields::read(query.unwrap_or_default().as_bytes());
    let query = query.ok_or(Refusal::UnreadableForm)?;
    let edited = match query.get("copy") {
        "" => Edited::blank(editor, &query),
        name => {
            let original = find_resource(&app, &actor, context.id, editor.kind, name).await?;
            let others = context.draft.document.list(editor.kind.collection());
            Edited::copied(editor, &original, others.iter().map(|other| &**other))
        }
    };
    let (session, actor, context) = (&session, &actor, &context);
    let at = At { app: &app, editor, session, actor, context, path: uri.path() };
    answer(&at, StatusCode::OK, &edited, Feedback::default()).await
}

/// The page with a form.
pub(super) async fn answer(
    at: &At<'_>,
    status: StatusCode,
    edited: &Edited,
    feedback: Feedback<'_>,
) -> Result<Response, Refusal> {
    let At { editor, context, .. } = at;
    let project = context.frame(at.app, at.actor, editor).await?;
    let is_new = edited.was.is_empty();
    let is_copied_here = !is_new && editor.form_path.is_empty();
    let found = (feedback.faults, feedback.focus);
    let form = Form::new(&edited.now, editor.shapes, (feedback.sent, feedback.trial), found)
        .only_reads(context.only_reads);
    let content = (editor.content)(&form, &context.draft);
    let content = match feedback.pressed.filter(|_| !form.has_focus()) {
        Some(act) => with_focus(content, act),
        None => content,
    };
    let message = MESSAGES.named(feedback.query);
    let users = feedback.users.iter().map(|user| ShownUser {
        word: user.kind.word(),
        title: user.title.clone(),
        path: format!("/projects/{}/{}/{}", context.id, user.kind.collection(), user.id),
    });
    let id = edited.was.get("id").and_then(Value::as_str).unwrap_or_default();
    let template = EditPage {
        frame: Frame::new(at.session, NavigationTab::Projects).with_message_of(context.id, message),
        project,
        above: (editor.above)(context.id, &edited.now),
        title: title(editor, edited),
        path: at.path,
        was: Value::Object(edited.was.clone()).to_string(),
        now: edited.now.to_string(),
        etag: &edited.etag,
        is_new,
        is_archived: edited.was.get("archived") == Some(&Value::Bool(true)),
        only_reads: context.only_reads,
        copy_path: is_copied_here.then(|| format!("{}?copy={id}", editor.path(context.id, "new"))),
        content,
        summary: form.summary(),
        warnings: warnings(at, edited),
        users: users.collect(),
        member: at.session.member.id.to_string(),
        is_typed: feedback.sent.is_some(),
        saved: saved(at, feedback.query),
    };
    Ok(page_with(status, &template, FormTargets::OwnPages, form_scripts(at.app)))
}

/// The warnings about the stored resource; those of a campaign are on its own page.
fn warnings(At { editor, context, .. }: &At<'_>, edited: &Edited) -> Vec<ShownWarning> {
    let Some(own) = edited.was.get("id") else { return Vec::new() };
    let is_about_it = |warning: &DraftWarning| match &warning.resource {
        Some((kind, resource)) => *kind == editor.kind && resource["id"] == *own,
        None => false,
    };
    if !editor.form_path.is_empty() {
        return Vec::new();
    }
    let mut warnings = context.draft.warnings_of_resources();
    warnings.retain(is_about_it);
    ShownWarning::all(&context.draft.project, &warnings)
}

/// The form that led to the page, by what the page's address says was done.
fn saved(at: &At<'_>, query: Option<&str>) -> Option<String> {
    match query {
        Some("done=saved" | "done=unchanged") => Some(at.path.to_owned()),
        Some("done=added") => Some(at.editor.path(at.context.id, "new")),
        _ => None,
    }
}

pub(super) fn title(editor: &Editor, edited: &Edited) -> String {
    edited.title().map_or_else(|| format!("New {}", editor.kind.word()), str::to_owned)
}
