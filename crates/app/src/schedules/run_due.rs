//! Starts and stops campaigns whose moment has come; the changes go live at once. Any process may do it; the store accepts only one.
//!
//! A clock that is ahead for a moment makes every moment look overdue. So what is more than a minute late waits until the clock has been steady.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use domain::{Project, ProjectId};
use oauth::{Lifetime, Moment, Timestamp};
use serde_json::json;
use storage::{
    ActorKind, Announcement, AuditEvent, CLOCK_STEADY_FOR, MomentOutcome, NewAuditEntry,
    Precondition, ProjectChange, ScheduledAction, ScheduledMoment, StorageError,
};

use crate::App;
use crate::authors;
use crate::documents::{
    CheckedProject, Live, STARTS_LATE_AT_MOST, WebhookEvent, announced_project, announced_title,
    apply,
};
use crate::drafts::{Draft, open_draft};
use crate::projects::PublishError;
use crate::publishing::{
    DraftAfter, LiveProject, PublishRequest, announcer, live_project, publish, read_live,
};
use crate::roles::Author;

/// What is done within this time is done on time.
const ON_TIME: Lifetime = Lifetime::from_seconds(60);

/// The clock has to be steady for so long before a late moment is carried out. Machines that start with a wrong clock are told the time by then.
const STEADY_BEFORE_LATE: Duration = Duration::from_mins(1);

/// What happened to the due moments.
#[derive(Debug, Default)]
pub struct Ran {
    /// Moments carried out, and how late that was.
    pub done: Vec<(ScheduledMoment, Option<Lifetime>)>,
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

/// The wall time, and for how long its clock has been steady.
#[derive(Debug, Clone, Copy)]
pub struct SteadyTime {
    /// What the clock shows.
    pub now: Timestamp,
    /// For how long it has been steady.
    pub steady_for: Duration,
}

/// What is done with a moment that is due.
#[derive(Debug, PartialEq, Eq)]
enum Due {
    CarriedOut,
    Missed,
    /// The clock may be wrong.
    Waits,
}

impl SteadyTime {
    /// How late it is for this moment; `None` if it is on time.
    fn late_by(self, moment: &ScheduledMoment) -> Option<Lifetime> {
        Some(self.now.since(moment.due_at)).filter(|late_by| *late_by > ON_TIME)
    }

    fn judge(self, moment: &ScheduledMoment) -> Due {
        let Some(late_by) = self.late_by(moment) else { return Due::CarriedOut };
        let (then, steady_for) = match moment.action {
            ScheduledAction::Start if late_by > STARTS_LATE_AT_MOST => {
                (Due::Missed, CLOCK_STEADY_FOR)
            }
            ScheduledAction::Start | ScheduledAction::Stop => (Due::CarriedOut, STEADY_BEFORE_LATE),
        };
        if self.steady_for < steady_for { Due::Waits } else { then }
    }
}

/// Carries out every due moment that no other process has.
///
/// # Errors
/// If the store does not answer.
pub async fn run_due(app: &App, time: SteadyTime) -> Result<Ran, StorageError> {
    let (mut late, mut projects) = (Vec::new(), BTreeMap::<ProjectId, Vec<ScheduledMoment>>::new());
    // A campaign's stop on time must not come before its start that still waits: the start would then run it for ever.
    let mut waiting = HashSet::new();
    for moment in app.store().due_moments(time.now).await? {
        let campaign = (moment.project, moment.campaign);
        if waiting.contains(&campaign) {
            continue;
        }
        match time.judge(&moment) {
            Due::CarriedOut => projects.entry(moment.project).or_default().push(moment),
            Due::Missed => late.push(moment),
            Due::Waits => {
                waiting.insert(campaign);
            }
        }
    }
    let mut ran = Ran { missed: miss_starts(app, late).await?, ..Ran::default() };
    for (project, moments) in projects {
        if let Err(error) = run_project(app, (project, moments), time, &mut ran).await {
            ran.failed.push((project, error));
        }
    }
    for (moment, _) in &ran.done {
        app.monitor().came_due(moment.action, MomentOutcome::Done);
    }
    for moment in &ran.missed {
        app.monitor().came_due(moment.action, MomentOutcome::Missed);
    }
    Ok(ran)
}

async fn run_project(
    app: &App,
    (id, moments): (ProjectId, Vec<ScheduledMoment>),
    time: SteadyTime,
    ran: &mut Ran,
) -> Result<(), PublishError> {
    let Some(draft) = open_draft(app, id).await? else { return Ok(()) };
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(()) };
    let mut project = (*live.project).clone();
    let (done, pointless): (Vec<ScheduledMoment>, Vec<ScheduledMoment>) =
        moments.into_iter().partition(|moment| apply(&mut project, moment));
    let pointless = pointless.into_iter().map(|moment| (moment, None)).collect();
    ran.missed.extend(miss(app, pointless).await?);
    if done.is_empty() {
        return Ok(());
    }
    let message = message(&project, &done, time);
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
        ran.done.extend(done.into_iter().map(|moment| (moment, time.late_by(&moment))));
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

/// Misses starts that are too late, and announces each.
async fn miss_starts(
    app: &App,
    moments: Vec<ScheduledMoment>,
) -> Result<Vec<ScheduledMoment>, StorageError> {
    let mut announced = Vec::new();
    for (place, moment) in moments.into_iter().enumerate() {
        // A project that cannot be read is announced by none, and must not hold up the others.
        let live = live_project(app, moment.project).await.unwrap_or_else(|error| {
            if !error.is_logged() {
                tracing::warn!("project {} cannot be read: {error}", moment.project);
            }
            None
        });
        announced.push((moment, live.and_then(|live| missed_start(app, &live, (place, moment)))));
    }
    miss(app, announced).await
}

fn missed_start(
    app: &App,
    LiveProject { project, number, .. }: &LiveProject,
    (place, moment): (usize, ScheduledMoment),
) -> Option<Announcement> {
    let campaign = project.campaign(moment.campaign)?;
    let (announcer, due_at) = (announcer(app), Moment::from(moment.due_at));
    let (title, name) = (announced_title(project), campaign.title());
    let text = format!("{title}: {name} was to start on {}, and did not", due_at.words());
    let data = json!({
        "project": announced_project(project),
        "revision": number,
        "campaign": announcer.campaign(project.id, campaign),
        "due_at": due_at.machine(),
    });
    let event = WebhookEvent::CampaignStartMissed.as_str();
    Some(announcer.announce(place, (event, &text, data)))
}

async fn miss(
    app: &App,
    moments: Vec<(ScheduledMoment, Option<Announcement>)>,
) -> Result<Vec<ScheduledMoment>, StorageError> {
    if moments.is_empty() {
        return Ok(Vec::new());
    }
    app.store().miss_moments(moments, app.now()).await
}

/// The message of the revision: `start hero, stop summer (3 days late)`.
fn message(project: &Project, done: &[ScheduledMoment], time: SteadyTime) -> String {
    let words = done.iter().filter_map(|moment| {
        let campaign = project.campaign(moment.campaign)?;
        let late_by = time.late_by(moment);
        let late = late_by.map(|late_by| format!(" ({} late)", late_by.words()));
        Some(format!("{} {}{}", moment.action.as_str(), campaign.key, late.unwrap_or_default()))
    });
    words.collect::<Vec<_>>().join(", ")
}
