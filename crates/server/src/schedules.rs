//! Wakes when a campaign is to start or stop by itself. Every process does; the store sees to it that one of them acts.

use std::time::{Duration, Instant};

use app::projects::PublishError;
use app::schedules::{Ran, SteadyTime, next_moment, run_due};
use app::{App, BackgroundTask};
use oauth::{Moment, Steadiness, Timestamp};
use storage::{ScheduledMoment, StorageError};

use crate::failure_log::FailureLog;

/// Another process may publish a schedule that begins at once, and a clock may be set.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What another process was quicker to do is soon seen to be done.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// What is due for longer waits until the clock has been steady for a while.
const WAITS_AFTER_MS: i64 = 1_000;

/// What failed is tried again.
const AFTER_FAILURE: Duration = Duration::from_secs(30);

/// Tells what is due next, and then acts for as long as the process lives.
pub(crate) async fn follow(app: App) {
    // What fails is told at the first look.
    if let Ok(Some(next)) = next_moment(&app).await {
        tracing::info!("the next schedule: {next} at {}", words(next.due_at));
    }
    let (mut clock, mut failures) = (Steadiness::default(), FailureLog::default());
    loop {
        let looked = look(&app, &mut clock).await;
        let task = (&app, BackgroundTask::Schedules);
        if failures.note(task, looked.as_ref().err(), "schedules cannot be read") {
            tracing::info!("schedules are read again");
        }
        tokio::time::sleep(looked.unwrap_or(AFTER_FAILURE)).await;
    }
}

/// Does what is due; tells when to look again.
async fn look(app: &App, clock: &mut Steadiness) -> Result<Duration, StorageError> {
    let now = app.wall_time();
    let time = SteadyTime { now, steady_for: clock.look(now, Instant::now()) };
    let Ran { done, missed, failed } = run_due(app, time).await?;
    for (moment, late_by) in done {
        let due_at = words(moment.due_at);
        match late_by {
            None => tracing::info!("{moment}, as was due at {due_at}"),
            Some(late_by) => {
                tracing::warn!("{moment}, as was due at {due_at}: {} late", late_by.words());
            }
        }
    }
    for moment in missed {
        tracing::warn!("missed: {moment}, as was due at {}", words(moment.due_at));
    }
    for (project, error) in &failed {
        app.monitor().failed(BackgroundTask::Schedules);
        if !matches!(error, PublishError::Storage(error) if error.is_logged()) {
            tracing::error!("the schedules of project {project} cannot be run: {error}");
        }
    }
    if !failed.is_empty() {
        return Ok(AFTER_FAILURE);
    }
    Ok(next_moment(app).await?.map_or(LOOK_EVERY, |next| until(next, app.wall_time())))
}

fn until(next: ScheduledMoment, now: Timestamp) -> Duration {
    let milliseconds = next.due_at.as_milliseconds().saturating_sub(now.as_milliseconds());
    if milliseconds < -WAITS_AFTER_MS {
        return LOOK_EVERY;
    }
    let milliseconds = u64::try_from(milliseconds).unwrap_or_default();
    Duration::from_millis(milliseconds).clamp(LOOK_AGAIN, LOOK_EVERY)
}

fn words(moment: Timestamp) -> String {
    Moment::from(moment).machine()
}
