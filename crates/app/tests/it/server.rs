//! A server without HTTP: the application on a store in a temporary folder, with a clock that stands still until a story moves it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use app::audit::AUDIT_KEPT_FOR;
use app::projects::create_project;
use app::roles::{ActingApplication, ActingMember, Actor};
use app::{App, EVENTS_PER_MINUTE, HEAVY_READS_PER_MINUTE, Parts, PublicUrl, WRITES_PER_MINUTE};
use domain::ProjectId;
use oauth::ScopeSet;
use serde_json::json;
use storage::{
    Act, ActingCredential, ActorKind, AuditEntry, AuditKeeping, Authority, ListRange, MemberId,
    NewMember, NewSession, Proof, Role, RoleGrant, SqliteStore,
};
use tempfile::TempDir;

use crate::controlled::{HandClock, SeededEntropy};
use crate::receiver::Receiver;

/// The address that members act from.
pub(crate) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

/// The hash of a password that no story signs in with.
pub(crate) const PASSWORD_HASH: &str = "$argon2id$…";

/// More than any story makes of anything.
pub(crate) const ALL: ListRange = ListRange { page: 1, per_page: 100 };

/// The application, and what a story moves.
pub(crate) struct Server {
    pub(crate) app: App,
    /// The receivers of webhooks.
    pub(crate) receiver: Arc<Receiver>,
    clock: Arc<HandClock>,
    folder: TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), Arc::default())
    }

    /// Another server on what this one stored.
    pub(crate) fn restarted(self) -> Self {
        let Self { app, clock, folder, receiver: _ } = self;
        drop(app);
        Self::start_in(folder, clock)
    }

    fn start_in(folder: TempDir, clock: Arc<HandClock>) -> Self {
        let receiver = Arc::<Receiver>::default();
        let file = folder.path().join("assay.db");
        let store = SqliteStore::open_to_serve(&file, AuditKeeping::of(AUDIT_KEPT_FOR)).unwrap();
        let app = App::new(Parts {
            store: Arc::new(store),
            clock: clock.clone(),
            entropy: Arc::new(SeededEntropy::default()),
            public_url: PublicUrl::parse("https://assay.example").unwrap(),
            identity_provider: None,
            writes_per_minute: WRITES_PER_MINUTE,
            heavy_reads_per_minute: HEAVY_READS_PER_MINUTE,
            events_per_minute: EVENTS_PER_MINUTE,
            mailer: None,
            events: app::events::EventKeeping::default(),
            webhooks: Some(receiver.clone()),
        });
        Self { app, receiver, clock, folder }
    }

    pub(crate) fn advance_seconds(&self, seconds: i64) {
        self.clock.advance_seconds(seconds);
    }

    pub(crate) fn set_clock_back_seconds(&self, seconds: i64) {
        self.clock.set_back_seconds(seconds);
    }

    /// A member who never signs in by password, in the console.
    pub(crate) async fn member(&self, name: &str, roles: &[RoleGrant]) -> Actor {
        let id = self.member_id(name, roles).await;
        let session = oauth::hash(&format!("session of {name}")).unwrap();
        let started = NewSession {
            hash: session,
            id: name.to_owned(),
            member: id,
            proof: Proof::Password(PASSWORD_HASH.to_owned()),
            browser: String::new(),
            replaced: None,
            act: Act { by: ActorKind::Member, member: None, address: None, at: self.app.now() },
        };
        self.app.store().add_session(started).await.unwrap();
        Actor::in_session(id, session, Some(ADDRESS))
    }

    /// The same, as the store knows them.
    pub(crate) async fn member_id(&self, name: &str, roles: &[RoleGrant]) -> MemberId {
        for project in roles.iter().filter_map(|role| role.project) {
            self.add_missing_project(project).await;
        }
        let act = Act { by: ActorKind::Command, member: None, address: None, at: self.app.now() };
        let member = NewMember {
            email: format!("{name}@example.com"),
            password_hash: PASSWORD_HASH.to_owned(),
            is_password_temporary: false,
            roles: roles.to_vec(),
            through: None,
            act,
        };
        self.app.store().add_member(member, Authority::Operator).await.unwrap()
    }

    /// A role is in a project that there is.
    async fn add_missing_project(&self, id: ProjectId) {
        if self.app.store().find_project(id).await.unwrap().is_none() {
            let project = json!({"id": id, "key": format!("p{id}")});
            let project = project.as_object().unwrap().clone();
            create_project(&self.app, &Actor::Command, project).await.unwrap();
        }
    }

    /// The audit log, the newest entry first.
    pub(crate) async fn audit(&self) -> Vec<AuditEntry> {
        self.app.store().list_audit_entries(ALL).await.unwrap()
    }
}

/// A role in a project, or for the whole server.
pub(crate) fn grant(role: Role, project: Option<&str>) -> RoleGrant {
    let project = project.map(|project| project.parse().unwrap());
    RoleGrant { project, role, is_code_allowed: role >= Role::Admin }
}

/// A member who acts through a program with a token of this scope.
pub(crate) fn through_program(actor: &Actor, scope: &str) -> Actor {
    let scope = ScopeSet::parse(scope).unwrap();
    let through = Some(ActingApplication { client_id: "reports".parse().unwrap(), scope });
    let (id, request_id) = (actor.member().unwrap(), "from-the-story".to_owned());
    let (address, credential) = (Some(ADDRESS), credential_of(actor));
    Actor::Member(ActingMember { id, through, credential, address, request_id })
}

/// What a member acts with.
fn credential_of(actor: &Actor) -> Option<ActingCredential> {
    match actor {
        Actor::Command => None,
        Actor::Member(member) => member.credential,
    }
}
