//! A whole site in memory: the routers that the binary serves, on a store in a temporary folder, with a clock that stands still
//! until a story moves it. People use it through [`crate::browser`].

use std::net::Ipv4Addr;
use std::process::{Command, Output};
use std::sync::Arc;

use app::applications::{NewApplication, add_application};
use app::audit::AUDIT_KEPT_FOR;
use app::events::EventKeeping;
use app::members::add_member;
use app::roles::Actor;
use app::webhooks::WebhookSender;
use app::{
    App, EVENTS_PER_MINUTE, HEAVY_READS_PER_MINUTE, Mailer, Parts, PublicUrl, WRITES_PER_MINUTE,
};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::HOST;
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use oauth::ClientKind;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use storage::{AuditKeeping, PostgresStore, RoleGrant, SqliteStore, Store};
use tempfile::TempDir;
use tower::ServiceExt as _;
use web::CallerAddress;

use crate::controlled::{HandClock, SeededEntropy};
use crate::unsent::Unsent;

/// Where the site is for the outside world.
pub(crate) const PUBLIC_URL: &str = "https://assay.example";

/// Where the application's members come back to.
pub(crate) const REDIRECT_URI: &str = "https://reports.example/callback?from=assay";

/// Where a program on the member's own machine waits; its port differs each time.
pub(crate) const LOOPBACK_URI: &str = "http://127.0.0.1:51000/callback";

/// A running site.
pub(crate) struct Site {
    pub(crate) app: App,
    pub(crate) folder: TempDir,
    router: Router,
    clock: Arc<HandClock>,
}

/// A member who can sign in.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) email: String,
    pub(crate) password: String,
}

/// An OAuth client; a public one has an empty secret.
#[derive(Debug, Clone)]
pub(crate) struct Application {
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) redirect_uri: String,
}

/// What a site differs in.
struct SiteOptions {
    mailer: Option<Arc<dyn Mailer>>,
    events_per_minute: u32,
    sink: Option<String>,
    webhooks: Option<Arc<dyn WebhookSender>>,
}

