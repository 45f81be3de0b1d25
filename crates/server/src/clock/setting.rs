//! Sets the clock of a process when it begins. Processes on a database that has a clock of its own go by that, so that they agree, whatever the
//! clocks of their machines show: a code that one issues is good at another.

use std::sync::Arc;
use std::time::Duration;

use app::Clock as _;
use oauth::{CLOCK_AHEAD, Lifetime, Timestamp};
use storage::{StorageError, Store};
use tokio::time::sleep;

use super::{CLOCKS_DIFFER_BY, SystemClock, machine_time};

/// Between these, a process relies on how evenly its machine counts seconds; a machine that slept is right again soon.
const SET_EVERY: Duration = Duration::from_secs(30);

/// An answer that took longer says too little of when it was given.
const ANSWERED_WITHIN_MS: i64 = 2_000;

const FAR_AHEAD: &str = "what is stored comes from a clock that was more than a day ahead of this one, which is believed; \
    tokens and sessions from then are not good, and `assay tokens end-all` removes them";

/// The clock for a command on this store.
pub(crate) async fn clock_of_command(store: &dyn Store) -> Result<SystemClock, StorageError> {
    let clock = SystemClock::new();
    set(&clock, store).await?;
    Ok(clock)
}

/// The clock for a server on this store: its time does not go back behind the last write, unless that was far ahead. By a database's clock, it is
/// set for as long as the process lives.
pub(crate) async fn clock_of_server(
    store: Arc<dyn Store>,
) -> Result<Arc<SystemClock>, StorageError> {
    let clock = Arc::new(SystemClock::new());
    let set = set(&clock, &*store).await?;
    if let Some(newest) = store.newest_moment().await? {
        tell_of_newest(newest, clock.wall_time());
        clock.go_on_from(newest);
    }
    if let Set::ByDatabase { machine_ahead_ms } = set {
        let mut difference = Difference::default();
        difference.tell(machine_ahead_ms);
        tokio::spawn(follow(Arc::clone(&clock), store, difference));
    }
    Ok(clock)
}

/// Other processes may have seen a later moment by the database's clock before it was set back: who is behind them would refuse what they issue. While
/// the database does not answer, which others log, the clock goes on from its last answer.
async fn follow(clock: Arc<SystemClock>, store: Arc<dyn Store>, mut difference: Difference) {
    loop {
        sleep(SET_EVERY).await;
        if let Ok(Set::ByDatabase { machine_ahead_ms }) = set(&clock, &*store).await {
            difference.tell(machine_ahead_ms);
        }
        if let Ok(Some(newest)) = store.newest_moment().await {
            clock.go_on_from(newest);
        }
    }
}

enum Set {
    /// The database has no clock of its own, or its answer came late.
    AsBefore,
    ByDatabase {
        machine_ahead_ms: i64,
    },
}

/// The database's answer is as old as half of the time that it took.
async fn set(clock: &SystemClock, store: &dyn Store) -> Result<Set, StorageError> {
    let asked_at = clock.elapsed();
    let Some(shown) = store.database_time().await? else { return Ok(Set::AsBefore) };
    let took_ms = clock.elapsed() - asked_at;
    if took_ms > ANSWERED_WITHIN_MS && clock.is_set_by_database() {
        return Ok(Set::AsBefore);
    }
    clock.set_by_database(shown, asked_at + took_ms / 2);
    let machine = machine_time().as_milliseconds();
    let machine_ahead_ms = machine - clock.wall_time().as_milliseconds();
    Ok(Set::ByDatabase { machine_ahead_ms })
}

/// Whether the log says that the clocks differ.
#[derive(Default)]
struct Difference {
    is_told: bool,
}

impl Difference {
    fn tell(&mut self, machine_ahead_ms: i64) {
        let by = Lifetime::from_seconds((machine_ahead_ms.abs() + 500) / 1_000);
        let differs = by > CLOCKS_DIFFER_BY;
        if differs && !self.is_told {
            let by = by.words();
            let how = if machine_ahead_ms > 0 { "ahead of" } else { "behind" };
            tracing::warn!(
                "this machine's clock is {by} {how} that of the database, by which Assay goes; synchronise both (NTP)"
            );
        } else if self.is_told && !differs {
            tracing::info!("the clocks of this machine and the database agree again");
        }
        self.is_told = differs;
    }
}

fn tell_of_newest(newest: Timestamp, now: Timestamp) {
    if newest > now + CLOCK_AHEAD {
        tracing::warn!("{FAR_AHEAD}");
    } else if newest > now + CLOCKS_DIFFER_BY {
        let ahead_by = newest.since(now).words();
        tracing::warn!(
            "the store has moments that are {ahead_by} ahead of the clock: a clock was ahead earlier, or this one is behind now; time goes on from there at half speed until the clock has caught up"
        );
    }
}
