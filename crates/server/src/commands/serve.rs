//! `assay serve`: opens the store, publishes the project, binds the port, prints its address, and serves.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use app::audit::AUDIT_KEPT_FOR;
use app::projects::Published;
use app::publishing::load_live_snippets;
use app::setup::setup_token;
use app::{App, Mailer, Parts, PublicUrl, authors};
use axum::Router;
use domain::Project;
use secrecy::{ExposeSecret as _, SecretString};
use storage::{AuditKeeping, DatabaseFile, Store};
use tempfile::TempDir;
use web::Ingress;

use crate::cli::{Role, ServeArguments};
use crate::clock::setting::clock_of_server;
use crate::data_place::DataPlace;
use crate::demo;
use crate::entropy::SystemEntropy;
use crate::event_files::Elsewhere;
use crate::failure::Failure;
use crate::going_live::{go_live, seed};
use crate::identity_provider::OpenIdProvider;
use crate::logging::Log;
use crate::monitoring::Operations;
use crate::object_storage::Patience;
use crate::opening::OpenDatabase;
use crate::project_file::{self, ProjectFile};
use crate::ready_file::{Ready, ReadyFile};
use crate::serving::{Limits, Server, Signals, Tls};
use crate::traces::Traces;
use crate::watch::Watch;
use crate::{
    authorities, event_files, event_room, greeting, installations, logging, monitoring, opening,
    output, schedules, sealing, serving, smtp, unknown_settings, webhooks,
};

/// Longer than a write to the database or a file of events takes.
const THREADS_END_WITHIN: Duration = Duration::from_secs(3);

/// Runs until the signal to stop.
pub(crate) fn run(arguments: ServeArguments) -> Result<(), Failure> {
    let telemetry = Telemetry::start(&arguments)?;
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    let served = runtime.block_on(serve(arguments, &telemetry));
    // What still runs ends here, and with it its spans. A request to another system goes on in a thread for a minute, and is sent again.
    runtime.shutdown_timeout(THREADS_END_WITHIN);
    let served = served.map(|served| served.file.iter().for_each(|file| opening::settle(file)));
    if let Some(traces) = telemetry.traces {
        traces.flush();
    }
    served
}

/// What the process tells of itself.
struct Telemetry {
    traces: Option<Traces>,
    operations: Option<Operations>,
    log: Log,
}

impl Telemetry {
    fn start(arguments: &ServeArguments) -> Result<Self, Failure> {
        let traces = Traces::by_environment()?;
        let operations = arguments.network.metrics_address.map(|_| Operations::default());
        let log = logging::start(arguments.log_format, traces.as_ref(), operations.as_ref());
        Ok(Self { traces, operations, log })
    }
}

/// What a server had until it was told to stop.
struct Served {
    file: Option<Arc<DatabaseFile>>,
    _temporary: Option<TempDir>,
    _alone: Option<File>,
}

