//! `GET /projects/{id}/history/compare?from=3&to=draft`: what differs between any two states of a project, in words.

use app::App;
use app::Work;
use app::drafts::{ReadError, readable_draft};
use app::revisions::{Side, compare_documents, find_revision_document, list_revision_lines};
use app::roles::Actor;
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use oauth::Moment;
use storage::{ListRange, RevisionLine};
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::changes::Changes;
use crate::edit::field::Choice;
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::history::path;
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

/// Revisions to choose from, the latest; of earlier ones, the page of each leads here.
const CHOICES_AT_MOST: u32 = 100;

/// Characters of a message that a choice shows.
const MESSAGE_CHARACTERS: usize = 40;

#[derive(Template)]
#[template(path = "history/compare.html")]
struct ComparePage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    from: Vec<Choice>,
    to: Vec<Choice>,
    /// Both states in words.
    words: [String; 2],
    /// Why nothing is compared, if so.
    problem: Option<&'static str>,
    changes: Option<Changes>,
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let query = Fields::read(query.unwrap_or_default().as_bytes());
    let query = query.ok_or(Refusal::UnreadableForm)?;
    let sides = [("from", "live"), ("to", "draft")].map(|(name, usual)| {
        let named = query.get(name).trim();
        if named.is_empty() { usual.to_owned() } else { named.to_owned() }
    });
    let (status, problem, changes) = match changes(&app, &actor, id, &sides).await {
        Ok(changes) => (StatusCode::OK, None, Some(changes)),
        Err(Refusal::NoSuchPage) => {
            // The same is said of a project that does not exist.
            readable_draft(&app, &actor, id).await?;
            (StatusCode::NOT_FOUND, Some("The project has no such state. Choose two."), None)
        }
        Err(refusal) => return Err(refusal),
    };
    let wanted = ListRange { page: 1, per_page: CHOICES_AT_MOST };
    let (lines, _) = list_revision_lines(&app, &actor, id, wanted).await?;
    let choices = |side: &str| Choice::chosen(choices(&lines), [side].into());
    let template = ComparePage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project: ProjectFrame::of(&app, &actor, id, Tab::History).await?,
        path: path(id),
        from: choices(&sides[0]),
        to: choices(&sides[1]),
        words: sides.map(|side| words(&side)),
        problem,
        changes,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}

fn choices(lines: &[RevisionLine]) -> Vec<Choice> {
    let named = [("draft", "The draft"), ("live", "What is live")];
    let named = named.map(|(value, words)| Choice::new(value, words));
    let revisions = lines.iter().map(|line| {
        let (number, at) = (line.number, Moment::from(line.created_at).words());
        let message: String = line.message.chars().take(MESSAGE_CHARACTERS).collect();
        let message = if message.is_empty() { message } else { format!(": {message}") };
        Choice::new(number.to_string(), format!("Revision {number}, {at}{message}"))
    });
    named.into_iter().chain(revisions).collect()
}

fn words(side: &str) -> String {
    match side {
        "live" => "what is live".to_owned(),
        "draft" => "the draft".to_owned(),
        number => format!("revision {number}"),
    }
}

async fn changes(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    named: &[String; 2],
) -> Result<Changes, Refusal> {
    let [from, to] = [side(&named[0])?, side(&named[1])?];
    let _turn = app.turn(Work::Document).await.map_err(|_| Refusal::Busy)?;
    let comparison = compare_documents(app, actor, id, (from, to)).await?;
    // Names come from both states: one may have what the other lacks.
    let draft = readable_draft(app, actor, id).await?;
    let mut revisions = Vec::new();
    for side in [from, to] {
        let number = match side {
            Side::Draft => None,
            Side::Live => draft.head.live_revision,
            Side::Revision(number) => Some(number),
        };
        if let Some(number) = number {
            revisions.push(find_revision_document(app, actor, id, number).await?);
        }
    }
    let mut documents = vec![&*draft.document];
    documents.extend(revisions.iter().map(|revision| revision.document()));
    Ok(Changes::of(id, &comparison, &documents))
}

fn side(named: &str) -> Result<Side, ReadError> {
    match named {
        "live" => Ok(Side::Live),
        "draft" => Ok(Side::Draft),
        number => number.parse().map(Side::Revision).map_err(|_| ReadError::NotFound),
    }
}
