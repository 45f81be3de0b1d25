//! Moments at which campaigns start and stop by schedule.

use domain::CampaignId;
use oauth::Timestamp;
use storage::{
    ActorKind, AuditEvent, KnownMoment, ListRange, MomentOutcome, Precondition, Publication,
    PublishOutcome, ScheduledAction, ScheduledMoment, Store,
};

use crate::given::{all_at_once, at};
use crate::revisions::{live, project, publication, publish};

fn moment(action: ScheduledAction, due_at: Timestamp) -> ScheduledMoment {
    ScheduledMoment {
        project: project(1),
        campaign: CampaignId::new(3001).unwrap(),
        action,
        due_at,
    }
}

fn start(seconds: i64) -> ScheduledMoment {
    moment(ScheduledAction::Start, at(seconds))
}

fn stop(seconds: i64) -> ScheduledMoment {
    moment(ScheduledAction::Stop, at(seconds))
}

fn scheduled(document: &str, moments: &[ScheduledMoment]) -> Publication {
    let mut publication = publication(1, document, "a");
    publication.revision.moments = moments.to_vec();
    publication
}

/// What a moment makes of revision `live`.
fn running(live: u32, settled: &[ScheduledMoment], moments: &[ScheduledMoment]) -> Publication {
    let precondition = Precondition { live: Some(live), draft: None };
    let settled = settled.to_vec();
    let mut publication =
        Publication { precondition, settled, ..scheduled(&format!("after {live}"), moments) };
    publication.revision.created_at = at(101);
    publication
}

async fn audited(store: &dyn Store) -> Vec<AuditEvent> {
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 100 }).await.unwrap();
    log.into_iter().rev().map(|entry| entry.event).collect()
}

async fn outcomes(store: &dyn Store) -> Vec<(ScheduledMoment, MomentOutcome)> {
    let known = store.list_moments(project(1)).await.unwrap();
    known.into_iter().map(|KnownMoment { moment, outcome, .. }| (moment, outcome)).collect()
}

pub(crate) async fn a_published_moment_is_due_when_its_time_has_come(store: &dyn Store) {
    assert_eq!(store.next_moment().await, Ok(None));
    publish(store, scheduled("a", &[start(100), stop(200)])).await;

    assert_eq!(store.next_moment().await, Ok(Some(start(100))));
    assert_eq!(store.due_moments(at(99)).await, Ok(vec![]));
    assert_eq!(store.due_moments(at(100)).await, Ok(vec![start(100)]));
    assert_eq!(store.due_moments(at(200)).await, Ok(vec![start(100), stop(200)]));
}

pub(crate) async fn many_waiting_moments_hide_none(store: &dyn Store) {
    let waiting = (1..=1_500).map(|number| {
        let campaign = CampaignId::new(number).unwrap();
        ScheduledMoment { campaign, ..start(100) }
    });
    let all: Vec<_> = waiting.chain([stop(200)]).collect();
    publish(store, scheduled("a", &all)).await;

    assert_eq!(store.due_moments(at(200)).await, Ok(all));
}

pub(crate) async fn of_twelve_that_run_a_moment_at_once_one_does(store: &dyn Store) {
    publish(store, scheduled("a", &[start(100), stop(200)])).await;
    let runs = (0..12).map(|_| store.publish_revision(running(1, &[start(100)], &[stop(200)])));

    let ran = all_at_once(runs).await;

    let count = |wanted: fn(&PublishOutcome) -> bool| {
        ran.iter().filter(|ran| ran.as_ref().is_ok_and(wanted)).count()
    };
    assert_eq!(count(|ran| matches!(ran, PublishOutcome::Published(_))), 1, "{ran:?}");
    assert_eq!(count(|ran| *ran == PublishOutcome::LiveChanged), 11);
    assert_eq!(live(store, 1, at(101)).await, Some(2));
    let known = store.list_moments(project(1)).await.unwrap();
    let settled_at = Some(at(101));
    assert_eq!(
        known,
        [
            KnownMoment { moment: start(100), outcome: MomentOutcome::Done, settled_at },
            KnownMoment { moment: stop(200), outcome: MomentOutcome::Due, settled_at: None },
        ]
    );
    assert_eq!(audited(store).await, [AuditEvent::RevisionPublished; 2]);
}

pub(crate) async fn moments_missing_from_a_new_revision_are_cancelled(store: &dyn Store) {
    publish(store, scheduled("a", &[start(100), stop(200)])).await;
    publish(store, scheduled("b", &[start(150)])).await;

    assert_eq!(
        outcomes(store).await,
        [
            (start(100), MomentOutcome::Cancelled),
            (start(150), MomentOutcome::Due),
            (stop(200), MomentOutcome::Cancelled),
        ]
    );
    let before = store.find_draft(project(1)).await;
    let cancelled = store.publish_revision(running(2, &[start(100)], &[])).await;
    assert_eq!(cancelled, Ok(PublishOutcome::LiveChanged));
    assert_eq!(store.find_draft(project(1)).await, before);

    publish(store, scheduled("a", &[start(100), stop(200)])).await;
    assert_eq!(store.due_moments(at(999)).await, Ok(vec![start(100), stop(200)]));
}

pub(crate) async fn a_done_moment_stays_done(store: &dyn Store) {
    publish(store, scheduled("a", &[start(100)])).await;
    publish(store, running(1, &[start(100)], &[])).await;

    publish(store, scheduled("as before", &[start(100), stop(200)])).await;

    assert_eq!(
        outcomes(store).await,
        [(start(100), MomentOutcome::Done), (stop(200), MomentOutcome::Due)]
    );
    let before = store.find_draft(project(1)).await;
    let again = store.publish_revision(running(3, &[start(100)], &[])).await;
    assert_eq!(again, Ok(PublishOutcome::LiveChanged));
    assert_eq!(store.find_draft(project(1)).await, before);
}

pub(crate) async fn a_missed_moment_is_written_down_once_and_stays_missed(store: &dyn Store) {
    publish(store, scheduled("a", &[start(100)])).await;

    assert_eq!(store.miss_moments(vec![(start(100), None)], at(999)).await, Ok(vec![start(100)]));
    assert_eq!(store.miss_moments(vec![(start(100), None)], at(999)).await, Ok(vec![]));
    publish(store, scheduled("b", &[start(100)])).await;

    assert_eq!(outcomes(store).await, [(start(100), MomentOutcome::Missed)]);
    let late = store.publish_revision(running(2, &[start(100)], &[])).await;
    assert_eq!(late, Ok(PublishOutcome::LiveChanged));
    let published = AuditEvent::RevisionPublished;
    assert_eq!(audited(store).await, [published, AuditEvent::ScheduleMissed, published]);
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 100 }).await.unwrap();
    let missed = log[1].project.as_ref().unwrap();
    assert_eq!((missed.id, missed.entity.as_str()), (project(1), "campaign 3001"));
    assert_eq!((log[1].by, log[1].detail.as_deref()), (ActorKind::Schedule, Some("start")));
}