async fn serve(arguments: ServeArguments, telemetry: &Telemetry) -> Result<Served, Failure> {
    // Faults in the input are found before anything changes.
    let network = &arguments.network;
    network.check()?;
    arguments.role.check(&arguments.place)?;
    let (offer, mailer) = (Offer::read(&arguments)?, smtp::mailer(&arguments.mail)?);
    let (place, temporary) = data_place(&arguments)?;
    let copies = arguments.events.copies(&place, Patience::Server)?;
    let elsewhere = Elsewhere { copies, sink: arguments.events.sink(&place)? };
    let listener = serving::bind(network.listen, "--listen").await?;
    let metrics = network.metrics_address.zip(telemetry.operations.clone());
    let metrics = monitoring::bind(metrics, telemetry.log.lost()).await?;
    let listening = listener.local_addr().map_err(Failure::environment)?;
    let public_url = network.public_url(listening)?;
    let tls = network.certificate().map(|files| Tls::with(files, public_url.host().to_owned()));
    let tls = tls.transpose()?;
    network.warn(&public_url);
    warn_of_variables();
    let mut signals = Signals::listen()?;
    let audit = AuditKeeping::of(arguments.audit_days.unwrap_or(AUDIT_KEPT_FOR));
    let folder = arguments.events.folder.of(&place);
    event_files::check_unowned_if_new(&place, folder.as_deref()).await?;
    let alone = opening::be_alone(&place)?;
    let mut ready_file = ReadyFile::at(arguments.ready_file.clone());
    let opened = open_unless_stopped(&place, audit, &mut signals).await?;
    let Some(OpenDatabase { store, file }) = opened else {
        return Ok(Served { file: None, _temporary: temporary, _alone: alone });
    };
    let app = build(store, public_url, mailer, (&arguments, &place)).await?;
    let mut ready = Ready {
        url: app.public_url().as_str().to_owned(),
        listening,
        demo_url: None,
        console_url: None,
        setup_url: None,
        metrics_url: metrics.as_ref().map(monitoring::Metrics::url),
        pid: std::process::id(),
        credentials: None,
        project_id: None,
    };
    installations::start(app.clone());
    event_room::start(app.clone(), &place, &arguments.events);
    let mut routes = match arguments.role {
        Role::All => do_everything(&app, offer, elsewhere, &mut ready).await?,
        Role::Collect => serving::visitors_router(&app),
    };
    load_live_snippets(&app).await;
    if let Some(traces) = &telemetry.traces {
        traces.tell_what_is_ignored();
        traces.count_failures(app.clone());
        routes = traces.continued(routes);
    }
    let public_url = app.public_url().clone();
    let ingress = Ingress { public_url, trusted_proxies: network.trusted_proxies.clone() };
    let limits = Limits {
        per_address: network.connections_per_address,
        idle: Duration::from_secs(network.idle_timeout.into()),
        drain: Duration::from_secs(arguments.drain.into()),
        ..Limits::of_this_machine()
    };
    let tls = tls.map(Arc::new);
    if let Some(metrics) = metrics {
        metrics.serve(app, tls.clone(), limits);
    }
    // A reader of the greeting's first line finds the ready file.
    ready_file.write(&ready)?;
    output::print(greeting::text(&ready));
    Server { listener, tls, ingress, routes, limits }.serve(signals).await;
    Ok(Served { file, _temporary: temporary, _alone: alone })
}

/// Opens the store, or creates it. A migration may wait for others for a long time: `None` if the process is told to stop by then.
async fn open_unless_stopped(
    place: &DataPlace,
    audit: AuditKeeping,
    signals: &mut Signals,
) -> Result<Option<OpenDatabase>, Failure> {
    tokio::select! {
        opened = opening::open_or_create(place, audit) => opened.map(Some),
        () = signals.stop() => Ok(None),
    }
}

/// Warns of environment variables that do not do what they should.
fn warn_of_variables() {
    if let Err(failure) = authorities::check() {
        tracing::warn!("no authority of `SSL_CERT_FILE` is trusted: {failure}");
    }
    for name in unknown_settings::names() {
        tracing::warn!("`{name}` has no effect: no option of Assay has this variable");
    }
}

/// Starts what works in the background, publishes what is offered, and returns the routes.
async fn do_everything(
    app: &App,
    offer: Offer,
    elsewhere: Elsewhere,
    ready: &mut Ready,
) -> Result<Router, Failure> {
    sealing::start(app.clone());
    event_files::start(app.clone(), elsewhere).await?;
    let mut router = serving::router(app);
    match offer {
        Offer::File(file, watch) => {
            let ProjectFile { checked, written, .. } = *file;
            let id = checked.project.id.to_string();
            let published = go_live(app, checked.project, written).await?;
            tell(&id, &published);
            ready.project_id = Some(id);
            tokio::spawn(watch.follow(app.clone(), published.revision));
        }
        Offer::Demo => {
            offer_demo(app, ready).await?;
            router = router.merge(demo::shop::router());
        }
        Offer::Seed(project) => {
            let id = project.id.to_string();
            if let Some(published) = seed(app, *project, authors::SEED).await? {
                tell(&id, &published);
            }
            ready.project_id = Some(id);
        }
        Offer::Stored => {}
    }
    ready.console_url = Some(app.public_url().join("/"));
    ready.setup_url = setup_url(app).await?;
    tokio::spawn(schedules::follow(app.clone()));
    webhooks::start(app.clone());
    Ok(router)
}

