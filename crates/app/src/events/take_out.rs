//! Takes events out of the log. A row has all that one request brought, so those of its events that stay are written anew, at the end.

use domain::ProjectId;
use events::Record;
use oauth::Timestamp;
use storage::{LoggedEvents, MovedEvents, NewEvents};

use crate::App;
use crate::events::folder::{EventFilesError, off_thread};
use crate::events::log::log_row;
use crate::events::log::{LogParts, decoded};

/// What becomes of a part of the log.
#[derive(Default)]
struct Removal {
    events: u64,
    from_log: Vec<i64>,
    to_log: Vec<NewEvents>,
}

/// Adds to `moved` that the events of the log go for which this is so. Tells how many they are.
pub(super) async fn take_out_of_log(
    app: &App,
    moved: &mut MovedEvents,
    goes: impl Fn(&Record) -> bool + Copy + Send + 'static,
) -> Result<u64, EventFilesError> {
    let project = moved.project;
    let (mut events, mut log) = (0, LogParts::of(project));
    while let Some(part) = log.next(app).await? {
        let removal = off_thread(move || take_out(project, &part, goes)).await?;
        events += removal.events;
        moved.from_log.extend(removal.from_log);
        moved.to_log.extend(removal.to_log);
    }
    Ok(events)
}

fn take_out(
    project: ProjectId,
    part: &[LoggedEvents],
    goes: impl Fn(&Record) -> bool,
) -> Result<Removal, EventFilesError> {
    let mut removal = Removal::default();
    for row in part {
        let (gone, left): (Vec<Record>, Vec<_>) =
            decoded(std::slice::from_ref(row))?.into_iter().partition(&goes);
        if gone.is_empty() {
            continue;
        }
        removal.events += gone.len() as u64;
        removal.from_log.push(row.sequence);
        if let Some(first) = left.first() {
            let received_at = Timestamp::from_milliseconds(first.received.0);
            removal.to_log.push(log_row(project, received_at, &left)?);
        }
    }
    Ok(removal)
}
