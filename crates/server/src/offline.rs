//! Runs one use case on a database without serving, beside a running server or not.

use std::sync::Arc;

use app::audit::seal_audit_beside;
use app::events::EventKeeping;
use app::{App, EVENTS_PER_MINUTE, HEAVY_READS_PER_MINUTE, Parts, PublicUrl, WRITES_PER_MINUTE};

use crate::clock::SystemClock;
use crate::data_place::DataPlace;
use crate::entropy::SystemEntropy;
use crate::failure::Failure;
use crate::opening;

/// Opens the existing database at `place` and hands it to `work`. What that wrote to the audit log is sealed.
pub(crate) fn run<T>(
    place: &DataPlace,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run_at(place, no_address(), work)
}

/// The same for work on events, which may be in files.
pub(crate) fn run_keeping<T>(
    place: &DataPlace,
    events: EventKeeping,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run_with(place, (no_address(), events), work)
}

/// The same for work that makes links to the server at this address.
pub(crate) fn run_at<T>(
    place: &DataPlace,
    public_url: PublicUrl,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run_with(place, (public_url, EventKeeping::default()), work)
}

fn run_with<T>(
    place: &DataPlace,
    settings: (PublicUrl, EventKeeping),
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    look_at(place, settings, async |app| {
        let done = work(app).await?;
        // The work is done even without the seal: a running server will seal it.
        if let Err(error) = seal_audit_beside(app).await {
            tracing::warn!(%error, "the audit log could not be sealed");
        }
        Ok(done)
    })
}

/// The same for work that writes nothing.
pub(crate) fn look<T>(
    place: &DataPlace,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    look_at(place, (no_address(), EventKeeping::default()), work)
}

/// Most that runs offline makes no link to this server.
fn no_address() -> PublicUrl {
    PublicUrl::parse("http://localhost").expect("a constant origin")
}

fn look_at<T>(
    place: &DataPlace,
    (public_url, events): (PublicUrl, EventKeeping),
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    runtime.block_on(async {
        let app = App::new(Parts {
            store: opening::open_existing(place).await?,
            clock: Arc::new(SystemClock::not_before(None)),
            entropy: Arc::new(SystemEntropy),
            public_url,
            identity_provider: None,
            writes_per_minute: WRITES_PER_MINUTE,
            heavy_reads_per_minute: HEAVY_READS_PER_MINUTE,
            events_per_minute: EVENTS_PER_MINUTE,
            mailer: None,
            events,
            webhooks: None,
        });
        work(&app).await
    })
}
