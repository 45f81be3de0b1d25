//! The real clock: the only place that asks the machine for the time.

use std::time::{SystemTime, UNIX_EPOCH};

use app::Clock;
use oauth::Timestamp;

/// The machine's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the place that reads the time")]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_milliseconds(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }
}
