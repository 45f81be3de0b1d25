//! Delivers to webhooks in the background, and looks now and then whether results have come to something. Every process does; the store sees to
//! it that each delivery has one of them at a time.

use std::time::Duration;

use app::webhooks::{AnnouncedResults, ClaimedDelivery, announce_results, claim_due, deliver};
use app::{App, BackgroundTask};
use domain::ProjectId;
use storage::StorageError;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// How soon a receiver hears of what has happened.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Deliveries at a time, of whichever project. Each waits for its receiver for some seconds at most.
const AT_ONCE: usize = 128;

/// What failed is tried again, but not in every log line.
const AFTER_FAILURE: Duration = Duration::from_secs(30);

/// Results are read anew only if events have come, but then all of them.
const LOOK_AT_RESULTS_EVERY: Duration = Duration::from_mins(10);

/// Runs until the process ends, unless this server sends none.
pub(crate) fn start(app: App) {
    if !app.sends_webhooks() {
        tracing::warn!("--webhooks off: webhooks hear of nothing that happens here");
        return;
    }
    tokio::spawn(follow_results(app.clone()));
    tokio::spawn(follow(app));
}

async fn follow(app: App) {
    let mut at_work = JoinSet::new();
    loop {
        while at_work.try_join_next().is_some() {}
        let room = u32::try_from(AT_ONCE - at_work.len()).unwrap_or_default();
        let pause = match claim_due(&app, room).await {
            Ok(claimed) => {
                for one in claimed {
                    at_work.spawn(try_one(app.clone(), one));
                }
                LOOK_EVERY
            }
            Err(error) => {
                failed(&app, &error);
                AFTER_FAILURE
            }
        };
        // The next delivery to a webhook waits for the one before.
        tokio::select! {
            () = sleep(pause) => {}
            Some(_) = at_work.join_next() => {}
        }
    }
}

async fn try_one(app: App, claimed: ClaimedDelivery) {
    deliver(&app, claimed).await.unwrap_or_else(|error| failed(&app, &error));
}

async fn follow_results(app: App) {
    loop {
        sleep(LOOK_AT_RESULTS_EVERY).await;
        match announce_results(&app).await {
            Ok(AnnouncedResults { announced, failed }) => {
                if announced > 0 {
                    tracing::info!("announced to webhooks what {announced} results have come to");
                }
                for (project, error) in failed {
                    unread(&app, project, &error);
                }
            }
            Err(error) => failed(&app, &error),
        }
    }
}

fn unread(app: &App, project: ProjectId, error: &StorageError) {
    app.monitor().failed(BackgroundTask::Webhooks);
    if !error.is_logged() {
        tracing::warn!("the results of project {project} cannot be read for webhooks: {error}");
    }
}

fn failed(app: &App, error: &StorageError) {
    app.monitor().failed(BackgroundTask::Webhooks);
    if !error.is_logged() {
        tracing::warn!("webhooks cannot be delivered: {error}");
    }
}
