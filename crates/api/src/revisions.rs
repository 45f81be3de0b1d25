//! `/v1/projects/{id}/revisions`: publish the draft, see what was published when and by whom, compare any two states, and make an earlier
//! one live again.

use app::App;
use app::described::{Described, with_rules};
use app::documents::Difference;
use app::drafts::{ExpectedVersion, project_view};
use app::request::{At, Faults, Readable};
use app::revisions::{
    Comparison, MESSAGE_LENGTH_AT_MOST, PublishedRevision, Restoration, Side, compare_documents,
    find_revision_document, find_revision_line, list_revision_lines, publish_draft,
    restore_revision,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Fault, Notice, ProjectId};
use oauth::{Moment, Scope};
use serde_json::{Value, json};
use storage::RevisionLine;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, located};
use crate::conditional::{IfMatch, IfNoneMatch, answer_page_unless_known};
use crate::editing::{Caller, problem, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, get, post};

app::request! {
    /// What the client publishes, and why.
    pub(crate) struct Publication: "publication" {
        /// What the member says about the revision.
        message: Option<Message>,
    }
}

/// What a member says about a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message(String);

impl Described for Message {
    fn schema() -> Value {
        with_rules(String::schema(), &json!({"maxLength": MESSAGE_LENGTH_AT_MOST}))
    }
}

impl Readable for Message {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let text = String::read(at, faults)?;
        let length = text.chars().count();
        if length > MESSAGE_LENGTH_AT_MOST || text.contains('\0') {
            let fault = at.fault("bad_length", format!("the text has {length} characters"));
            let expected = format!("{MESSAGE_LENGTH_AT_MOST} at most, and no NUL");
            faults.push(fault.expected(expected));
            return None;
        }
        Some(Self(text))
    }
}

pub(crate) fn routes() -> Routes {
    let read = |id, summary| Operation::new(id, summary).needs(Scope::ConfigRead, "viewer");
    let publishing = |id, summary| {
        Operation::new(id, summary)
            .needs(Scope::Publish, "publisher")
            .takes_request::<Publication>()
            .answers(200, "published_revision")
            .with_header(200, "Location")
            .answers(201, "published_revision")
            .with_header(201, "Location")
            .may_be(&[409])
    };
    let publish_draft = publishing("publish", "Publish the draft").if_match();
    let restore_revision =
        publishing("restore_revision", "Make an earlier revision live again").if_match_is_heeded();
    Routes::under("Revisions")
        .at(
            "/v1/projects/{id}/revisions",
            [
                get(
                    list,
                    read("list_revisions", "List the revisions")
                        .with_shared("if_none_match_or_not")
                        .answers_pages_of("revision")
                        .answers_not_modified(),
                ),
                post(publish, publish_draft),
            ],
        )
        .at(
            "/v1/projects/{id}/revisions/{number}",
            [get(show, read("get_revision", "Read a revision").answers(200, "revision"))],
        )
        .at(
            "/v1/projects/{id}/revisions/{number}/document",
            [get(
                show_document,
                read("get_revision_document", "Read the document of a revision")
                    .answers(200, "document"),
            )
            .heavy()],
        )
        .at("/v1/projects/{id}/revisions/{number}/restore", [post(restore, restore_revision)])
        .at(
            "/v1/projects/{id}/revisions/{range}/diff",
            [get(
                compare,
                read("compare_revisions", "Compare two states").answers(200, "difference"),
            )
            .heavy()],
        )
}

async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    (paging, if_none_match): (Paging, IfNoneMatch),
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let listed = list_revision_lines(&app, &actor, id, paging.to_page()).await;
    let (revisions, total) = listed.map_err(problem)?;
    let body: Value = revisions.iter().map(line_json).collect();
    let path = format!("/v1/projects/{id}/revisions");
    Ok(answer_page_unless_known(&if_none_match, &app, paging, (&path, total), &body))
}

async fn publish(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::Publish).await?;
    let id = project_id(&app, &actor, &id).await?;
    let if_match = if_match?;
    let message = message(request).await?;
    let is_seen = |draft: &app::drafts::Draft| is_of_state(&if_match, &project_view(draft));
    let published = publish_draft(&app, &actor, id, message, is_seen).await.map_err(problem)?;
    Ok(answer_published(&app, id, &published))
}

