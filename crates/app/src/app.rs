//! The handle that every use case takes. It is cheap to clone.

use std::net::IpAddr;
use std::sync::Arc;

use domain::ProjectId;
use oauth::{ClientId, CredentialHash, CredentialKind, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{Act, ActorKind, MemberId, Store};
use webauthn_rs::Webauthn;

use crate::audit::Refusals;
use crate::body_room::BodyRoom;
use crate::clock::Clock;
use crate::decisions::DeciderCache;
use crate::drafts::{DraftCache, EditQueue};
use crate::entropy::{Entropy, random};
use crate::events::{
    DamagedFiles, EventKeeping, EventNamesCache, EventRoom, OpenFolder, ServerSecret,
};
use crate::grants::TokenLocks;
use crate::heavy_work::{HeavyWork, Overloaded, Turn, Work};
use crate::identities::IdentityProvider;
use crate::installations::Loads;
use crate::mail::Mailer;
use crate::members::AddressCache;
use crate::monitor::Monitor;
use crate::passkeys::relying_party;
use crate::passwords::Passwords;
use crate::previews::PreviewCache;
use crate::projects::DescriptionCache;
use crate::public_url::PublicUrl;
use crate::publishing::{OldSnippetCache, RevisionCache, SnippetCache};
use crate::quota::{Quota, Quotas};
use crate::readiness::Readiness;
use crate::results::ResultsCache;
use crate::revisions::SizeCache;
use crate::sessions::{ForgottenThrottle, SignInThrottle};
use crate::setup::SET_UP_FAILURES;
use crate::throttle::{Allowance, Throttle};
use crate::webhooks::WebhookSender;

/// A client with a wrong secret retries in a loop. Its secret cannot be guessed; the limit spares the log and the network.
const CLIENT_FAILURES: Allowance = Allowance {
    failures: 200,
    forgotten_after_ms: 1_000,
    first_wait_ms: 1_000,
    longest_wait_ms: 1_000,
};

/// Behind one address there may be an office with a thousand visitors: three hundred batches at once, and fifty a second without end.
const EVENT_BATCHES: Allowance = Allowance {
    failures: 300,
    forgotten_after_ms: 20,
    first_wait_ms: 1_000,
    longest_wait_ms: 1_000,
};

/// The application: the store, the clock, randomness and whatever else use cases share.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// The parts of an [`App`]. Only the binary and tests choose these.
pub struct Parts {
    /// The durable store.
    pub store: Arc<dyn Store>,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The address at which clients reach this server; also the OAuth issuer.
    pub public_url: PublicUrl,
    /// Where members may sign in instead of here, if anywhere.
    pub identity_provider: Option<Arc<dyn IdentityProvider>>,
    /// How many changes per minute an application may make for a member.
    pub writes_per_minute: u32,
    /// How many reads of a whole document per minute it may request.
    pub heavy_reads_per_minute: u32,
    /// How many events of a project pages and apps may send per minute.
    pub events_per_minute: u32,
    /// What sends mail, if this server does.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// How events are kept.
    pub events: EventKeeping,
    /// What sends requests to webhooks. Without it, nothing is sent to them, and nothing announced.
    pub webhooks: Option<Arc<dyn WebhookSender>>,
}

/// A secret that this server issued: plain for its owner, hashed for the store.
pub(crate) struct IssuedCredential {
    pub(crate) credential: SecretString,
    pub(crate) hash: CredentialHash,
}

impl IssuedCredential {
    /// Makes a secret of this kind, issued at this moment, from unguessable random bytes.
    pub(crate) fn of(kind: CredentialKind, made_at: Timestamp, random: [u8; 32]) -> Self {
        let credential = oauth::mint(kind, made_at, random);
        let hash =
            oauth::hash(credential.expose_secret()).expect("a credential of ours can be hashed");
        Self { credential, hash }
    }
}

struct Inner {
    parts: Parts,
    monitor: Monitor,
    relying_party: Option<Webauthn>,
    passwords: Passwords,
    refusals: Refusals,
    token_locks: TokenLocks,
    edit_queue: EditQueue,
    loads: Loads,
    readiness: Readiness,
    heavy_work: HeavyWork,
    body_room: Arc<BodyRoom>,
    server_secret: ServerSecret,
    event_files: EventFiles,
    caches: Caches,
    limits: Limits,
}

/// What this process knows of the files of events, and of the room for more.
#[derive(Default)]
pub(crate) struct EventFiles {
    pub(crate) folder: OpenFolder,
    pub(crate) room: EventRoom,
    pub(crate) damaged: DamagedFiles,
}

/// What this process remembers of the store, so that it need not read, compile or compute it again.
#[derive(Default)]
pub(crate) struct Caches {
    pub(crate) addresses: AddressCache,
    pub(crate) snippets: SnippetCache,
    pub(crate) old_snippets: OldSnippetCache,
    pub(crate) revisions: RevisionCache,
    pub(crate) drafts: DraftCache,
    pub(crate) sizes: SizeCache,
    pub(crate) descriptions: DescriptionCache,
    pub(crate) deciders: DeciderCache,
    pub(crate) event_names: EventNamesCache,
    pub(crate) results: ResultsCache,
    pub(crate) previews: PreviewCache,
}

/// How often callers may fail, and how much they may do.
pub(crate) struct Limits {
    pub(crate) sign_in: SignInThrottle,
    pub(crate) forgotten_password: ForgottenThrottle,
    pub(crate) client_failures: Throttle,
    pub(crate) set_up_failures: Throttle,
    /// The batches that pages at each address sent.
    pub(crate) event_batches: Throttle,
    /// The batches with wrong keys from each address.
    pub(crate) wrong_events_keys: Throttle,
    pub(crate) project_events: Quotas<ProjectId>,
    writes: Quotas<(MemberId, ClientId)>,
    heavy_reads: Quotas<(MemberId, ClientId)>,
}

impl Limits {
    fn of(parts: &Parts) -> Self {
        Self {
            sign_in: SignInThrottle::default(),
            forgotten_password: ForgottenThrottle::default(),
            client_failures: Throttle::new(CLIENT_FAILURES),
            set_up_failures: Throttle::new(SET_UP_FAILURES),
            event_batches: Throttle::new(EVENT_BATCHES),
            wrong_events_keys: Throttle::new(EVENT_BATCHES),
            project_events: Quotas::new(parts.events_per_minute),
            writes: Quotas::new(parts.writes_per_minute),
            heavy_reads: Quotas::new(parts.heavy_reads_per_minute),
        }
    }
}

impl App {
    /// Assembles the application from its parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            relying_party: relying_party(&parts.public_url),
            limits: Limits::of(&parts),
            parts,
            monitor: Monitor::default(),
            passwords: Passwords::new(),
            refusals: Refusals::default(),
            token_locks: TokenLocks::default(),
            edit_queue: EditQueue::default(),
            loads: Loads::default(),
            readiness: Readiness::default(),
            heavy_work: HeavyWork::new(),
            body_room: Arc::default(),
            server_secret: ServerSecret::default(),
            event_files: EventFiles::default(),
            caches: Caches::default(),
        }))
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.0.parts.store
    }

    /// What operators watch.
    #[must_use]
    pub fn monitor(&self) -> &Monitor {
        &self.0.monitor
    }

    /// The current time, which never goes back.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.0.parts.clock.now()
    }

    /// The current time for what others compare with their own clocks: it may go back.
    #[must_use]
    pub fn wall_time(&self) -> Timestamp {
        self.0.parts.clock.wall_time()
    }

    /// Returns `LENGTH` random bytes.
    #[must_use]
    pub fn random<const LENGTH: usize>(&self) -> [u8; LENGTH] {
        random(&*self.0.parts.entropy)
    }

    /// The address at which clients reach this server; also the OAuth issuer.
    #[must_use]
    pub fn public_url(&self) -> &PublicUrl {
        &self.0.parts.public_url
    }

    /// Describes an act of this actor at the current time.
    pub(crate) fn act(&self, by: ActorKind, address: Option<IpAddr>) -> Act {
        Act { by, member: None, address, at: self.now() }
    }

    pub(crate) fn entropy(&self) -> &dyn Entropy {
        &*self.0.parts.entropy
    }

    /// Issues a new secret.
    pub(crate) fn issue_credential(&self, kind: CredentialKind) -> IssuedCredential {
        IssuedCredential::of(kind, self.now(), self.random())
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.0.passwords
    }

    /// This server as authenticators see it; `None` where browsers do not support passkeys.
    pub(crate) fn relying_party(&self) -> Option<&Webauthn> {
        self.0.relying_party.as_ref()
    }

    pub(crate) fn identity_provider(&self) -> Option<&dyn IdentityProvider> {
        self.0.parts.identity_provider.as_deref()
    }

    pub(crate) fn mailer(&self) -> Option<&dyn Mailer> {
        self.0.parts.mailer.as_deref()
    }

    pub(crate) fn webhook_sender(&self) -> Option<&dyn WebhookSender> {
        self.0.parts.webhooks.as_deref()
    }

    /// Whether this server sends requests to webhooks, and announces what happens to them.
    #[must_use]
    pub fn sends_webhooks(&self) -> bool {
        self.webhook_sender().is_some()
    }

    /// Whether this server sends mail.
    #[must_use]
    pub fn sends_mail(&self) -> bool {
        self.mailer().is_some()
    }

    pub(crate) fn token_locks(&self) -> &TokenLocks {
        &self.0.token_locks
    }

    pub(crate) fn refusals(&self) -> &Refusals {
        &self.0.refusals
    }

    pub(crate) fn readiness(&self) -> &Readiness {
        &self.0.readiness
    }

    pub(crate) fn caches(&self) -> &Caches {
        &self.0.caches
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn event_files(&self) -> &EventFiles {
        &self.0.event_files
    }

    /// Whether there is room for more events.
    #[must_use]
    pub fn event_room(&self) -> &EventRoom {
        &self.0.event_files.room
    }

    /// Counts a change that an application makes for a member.
    #[must_use]
    pub fn count_write(&self, member: MemberId, client_id: &ClientId) -> Quota {
        self.0.limits.writes.count((member, client_id.clone()), 1, self.now())
    }

    /// Counts a read of a whole document by an application for a member.
    #[must_use]
    pub fn count_heavy_read(&self, member: MemberId, client_id: &ClientId) -> Quota {
        self.0.limits.heavy_reads.count((member, client_id.clone()), 1, self.now())
    }

    /// Waits for a permit to do one more piece of heavy work.
    ///
    /// # Errors
    /// If too many requests wait already, or this one waits too long.
    pub async fn turn(&self, work: Work) -> Result<Turn, Overloaded> {
        self.heavy_work().turn(work).await
    }

    /// The room for the bodies of requests.
    #[must_use]
    pub fn body_room(&self) -> &Arc<BodyRoom> {
        &self.0.body_room
    }

    pub(crate) fn heavy_work(&self) -> &HeavyWork {
        &self.0.heavy_work
    }

    pub(crate) fn edit_queue(&self) -> &EditQueue {
        &self.0.edit_queue
    }

    pub(crate) fn event_keeping(&self) -> &EventKeeping {
        &self.0.parts.events
    }

    pub(crate) fn server_secret(&self) -> &ServerSecret {
        &self.0.server_secret
    }

    pub(crate) fn loads(&self) -> &Loads {
        &self.0.loads
    }
}
