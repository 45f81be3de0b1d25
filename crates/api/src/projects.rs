//! `/v1/projects`: the projects themselves. What is in them has addresses of its own (`resources.rs`), and so has the whole document
//! (`documents.rs`).

use app::App;
use app::deleted_projects::delete_project;
use app::drafts::{ExpectedVersion, discard_draft, project_tag, project_view, readable_draft};
use app::projects::{ProjectFilter, create_project, list_readable_projects};
use app::resources::{Archiving, archive_project, change_project};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::{Moment, Scope, Timestamp};
use serde::Serialize;
use serde_json::json;
use storage::{ProjectSummary, WhichProjects};
use web::Problem;

use crate::address::{FromQuery, Parameters, Path, Query};
use crate::answers::{answer_done, located};
use crate::conditional::{
    IfMatch, IfNoneMatch, answer_page_unless_known, answer_tagged, answer_unless_known,
};
use crate::editing::{Caller, expected, expected_if_told, problem, project_id};
use crate::json_body::{object, sent};
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::resources::{ArchivingRequest, ArchivingWord, Choice, Sorting};
use crate::routes::{Routes, delete, get, patch, post};

const PATH: &str = "/v1/projects";

const PERMANENTLY: &str = "The key of the project, which is archived: it is deleted for good, with its snippet, its revisions and its events. \
    Without this, the project is archived, and can be restored.";

/// The key of a project that is to be deleted for good.
struct Permanently(Option<String>);

impl FromQuery for Permanently {
    fn read(query: &Query) -> Result<Self, Problem> {
        Ok(Self(query.text("permanently").map(str::to_owned)))
    }
}

pub(crate) fn routes() -> Routes {
    Routes::under("Projects")
        .at(
            PATH,
            [
                get(
                    list,
                    Operation::new("list_projects", "List the projects that the member may read")
                        .needs(Scope::ConfigRead, "viewer")
                        .query("archived", &Choice::schema(), Choice::DESCRIPTION)
                        .query("q", &json!({"type": "string"}), "Those with each of these words in their name or key, or with the text as their id.")
                        .query("key", &json!({"type": "string"}), "The one with this key.")
                        .query("sort", &Sorting::schema(), Sorting::DESCRIPTION)
                        .with_shared("if_none_match_or_not")
                        .answers_pages_of("project_line")
                        .answers_not_modified(),
                ),
                post(
                    create,
                    Operation::new("create_project", "Create a project")
                        .needs(Scope::ConfigWrite, "owner of the server")
                        .takes("project_patch")
                        .answers_tagged(201, "project_resource")
                        .with_header(201, "Location")
                        .may_be(&[409]),
                ),
            ],
        )
        .at(
            "/v1/projects/{id}",
            [
                get(
                    show,
                    Operation::new("get_project", "Read a project, without its resources")
                        .needs(Scope::ConfigRead, "viewer")
                        .with_shared("if_none_match_or_not")
                        .answers_tagged(200, "project_resource")
                        .answers_not_modified(),
                ),
                patch(
                    change,
                    Operation::new("change_project", "Change a project by a merge patch")
                        .needs(Scope::ConfigWrite, "editor")
                        .if_match()
                        .takes("project_patch")
                        .answers_tagged(200, "project_resource")
                        .may_be(&[409]),
                ),
                delete(archive_or_delete, describe_deletion()),
            ],
        )
        .at("/v1/projects/{id}/draft", [delete(discard, describe_discarding())])
        .at(
            "/v1/projects/{id}/actions",
            [post(
                act,
                Operation::new("act_on_project", "Archive a project, or restore it")
                    .needs(Scope::ConfigWrite, "editor")
                    .if_match_is_heeded()
                    .takes("project_action")
                    .answers_tagged(200, "project_resource")
                    .may_be(&[409]),
            )],
        )
}

fn describe_deletion() -> Operation {
    Operation::new("archive_project", "Archive a project, or delete an archived one for good")
        .needs(Scope::ConfigWrite, "editor; to delete, owner of the server")
        .query("permanently", &json!({"type": "string"}), PERMANENTLY)
        .if_match_is_heeded()
        .answers_nothing()
        .may_be(&[409, 422])
}

fn describe_discarding() -> Operation {
    Operation::new("discard_draft", "Discard the changes that are not published")
        .needs(Scope::ConfigWrite, "editor")
        .if_match_is_heeded()
        .answers_nothing()
        .may_be(&[409, 422])
}

