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
    passwords: Passwords,
    relying_party: Option<Webauthn>,
    sign_in_throttle: SignInThrottle,
    forgotten_throttle: ForgottenThrottle,
    client_failures: Throttle,
    set_up_failures: Throttle,
    token_locks: TokenLocks,
    refusals: Refusals,
    readiness: Readiness,
    snippets: SnippetCache,
    old_snippets: OldSnippetCache,
    addresses: AddressCache,
    deciders: DeciderCache,
    previews: PreviewCache,
    drafts: DraftCache,
    descriptions: DescriptionCache,
    edit_queue: EditQueue,
    revisions: RevisionCache,
    sizes: SizeCache,
    loads: Loads,
    event_names: EventNamesCache,
    event_batches: Throttle,
    wrong_events_keys: Throttle,
    project_events: Quotas<ProjectId>,
    event_room: EventRoom,
    event_folder: OpenFolder,
    damaged_event_files: DamagedFiles,
    server_secret: ServerSecret,
    results: ResultsCache,
    heavy_work: HeavyWork,
    body_room: Arc<BodyRoom>,
    writes: Quotas<(MemberId, ClientId)>,
    heavy_reads: Quotas<(MemberId, ClientId)>,
}

impl App {
    /// Assembles the application from its parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let (writes, heavy_reads) = (parts.writes_per_minute, parts.heavy_reads_per_minute);
        let events = parts.events_per_minute;
        Self(Arc::new(Inner {
            relying_party: relying_party(&parts.public_url),
            parts,
            monitor: Monitor::default(),
            passwords: Passwords::new(),
            sign_in_throttle: SignInThrottle::default(),
            forgotten_throttle: ForgottenThrottle::default(),
            client_failures: Throttle::new(CLIENT_FAILURES),
            set_up_failures: Throttle::new(SET_UP_FAILURES),
            token_locks: TokenLocks::default(),
            refusals: Refusals::default(),
            readiness: Readiness::default(),
            snippets: SnippetCache::default(),
            old_snippets: OldSnippetCache::default(),
            addresses: AddressCache::default(),
            deciders: DeciderCache::default(),
            previews: PreviewCache::default(),
            drafts: DraftCache::default(),
            descriptions: DescriptionCache::default(),
            edit_queue: EditQueue::default(),
            revisions: RevisionCache::default(),
            sizes: SizeCache::default(),
            loads: Loads::default(),
            event_names: EventNamesCache::default(),
            event_batches: Throttle::new(EVENT_BATCHES),
            wrong_events_keys: Throttle::new(EVENT_BATCHES),
            project_events: Quotas::new(events),
            event_room: EventRoom::default(),
            event_folder: OpenFolder::default(),
            damaged_event_files: DamagedFiles::default(),
            server_secret: ServerSecret::default(),
            results: ResultsCache::default(),
            heavy_work: HeavyWork::new(),
            body_room: Arc::default(),
            writes: Quotas::new(writes),
            heavy_reads: Quotas::new(heavy_reads),
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

    pub(crate) fn sign_in_throttle(&self) -> &SignInThrottle {
        &self.0.sign_in_throttle
    }

    pub(crate) fn forgotten_throttle(&self) -> &ForgottenThrottle {
        &self.0.forgotten_throttle
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

    pub(crate) fn client_failures(&self) -> &Throttle {
        &self.0.client_failures
    }

    pub(crate) fn set_up_failures(&self) -> &Throttle {
        &self.0.set_up_failures
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

    pub(crate) fn snippets(&self) -> &SnippetCache {
        &self.0.snippets
    }

    pub(crate) fn old_snippets(&self) -> &OldSnippetCache {
        &self.0.old_snippets
    }

    pub(crate) fn addresses(&self) -> &AddressCache {
        &self.0.addresses
    }

    pub(crate) fn deciders(&self) -> &DeciderCache {
        &self.0.deciders
    }

    pub(crate) fn sizes(&self) -> &SizeCache {
        &self.0.sizes
    }

    pub(crate) fn previews(&self) -> &PreviewCache {
        &self.0.previews
    }

    /// Whether there is room for more events.
    #[must_use]
    pub fn event_room(&self) -> &EventRoom {
        &self.0.event_room
    }

    pub(crate) fn project_events(&self) -> &Quotas<ProjectId> {
        &self.0.project_events
    }

    /// Counts a change that an application makes for a member.
    #[must_use]
    pub fn count_write(&self, member: MemberId, client_id: &ClientId) -> Quota {
        self.0.writes.count((member, client_id.clone()), 1, self.now())
    }

    /// Counts a read of a whole document by an application for a member.
    #[must_use]
    pub fn count_heavy_read(&self, member: MemberId, client_id: &ClientId) -> Quota {
        self.0.heavy_reads.count((member, client_id.clone()), 1, self.now())
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

    pub(crate) fn drafts(&self) -> &DraftCache {
        &self.0.drafts
    }

    pub(crate) fn descriptions(&self) -> &DescriptionCache {
        &self.0.descriptions
    }

    pub(crate) fn edit_queue(&self) -> &EditQueue {
        &self.0.edit_queue
    }

    pub(crate) fn event_names(&self) -> &EventNamesCache {
        &self.0.event_names
    }

    /// The batches that pages at each address sent.
    pub(crate) fn event_batches(&self) -> &Throttle {
        &self.0.event_batches
    }

    /// The batches with wrong keys from each address.
    pub(crate) fn wrong_events_keys(&self) -> &Throttle {
        &self.0.wrong_events_keys
    }

    pub(crate) fn event_keeping(&self) -> &EventKeeping {
        &self.0.parts.events
    }

    pub(crate) fn event_folder(&self) -> &OpenFolder {
        &self.0.event_folder
    }

    pub(crate) fn damaged_event_files(&self) -> &DamagedFiles {
        &self.0.damaged_event_files
    }

    pub(crate) fn server_secret(&self) -> &ServerSecret {
        &self.0.server_secret
    }

    pub(crate) fn results(&self) -> &ResultsCache {
        &self.0.results
    }

    pub(crate) fn loads(&self) -> &Loads {
        &self.0.loads
    }

    pub(crate) fn revisions(&self) -> &RevisionCache {
        &self.0.revisions
    }
}
