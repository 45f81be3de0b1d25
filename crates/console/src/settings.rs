//! `/projects/{id}/settings`: what a project says about itself, and how its snippet behaves. The form is that of the editors, over
//! `PATCH /v1/projects/{id}`.

mod fields;

use app::App;
use app::drafts::{ChangedMeanwhile, EditError, ExpectedVersion, project_view};
use app::resources::change_project;
use app::roles::{Actor, Permission};
use axum::Router;
use axum::extract::{DefaultBodyLimit, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use domain::{Fault, Origin, ProjectId};
use serde_json::{Map, Value};
use web::{FormTargets, Session};

use crate::address::Path;
use crate::assets::form_scripts;
use crate::caller::{FormCaller, PageCaller};
use crate::collected_events;
use crate::edit::conflict::Versions;
use crate::edit::context::EditContext;
use crate::edit::edited::{Edited, TOLD};
use crate::edit::form::Form;
use crate::edit::merge_patch::merge_patch;
use crate::edit::overlay::overlay;
use crate::edit::show::EditPage;
use crate::edit::three_way::merged_fields;
use crate::edit::{FORM_BYTES_AT_MOST, MESSAGES, refused, show_form};
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::page::page_with;
use crate::project_frame::{ProjectFrame, Tab, may};
use crate::refusal::Refusal;
use crate::warnings::ShownWarning;

/// What a project's representation says about its draft: that changes with every edit of a resource.
const OF_DRAFT: [&str; 3] = ["revision", "managed_by", "draft"];

const TITLE: &str = "Settings";

/// Who looks at the page, and where.
struct At<'a> {
    app: &'a App,
    session: &'a Session,
    actor: &'a Actor,
    context: EditContext,
}

/// What the page says about the form.
#[derive(Default)]
struct Feedback<'a> {
    sent: Option<&'a Fields>,
    faults: &'a [Fault],
    query: Option<&'a str>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/settings", get(show))
        .route("/projects/{id}/settings/save", get(show_form).post(submit))
        .layer(DefaultBodyLimit::max(FORM_BYTES_AT_MOST))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let context = EditContext::open(&app, &session, &actor, id).await?;
    let edited = stored(&project_view(&context.draft));
    let at = At { app: &app, session: &session, actor: &actor, context };
    let feedback = Feedback { query: query.as_deref(), ..Feedback::default() };
    at.answer(StatusCode::OK, &edited, feedback).await
}

async fn submit(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let context = EditContext::open(&app, &session, &actor, id).await?;
    let edited = sent(&fields).ok_or(Refusal::UnreadableForm)?;
    let at = At { app: &app, session: &session, actor: &actor, context };
    // After a conflict, a member may look at the form before saving it.
    if fields.get("act") == "show" {
        let feedback = Feedback { sent: Some(&fields), ..Feedback::default() };
        return at.answer(StatusCode::OK, &edited, feedback).await;
    }
    at.save(&edited, &fields).await
}

/// The settings as they are stored.
fn stored(view: &Value) -> Edited {
    let was = settings_of(view);
    Edited { now: Value::Object(was.clone()), was, etag: String::new() }
}

/// The settings of a form that was sent; `None` if no form of ours is so.
fn sent(form: &Fields) -> Option<Edited> {
    let was: Map<String, Value> = serde_json::from_str(form.get("was")).ok()?;
    let now: Map<String, Value> = serde_json::from_str(form.get("now")).ok()?;
    let mut now = Value::Object(now);
    overlay(&mut now, fields::SHAPES, form.iter());
    let origins = now.get_mut("origins").and_then(Value::as_array_mut);
    origins.into_iter().flatten().for_each(trim_origin);
    Some(Edited { was, now, etag: String::new() })
}

/// An address that was copied from the browser's bar is an origin with a slash.
fn trim_origin(origin: &mut Value) {
    let trimmed = origin.as_str().and_then(|text| text.strip_suffix('/'));
    if let Some(trimmed) = trimmed.filter(|text| text.parse::<Origin>().is_ok()) {
        *origin = Value::from(trimmed);
    }
}