/// One project, as the list shows it.
#[derive(Serialize)]
struct Line<'a> {
    id: String,
    key: &'a str,
    name: Option<&'a str>,
    archived: bool,
    /// The number of the live revision.
    revision: Option<u32>,
    managed_by: &'static str,
    created_at: Option<String>,
    updated_at: Option<String>,
    updated_by: Option<&'a str>,
    etag: String,
}

/// What the query of the list asks for.
struct WhichListed(ProjectFilter);

impl FromQuery for WhichListed {
    fn read(query: &Query) -> Result<Self, Problem> {
        let which = match Option::<Choice>::read(query)? {
            None | Some(Choice::False) => WhichProjects::Current,
            Some(Choice::True) => WhichProjects::Archived,
            Some(Choice::Any) => WhichProjects::Any,
        };
        let text = |name| query.text(name).map(str::to_owned);
        let order = Sorting::read(query)?.0;
        Ok(Self(ProjectFilter { which, text: text("q"), key: text("key"), order }))
    }
}

async fn list(
    State(app): State<App>,
    caller: Caller,
    (paging, if_none_match): (Paging, IfNoneMatch),
    Parameters(WhichListed(filter)): Parameters<WhichListed>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let listed = list_readable_projects(&app, &actor, &filter, paging.to_page()).await;
    let (projects, total) = listed?;
    let body: Vec<Line<'_>> = projects.iter().map(Line::from).collect();
    Ok(answer_page_unless_known(&if_none_match, &app, paging, (PATH, total), &body))
}

async fn create(
    State(app): State<App>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let sent = object(request).await?;
    let draft = create_project(&app, &actor, sent).await.map_err(problem)?;
    let created = answer_tagged(StatusCode::CREATED, project_view(&draft));
    Ok(located(created, &app, &format!("{PATH}/{}", draft.project.id)))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_none_match: IfNoneMatch,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let draft = readable_draft(&app, &actor, project_id(&app, &actor, &id).await?)
        .await
        .map_err(problem)?;
    Ok(answer_unless_known(&if_none_match, project_view(&draft)))
}

/// What was changed and not published is taken back.
async fn discard(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Option<IfMatch>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let expected = ExpectedVersion::new(move |tag| {
        if_match.as_ref().is_none_or(|if_match| if_match.has(tag.as_str().unwrap_or_default()))
    });
    discard_draft(&app, &actor, id, expected).await.map_err(problem)?;
    Ok(answer_done())
}

async fn change(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let expected = expected(if_match?);
    let patch = object(request).await?;
    let changed =
        change_project(&app, &actor, project_id(&app, &actor, &id).await?, patch, expected).await;
    Ok(answer_tagged(StatusCode::OK, changed.map_err(problem)?))
}

async fn archive_or_delete(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Option<IfMatch>,
    Parameters(Permanently(key)): Parameters<Permanently>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let (id, expected) = (project_id(&app, &actor, &id).await?, expected_if_told(if_match));
    if let Some(key) = key {
        delete_project(&app, &actor, id, (&key, expected)).await.map_err(problem)?;
    } else {
        archive_project(&app, &actor, id, Archiving::Archive, expected).await.map_err(problem)?;
    }
    Ok(answer_done())
}

async fn act(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let (id, expected) = (project_id(&app, &actor, &id).await?, expected_if_told(if_match));
    let ArchivingRequest { action: ArchivingWord(archiving) } = sent(request).await?;
    let done = archive_project(&app, &actor, id, archiving, expected).await;
    Ok(answer_tagged(StatusCode::OK, done.map_err(problem)?))
}

impl<'a> From<&'a ProjectSummary> for Line<'a> {
    fn from(project: &'a ProjectSummary) -> Self {
        let stamp = project.stamp.as_ref();
        let moment = |at: Timestamp| Moment::from(at).machine();
        Self {
            id: project.id.to_string(),
            key: &project.key,
            name: project.name.as_deref(),
            archived: project.is_archived,
            revision: project.head.live_revision,
            managed_by: project.head.managed_by.as_str(),
            created_at: stamp.and_then(|stamp| stamp.created_at).map(moment),
            updated_at: stamp.map(|stamp| moment(stamp.updated_at)),
            updated_by: stamp.map(|stamp| &*stamp.updated_by),
            etag: project_tag(project.id, project.head, stamp),
        }
    }
}