async fn show(
    State(app): State<App>,
    Path((id, number)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let (id, number) = (project_id(&app, &actor, &id).await?, revision_number(&number)?);
    let line = find_revision_line(&app, &actor, id, number).await.map_err(problem)?;
    Ok(answer(StatusCode::OK, line_json(&line)))
}

async fn show_document(
    State(app): State<App>,
    Path((id, number)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let (id, number) = (project_id(&app, &actor, &id).await?, revision_number(&number)?);
    let found = find_revision_document(&app, &actor, id, number).await.map_err(problem)?;
    Ok(answer(StatusCode::OK, &found.project))
}

async fn restore(
    State(app): State<App>,
    Path((id, number)): Path<(String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::Publish).await?;
    let (id, number) = (project_id(&app, &actor, &id).await?, revision_number(&number)?);
    let message = message(request).await?;
    let expected = if_match
        .map(|if_match| ExpectedVersion::new(move |project| is_of_state(&if_match, project)));
    let restoration = Restoration { number, message, expected };
    let restored = restore_revision(&app, &actor, id, restoration).await.map_err(problem)?;
    Ok(answer_published(&app, id, &restored))
}

async fn compare(
    State(app): State<App>,
    Path((id, range)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let sides = range.split_once("..").and_then(|(from, to)| Some((side(from)?, side(to)?)));
    let sides = sides.ok_or_else(|| {
        let detail = "compare two states, such as `3..5` or `live..draft`";
        Problem::new(ProblemCode::InvalidRange, detail)
    })?;
    let compared = compare_documents(&app, &actor, id, sides).await.map_err(problem)?;
    let Comparison { patch, differences, visitors, is_cut } = compared;
    let changes: Value = differences.iter().map(difference_json).collect();
    let text: Vec<String> = differences.iter().map(ToString::to_string).collect();
    let body = json!({
        "patch": patch,
        "changes": changes,
        "visitors": notices_json(&visitors),
        "text": text.join("\n"),
        "truncated": is_cut,
    });
    Ok(answer(StatusCode::OK, body))
}

/// The state that a program names.
pub(crate) fn side(text: &str) -> Option<Side> {
    match text {
        "live" => Some(Side::Live),
        "draft" => Some(Side::Draft),
        number => number.parse().ok().map(Side::Revision),
    }
}

/// Whether a client has seen this state of a project: by the tag of its draft, or by that of the project's own representation, which tells the
/// draft's.
fn is_of_state(if_match: &IfMatch, project: &Value) -> bool {
    project["draft"].as_str().is_some_and(|tag| if_match.has(tag)) || if_match.is_met_by(project)
}

fn revision_number(text: &str) -> Result<u32, Problem> {
    text.parse().map_err(|_| Problem::not_found())
}

/// Nothing is a message, too.
async fn message(request: Request) -> Result<String, Problem> {
    let Publication { message } = sent(request).await?;
    Ok(message.map(|Message(text)| text).unwrap_or_default())
}

fn answer_published(app: &App, id: ProjectId, published: &PublishedRevision) -> Response {
    let PublishedRevision { line, is_new, warnings } = published;
    let status = if *is_new { StatusCode::CREATED } else { StatusCode::OK };
    let mut body = line_json(line);
    body["warnings"] = warnings_json(warnings);
    let path = format!("/v1/projects/{id}/revisions/{}", line.number);
    located(answer(status, body), app, &path)
}

fn line_json(line: &RevisionLine) -> Value {
    json!({
        "number": line.number,
        "author": line.author,
        "message": line.message,
        "created_at": Moment::from(line.created_at).machine(),
        "document_hash": line.document_hash,
        "snippet_hash": line.snippet_hash,
        "snippet_bytes": line.brotli_bytes,
        "restored_from": line.restored_from,
    })
}

/// A difference as programs read it.
pub(crate) fn difference_json(difference: &Difference) -> Value {
    let fields = difference.fields.iter().map(
        |field| json!({"pointer": field.pointer, "before": field.before, "after": field.after}),
    );
    json!({
        "change": difference.change,
        "kind": difference.kind,
        "id": difference.id,
        "name": difference.name,
        "fields": fields.collect::<Value>(),
        "text": difference.to_string(),
    })
}

/// What visitors notice, as programs read it.
pub(crate) fn notices_json(notices: &[Notice]) -> Value {
    let notices = notices.iter().map(|notice| {
        json!({
            "effect": notice.effect,
            "kind": notice.kind,
            "id": notice.id,
            "name": notice.name,
            "text": notice.text,
        })
    });
    notices.collect()
}

/// Warnings as programs read them.
pub(crate) fn warnings_json(warnings: &[Fault]) -> Value {
    let warnings = warnings.iter().map(|warning| {
        json!({
            "code": warning.code,
            "pointer": warning.pointer,
            "message": warning.message,
            "hint": warning.hint,
        })
    });
    warnings.collect()
}