/// What of a project's representation members set.
fn settings_of(view: &Value) -> Map<String, Value> {
    let mut settings = view.as_object().cloned().unwrap_or_default();
    for field in TOLD.iter().chain(&OF_DRAFT) {
        settings.shift_remove(*field);
    }
    settings
}

impl At<'_> {
    async fn save(&self, edited: &Edited, form: &Fields) -> Result<Response, Refusal> {
        let path = path(self.context.id);
        let wanted = edited.now.as_object().cloned().unwrap_or_default();
        let changes = merge_patch(&edited.was, &wanted);
        if changes.is_empty() {
            return Ok(Redirect::to(&format!("{path}?done=unchanged")).into_response());
        }
        // The entity tag of a project changes with its resources; another member's campaign is no conflict here.
        let was = edited.was.clone();
        let expected = ExpectedVersion::new(move |current| settings_of(current) == was);
        match change_project(self.app, self.actor, self.context.id, changes, expected).await {
            Ok(_) => Ok(Redirect::to(&format!("{path}?done=saved")).into_response()),
            Err(EditError::Changed(both)) => self.show_both((edited, &wanted), &both).await,
            Err(error) => {
                let (status, faults) = refused(error)?;
                let feedback = Feedback { sent: Some(form), faults: &faults, query: None };
                self.answer(status, edited, feedback).await
            }
        }
    }

    async fn show_both(
        &self,
        (edited, wanted): (&Edited, &Map<String, Value>),
        both: &ChangedMeanwhile,
    ) -> Result<Response, Refusal> {
        let theirs = stored(&both.current);
        let yours = Value::Object(merged_fields(&edited.was, &theirs.was, wanted));
        let versions = Versions {
            above: above(self.context.id),
            title: TITLE.to_owned(),
            path: &path(self.context.id),
            by: both.current["updated_by"].as_str(),
            edited,
            theirs,
            yours: stored(&yours),
        };
        Ok(versions.show(self.session, self.frame().await?))
    }

    async fn answer(
        &self,
        status: StatusCode,
        edited: &Edited,
        feedback: Feedback<'_>,
    ) -> Result<Response, Refusal> {
        let path = path(self.context.id);
        let found = (feedback.faults, None);
        let form = Form::new(&edited.now, fields::SHAPES, (feedback.sent, None), found)
            .only_reads(self.context.only_reads);
        let project = self.frame().await?;
        let may_delete_events =
            may(self.app, self.actor, self.context.id, Permission::ForgetVisitors).await?;
        let collected_events = may_delete_events.then(|| collected_events::path(self.context.id));
        let content = fields::content(&form, &project, collected_events);
        let is_saved = matches!(feedback.query, Some("done=saved" | "done=unchanged"));
        let template = EditPage {
            frame: Frame::new(self.session, NavigationTab::Projects)
                .with_message_of(self.context.id, MESSAGES.named(feedback.query)),
            project,
            above: above(self.context.id),
            title: TITLE.to_owned(),
            path: &path,
            was: Value::Object(edited.was.clone()).to_string(),
            now: edited.now.to_string(),
            etag: &edited.etag,
            is_new: false,
            is_archived: false,
            only_reads: self.context.only_reads,
            copy_path: None,
            content,
            summary: form.summary(),
            warnings: self.warnings(),
            users: Vec::new(),
            member: self.session.member.id.to_string(),
            is_typed: feedback.sent.is_some(),
            saved: is_saved.then(|| path.clone()),
        };
        Ok(page_with(status, &template, FormTargets::OwnPages, form_scripts(self.app)))
    }

    /// The warnings about the project as a whole.
    fn warnings(&self) -> Vec<ShownWarning> {
        let mut warnings = self.context.draft.warnings_of_resources();
        warnings.retain(|warning| warning.resource.is_none());
        ShownWarning::all(&self.context.draft.project, &warnings)
    }

    async fn frame(&self) -> Result<ProjectFrame, Refusal> {
        ProjectFrame::of(self.app, self.actor, self.context.id, Tab::Settings).await
    }
}

fn path(id: ProjectId) -> String {
    format!("/projects/{id}/settings")
}

fn above(id: ProjectId) -> (String, String) {
    (format!("/projects/{id}"), String::new())
}
