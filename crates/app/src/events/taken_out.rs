//! Takes events out of the log. A row has all that one request brought, so those of its events that stay are written anew, at the end.

use domain::ProjectId;
use events::Record;
use oauth::Timestamp;
use storage::{LoggedEvents, MovedEvents, NewEvents};

use crate::App;
use crate::events::folder::{EventFilesError, off_thread};
use crate::events::logged::logged;
use crate::events::read::{LogParts, decoded};

/// What becomes of a part of the log.
#[derive(Default)]
struct TakenOut {
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
        let taken = off_thread(move || take_out(project, &part, goes)).await?;
        events += taken.events;
        moved.from_log.extend(taken.from_log);
        moved.to_log.extend(taken.to_log);
    }
    Ok(events)
}

fn take_out(
    project: ProjectId,
    part: &[LoggedEvents],
    goes: impl Fn(&Record) -> bool,
) -> Result<TakenOut, EventFilesError> {
    let mut taken = TakenOut::default();
    for row in part {
        let (gone, left): (Vec<Record>, Vec<_>) =
            decoded(std::slice::from_ref(row))?.into_iter().partition(&goes);
        if gone.is_empty() {
            continue;
        }
        taken.events += gone.len() as u64;
        taken.from_log.push(row.sequence);
        if let Some(first) = left.first() {
            let received_at = Timestamp::from_milliseconds(first.received.0);
            taken.to_log.push(logged(project, received_at, &left)?);
        }
    }
    Ok(taken)
}