/// The demo's project, with visitors if it is new, its member and its application.
async fn offer_demo(app: &App, ready: &mut Ready) -> Result<(), Failure> {
    let project = demo::project().project;
    let id = project.id.to_string();
    if let Some(published) = seed(app, project.clone(), authors::DEMO).await? {
        tell(&id, &published);
        tokio::spawn(demo::visitors::let_come(app.clone(), project));
    }
    ready.project_id = Some(id);
    ready.credentials = demo::seed(app).await?;
    ready.demo_url = Some(app.public_url().join("/demo/"));
    Ok(())
}

/// The project to serve in addition to the store's.
enum Offer {
    /// A project file, which is watched.
    File(Box<ProjectFile>, Watch),
    /// A project file that is published if there is no such project yet.
    Seed(Box<Project>),
    /// The demo.
    Demo,
    /// Nothing.
    Stored,
}

impl Offer {
    fn read(arguments: &ServeArguments) -> Result<Self, Failure> {
        if let Some(path) = &arguments.seed {
            return Ok(Self::Seed(Box::new(read(path)?.checked.project)));
        }
        let Some(path) = &arguments.project_file else {
            return Ok(if arguments.demo { Self::Demo } else { Self::Stored });
        };
        let (file, files) = project_file::read_with_files(path);
        file?;
        let watch = Watch::start(path, &files)?;
        // Again, now that no change can go unnoticed.
        Ok(Self::File(Box::new(read(path)?), watch))
    }
}

/// A project file, whose warnings are shown.
fn read(path: &Path) -> Result<ProjectFile, Failure> {
    let file = project_file::read(path)?;
    for warning in &file.checked.warnings {
        output::complain(warning);
    }
    Ok(file)
}

/// Where the data goes; the demo's goes away with the process unless a place is named.
fn data_place(arguments: &ServeArguments) -> Result<(DataPlace, Option<TempDir>), Failure> {
    let place = arguments.place.clone();
    if !arguments.demo || place.data.is_some() || place.database().is_some() {
        return Ok((place, None));
    }
    let folder = tempfile::tempdir().map_err(Failure::environment)?;
    Ok((DataPlace { data: Some(folder.path().to_owned()), ..DataPlace::default() }, Some(folder)))
}

async fn build(
    store: Arc<dyn Store>,
    public_url: PublicUrl,
    mailer: Option<Arc<dyn Mailer>>,
    (arguments, place): (&ServeArguments, &DataPlace),
) -> Result<App, Failure> {
    let &ServeArguments { writes_per_minute, heavy_reads_per_minute, events_per_minute, .. } =
        arguments;
    let provider = OpenIdProvider::of(&arguments.identity, &public_url)?;
    let clock = clock_of_server(Arc::clone(&store)).await.map_err(Failure::environment)?;
    let entropy = Arc::new(SystemEntropy);
    Ok(App::new(Parts {
        store,
        clock,
        entropy,
        public_url,
        identity_provider: provider.map(|provider| Arc::new(provider) as _),
        writes_per_minute,
        heavy_reads_per_minute,
        events_per_minute,
        mailer,
        events: arguments.events.keeping(place),
        webhooks: arguments.webhooks.sender(),
    }))
}

/// The address that sets up a server without members.
async fn setup_url(app: &App) -> Result<Option<String>, Failure> {
    let token = setup_token(app).await.map_err(Failure::environment)?;
    let address = |token: SecretString| {
        app.public_url().join(&format!("/setup?token={}", token.expose_secret()))
    };
    let url = token.map(address);
    if let Some(url) = &url {
        tracing::info!("this server has no member yet; set it up at {url}");
    }
    Ok(url)
}

fn tell(id: &str, published: &Published) {
    let Published { revision, brotli_bytes, .. } = published;
    tracing::info!(revision, bytes = brotli_bytes, "project {id} is live");
}
