//! The time of some campaigns has come: they start or stop, and that is live at once. Any process may do it; the store lets one.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{Project, ProjectId};
use oauth::Lifetime;
use storage::{
    ActorKind, AuditEvent, NewAuditEntry, Precondition, ProjectChange, ScheduledMoment,
    StorageError,
};

use crate::App;
use crate::documents::{CheckedProject, Live, apply};
use crate::drafts::{Draft, open_draft};
use crate::projects::PublishError;
use crate::publishing::{DraftAfter, PublishRequest, publish, read_live};
use crate::roles::Author;

/// What comes later is not done any more: the day that it was meant for is over, and somebody has to decide.
const LATE_AT_MOST: Lifetime = Lifetime::from_seconds(24 * 60 * 60);

/// Who publishes, as the revision's author.
const AUTHOR: &str = "schedule";

/// What has become of the moments whose time had come.
#[derive(Debug, Default)]
pub struct Ran {
    /// What was done.
    pub done: Vec<ScheduledMoment>,
    /// What came too late, or had nothing to start or stop.
    pub missed: Vec<ScheduledMoment>,
    /// The projects in which something could not be done, and why. It is tried again.
    pub failed: Vec<(ProjectId, PublishError)>,
}

/// What is due next, or should have been done; `None` if nothing is.
///
/// # Errors
/// If the store does not answer.
pub async fn next_moment(app: &App) -> Result<Option<ScheduledMoment>, StorageError> {
    app.store().next_moment().await
}

/// Does everything whose time has come, and that no other process has done.
///
/// # Errors
/// If the store does not answer.
pub async fn run_due(app: &App) -> Result<Ran, StorageError> {
    let now = app.now();
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
    let author = Author { at: app.now(), by: AUTHOR.to_owned() };
    let (precondition, entry) = (Precondition::of(draft.head), entry(app, id, message.clone()));
    let request = PublishRequest::new(Arc::new(project), precondition, AUTHOR.to_owned(), entry);
    let request = PublishRequest {
        message,
        settled: done.clone(),
        draft: changed_draft(&draft, &done, author),
        managed_by: draft.head.managed_by,
        ..request
    };
    // If another process was faster, or a member, what is left to do is found again.
    if publish::<PublishError>(app, request).await?.is_some() {
        ran.done.extend(done);
    }
    Ok(())
}

/// The draft changes in the same way, where the campaign is in the same state there.
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

/// Says of the revision what it is about: `start hero, stop summer`.
fn message(project: &Project, done: &[ScheduledMoment]) -> String {
    let words = done.iter().filter_map(|moment| {
        let campaign = project.campaign(moment.campaign)?;
        Some(format!("{} {}", moment.action.as_str(), campaign.key))
    });
    words.collect::<Vec<_>>().join(", ")
}