impl Default for SiteOptions {
    fn default() -> Self {
        let (events_per_minute, webhooks) = (EVENTS_PER_MINUTE, Some(Arc::new(Unsent) as _));
        Self { mailer: None, events_per_minute, sink: None, webhooks }
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Site {
    pub(crate) fn start() -> Self {
        Self::start_at(PUBLIC_URL)
    }

    pub(crate) fn start_at(public_url: &str) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), public_url, SiteOptions::default())
    }

    /// A site that takes so many events of a project.
    pub(crate) fn start_taking(events_per_minute: u32) -> Self {
        let given = SiteOptions { events_per_minute, ..SiteOptions::default() };
        Self::start_in(tempfile::tempdir().unwrap(), PUBLIC_URL, given)
    }

    /// A site whose files of events go to a system.
    pub(crate) fn start_sending(sink: &str) -> Self {
        let given = SiteOptions { sink: Some(sink.to_owned()), ..SiteOptions::default() };
        Self::start_in(tempfile::tempdir().unwrap(), PUBLIC_URL, given)
    }

    /// A site that sends nothing to webhooks.
    pub(crate) fn start_without_webhooks() -> Self {
        let given = SiteOptions { webhooks: None, ..SiteOptions::default() };
        Self::start_in(tempfile::tempdir().unwrap(), PUBLIC_URL, given)
    }

    /// A site whose mail goes there.
    pub(crate) fn start_mailing(mailer: Arc<dyn Mailer>) -> Self {
        Self::start_in(
            tempfile::tempdir().unwrap(),
            PUBLIC_URL,
            SiteOptions { mailer: Some(mailer), ..SiteOptions::default() },
        )
    }

    /// Another site on what this one stored.
    pub(crate) fn restarted(self) -> Self {
        let Self { folder, app, router, .. } = self;
        drop((app, router));
        Self::start_in(folder, PUBLIC_URL, SiteOptions::default())
    }

    /// A site on a database of PostgreSQL with this name, which no other test uses.
    pub(crate) async fn start_on_postgres(name: &str) -> Self {
        let address = crate::postgres::database(name).into();
        let store =
            PostgresStore::open_to_serve(&address, AuditKeeping::of(AUDIT_KEPT_FOR)).await.unwrap();
        Self::start_on(
            Arc::new(store),
            tempfile::tempdir().unwrap(),
            PUBLIC_URL,
            SiteOptions::default(),
        )
    }

    fn start_in(folder: TempDir, public_url: &str, given: SiteOptions) -> Self {
        let file = folder.path().join("assay.db");
        let store = SqliteStore::open_to_serve(&file, AuditKeeping::of(AUDIT_KEPT_FOR)).unwrap();
        Self::start_on(Arc::new(store), folder, public_url, given)
    }

    fn start_on(
        store: Arc<dyn Store>,
        folder: TempDir,
        public_url: &str,
        SiteOptions { mailer, events_per_minute, sink, webhooks }: SiteOptions,
    ) -> Self {
        let clock = Arc::<HandClock>::default();
        let app = App::new(Parts {
            store,
            clock: clock.clone(),
            entropy: Arc::new(SeededEntropy::default()),
            public_url: PublicUrl::parse(public_url).unwrap(),
            identity_provider: None,
            writes_per_minute: WRITES_PER_MINUTE,
            heavy_reads_per_minute: HEAVY_READS_PER_MINUTE,
            events_per_minute,
            mailer,
            events: EventKeeping {
                folder: Some(folder.path().join("events")),
                days: Some(400),
                logged_ms: 300_000,
                sink,
            },
            webhooks,
        });
        let router = api::router(app.clone()).merge(console::router(app.clone(), api::openapi()));
        Self { app, folder, router, clock }
    }

    pub(crate) async fn member(&self) -> Member {
        let added = add_member(&self.app, &Actor::Command, "ann@example.com", RoleGrant::OWNER)
            .await
            .unwrap();
        Member { email: added.email, password: added.password.expose_secret().to_owned() }
    }

    pub(crate) async fn application(&self) -> Application {
        self.register("Reports", ClientKind::Confidential).await
    }

    pub(crate) async fn register(&self, name: &str, kind: ClientKind) -> Application {
        let uris = [REDIRECT_URI, "https://reports.example/other", "http://127.0.0.1/callback"];
        let redirect_uris = uris.map(str::to_owned).to_vec();
        let request = NewApplication {
            name: name.to_owned(),
            redirect_uris,
            kind,
            scope: Some("all".to_owned()),
        };
        let added = add_application(&self.app, &Actor::Command, request).await.unwrap();
        let client_secret = added.client_secret.map(|secret| secret.expose_secret().to_owned());
        Application {
            client_id: added.client_id.to_string(),
            client_secret: client_secret.unwrap_or_default(),
            redirect_uri: REDIRECT_URI.to_owned(),
        }
    }

    pub(crate) fn advance_seconds(&self, seconds: i64) {
        self.clock.advance_seconds(seconds);
    }

    pub(crate) fn set_clock_back_seconds(&self, seconds: i64) {
        self.clock.set_back_seconds(seconds);
    }

    /// Runs the binary, another process, on the data of this site.
    pub(crate) fn command(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command.args(arguments).arg("--data").arg(self.folder.path()).env_clear();
        command.output().unwrap()
    }

    /// Runs a command that ends something. Such a command answers after half a second, when every process knows; this site's clock
    /// stands still meanwhile.
    pub(crate) fn command_that_ends(&self, arguments: &[&str]) -> Value {
        let answer = self.command_json(arguments);
        self.advance_seconds(1);
        answer
    }

    /// The JSON that a command prints.
    pub(crate) fn command_json(&self, arguments: &[&str]) -> Value {
        let output = self.command(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Waits until what was to be written beside the answers so far is written: what waits for the writer is written in its order,
    /// and what waited for that comes next.
    pub(crate) async fn settle(&self) {
        for _ in 0..2 {
            tokio::task::yield_now().await;
            self.app.store().is_writable().await.unwrap();
        }
    }

    /// Sends a request as it is.
    pub(crate) async fn send(&self, mut request: Request<Body>) -> Answer {
        let address = CallerAddress(Ipv4Addr::new(192, 0, 2, 7).into());
        request.extensions_mut().get_or_insert(address);
        request.headers_mut().entry(HOST).or_insert(HeaderValue::from_static("assay.example"));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, 4 << 20).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Asks for `path` with a bearer token.
    pub(crate) async fn get_as(&self, path: &str, token: &str) -> Answer {
        let request = Request::get(path).header("authorization", format!("Bearer {token}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a request without a body.
    pub(crate) async fn call(&self, method: Method, path: &str) -> Answer {
        self.send(Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Where the answer leads.
    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.body);
        self.header("location")
    }

    /// A parameter of the address where the answer leads.
    pub(crate) fn returned(&self, name: &str) -> Option<String> {
        let (_, query) = self.location().split_once('?').unwrap();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
    }
}

/// Writes pairs the way a form or a query carries them.
pub(crate) fn encode(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
