//! Starts and stops campaigns whose moment has come; the changes go live at once. Any process may do it; the store accepts only one.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{Project, ProjectId};
use oauth::Lifetime;
use storage::{
    ActorKind, AuditEvent, NewAuditEntry, Precondition, ProjectChange, ScheduledMoment,
    StorageError,
};

use crate::App;
use crate::authors;
use crate::documents::{CheckedProject, Live, apply};
use crate::drafts::{Draft, open_draft};
use crate::projects::PublishError;
use crate::publishing::{DraftAfter, PublishRequest, publish, read_live};
use crate::roles::Author;

/// A later moment is not carried out: its day is over, and a member must decide.
const LATE_AT_MOST: Lifetime = Lifetime::from_seconds(24 * 60 * 60);

/// What happened to the due moments.
#[derive(Debug, Default)]
pub struct Ran {
    /// Moments carried out.
    pub done: Vec<ScheduledMoment>,
    /// Moments too late, or with nothing to start or stop.
    pub missed: Vec<ScheduledMoment>,
    /// Projects in which a moment failed, and why. A later run tries again.
    pub failed: Vec<(ProjectId, PublishError)>,
}

/// The next moment, or one overdue; `None` if there is none.
///
/// # Errors
/// If the store does not answer.
pub async fn next_moment(app: &App) -> Result<Option<ScheduledMoment>, StorageError> {
    app.store().next_moment().await
}

/// Carries out every due moment that no other process has.
///
/// # Errors
/// If the store does not answer.
pub async fn run_due(app: &App) -> Result<Ran, StorageError> {
    let now = app.wall_time();
    let due = app.store().due_moments(now).await?;
    let (late, due): (Vec<ScheduledMoment>, Vec<ScheduledMoment>) =
        due.into_iter().partition(|moment| moment.due_at + LATE_AT_MOST < now);
    let mut ran = Ran { missed: miss(app, late).await?, ..Ran::default() };
    let mut projects: BTreeMap<ProjectId, Vec<ScheduledMoment>> = BTreeMap::new();
    for moment in due {
        projects.entry(moment.project).or_default().push(moment);
    }
    for (project, moments) in projects {
        if let Err(error) = run_project(app, project, moments, &mut ran).await {
            ran.failed.push((project, error));
        }
    }
    Ok(ran)
}

async fn run_project(
    app: &App,
    id: ProjectId,
    moments: Vec<ScheduledMoment>,
    ran: &mut Ran,
) -> Result<(), PublishError> {
    let Some(draft) = open_draft(app, id).await? else { return Ok(()) };
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(()) };
    let mut project = (*live.project).clone();
    let (done, pointless): (Vec<ScheduledMoment>, Vec<ScheduledMoment>) =
        moments.into_iter().partition(|moment| apply(&mut project, moment));
    ran.missed.extend(miss(app, pointless).await?);
    if done.is_empty() {
        return Ok(());
    }
    let message = message(&project, &done);
    let author = Author { at: app.now(), by: authors::SCHEDULE.to_owned() };
    let (precondition, entry) = (Precondition::of(draft.head), entry(app, id, message.clone()));
    let request =
        PublishRequest::new(Arc::new(project), precondition, authors::SCHEDULE.to_owned(), entry);
    let request = PublishRequest {
        message,
        settled: done.clone(),
        draft: changed_draft(&draft, &done, author),
        managed_by: draft.head.managed_by,
        ..request
    };
    // If another process or a member was faster, the next run finds what is left.
    if publish::<PublishError>(app, request).await?.is_some() {
        ran.done.extend(done);
    }
    Ok(())
}

/// Applies the same changes to the draft, where its campaign has the same state.
fn changed_draft(draft: &Draft, done: &[ScheduledMoment], author: Author) -> DraftAfter {
    let mut project = (*draft.project).clone();
    let changes = done.iter().filter(|moment| apply(&mut project, moment)).count();
    if changes == 0 {
        return DraftAfter::Kept;
    }
    let next = CheckedProject { project, warnings: Vec::new() };
    DraftAfter::Replaced(draft.next(next, (Live::Follows, author)).to_store())
}

fn entry(app: &App, id: ProjectId, detail: String) -> NewAuditEntry {
    NewAuditEntry {
        event: AuditEvent::RevisionPublished,
        act: app.act(ActorKind::Schedule, None),
        member: None,
        client_id: None,
        detail,
        project: Some(ProjectChange {
            id,
            entity: String::new(),
            change: String::new(),
            request_id: String::new(),
        }),
    }
}

async fn miss(
    app: &App,
    moments: Vec<ScheduledMoment>,
) -> Result<Vec<ScheduledMoment>, StorageError> {
    if moments.is_empty() {
        return Ok(moments);
    }
    app.store().miss_moments(moments, app.now()).await
}

/// The message of the revision: `start hero, stop summer`.
fn message(project: &Project, done: &[ScheduledMoment]) -> String {
    let words = done.iter().filter_map(|moment| {
        let campaign = project.campaign(moment.campaign)?;
        Some(format!("{} {}", moment.action.as_str(), campaign.key))
    });
    words.collect::<Vec<_>>().join(", ")
}
