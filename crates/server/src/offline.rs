//! Runs one use case on a database without serving, beside a running server or not.

use std::sync::Arc;

use app::audit::seal_audit_beside;
use app::events::EventKeeping;
use app::{App, EVENTS_PER_MINUTE, HEAVY_READS_PER_MINUTE, Parts, PublicUrl, WRITES_PER_MINUTE};

use crate::clock::setting::clock_of_command;
use crate::data_place::DataPlace;
use crate::entropy::SystemEntropy;
use crate::failure::Failure;
use crate::opening::{self, OlderSchema};

/// Opens the existing database at `place`, which no earlier Assay may have made, and hands it to `work`. What that wrote to the audit log is sealed.
pub(crate) fn run<T>(
    place: &DataPlace,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run_with(place, Settings::default(), work)
}

/// The same for work on events, which may be in files.
pub(crate) fn run_keeping<T>(
    place: &DataPlace,
    events: EventKeeping,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run_with(place, Settings { events, ..Settings::default() }, work)
}

/// The same for work that makes links to the server at this address.
pub(crate) fn run_at<T>(
    place: &DataPlace,
    public_url: PublicUrl,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run_with(place, Settings { public_url, ..Settings::default() }, work)
}

/// The same for work that has to be done before a server starts, also on the database of an earlier Assay, which is migrated.
pub(crate) fn run_before_serving<T>(
    place: &DataPlace,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run_with(place, Settings { older: OlderSchema::Migrated, ..Settings::default() }, work)
}

/// In what commands differ.
struct Settings {
    public_url: PublicUrl,
    events: EventKeeping,
    older: OlderSchema,
}

impl Default for Settings {
    /// Most that runs offline makes no link to this server.
    fn default() -> Self {
        let public_url = PublicUrl::parse("http://localhost").expect("a constant origin");
        Self { public_url, events: EventKeeping::default(), older: OlderSchema::Refused }
    }
}

fn run_with<T>(
    place: &DataPlace,
    settings: Settings,
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
    look_at(place, Settings::default(), work)
}

fn look_at<T>(
    place: &DataPlace,
    Settings { public_url, events, older }: Settings,
    work: impl AsyncFnOnce(&App) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    runtime.block_on(async {
        let store = opening::open_existing(place, older).await?;
        let clock = clock_of_command(&*store).await.map_err(Failure::environment)?;
        let app = App::new(Parts {
            store,
            clock: Arc::new(clock),
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
