//! The audit log, as it is stored: who did what to whom, when and from where. Never a secret.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use domain::ProjectId;
use oauth::{ClientId, Lifetime, Timestamp};

use crate::row::Row;
use crate::stored::project_id;
use crate::{
    AuditEvent, AuditFilter, AuditHash, ChangeRoles, ExchangeCode, ListRange, MemberId,
    NewAuthorizationCode, NewMember, OffBecause, Refresh, Revoke, ScheduledMoment, StorageError,
    roles_in_words,
};

/// The audit log. Every other operation writes its own entry in its own commit.
#[async_trait]
pub trait AuditStore: Send + Sync + 'static {
    /// Writes down what no other operation does.
    async fn add_audit_entry(&self, entry: NewAuditEntry) -> Result<(), StorageError>;

    /// Counts refusals, each with its number of times.
    async fn count_refusals(&self, refusals: Vec<(Refusal, u32)>) -> Result<(), StorageError>;

    /// The entries that fit, newest first.
    async fn search_audit_entries(
        &self,
        filter: AuditFilter,
        page: ListRange,
    ) -> Result<Vec<AuditEntry>, StorageError>;

    /// How many entries fit.
    async fn count_audit_entries(&self, filter: AuditFilter) -> Result<u64, StorageError>;

    /// The audit log, newest entries first.
    async fn list_audit_entries(&self, page: ListRange) -> Result<Vec<AuditEntry>, StorageError> {
        self.search_audit_entries(AuditFilter::default(), page).await
    }
}

/// For how long the clock has to be steady before a process deletes what cannot be brought back. The clock of events is the same.
pub const CLOCK_STEADY_FOR: Duration = Duration::from_hours(1);

/// How long a server keeps entries of the audit log.
#[derive(Debug, Clone, Copy)]
pub struct AuditKeeping {
    /// What is older is deleted.
    pub kept_for: Lifetime,
    /// Once the clock has been steady for so long.
    pub clock_steady_for: Duration,
}

impl AuditKeeping {
    /// Keeps entries for so long by a clock that is believed after [`CLOCK_STEADY_FOR`].
    #[must_use]
    pub const fn of(kept_for: Lifetime) -> Self {
        Self { kept_for, clock_steady_for: CLOCK_STEADY_FOR }
    }

    /// The time of the youngest entries that are deleted, if the clock is believed.
    pub(crate) fn ends(self, present: Timestamp, steady_for: Duration) -> Option<Timestamp> {
        (steady_for >= self.clock_steady_for).then(|| present - self.kept_for)
    }
}

/// The actor of an operation, from where and when. The operation that takes it is the act.
#[derive(Debug, Clone, Copy)]
pub struct Act {
    /// Who.
    pub by: ActorKind,
    /// The acting member, if the act is on another member or on something else.
    pub member: Option<MemberId>,
    /// From where, if it came over the network.
    pub address: Option<IpAddr>,
    /// When.
    pub at: Timestamp,
}

/// Who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorKind {
    /// The member of the entry.
    Member,
    /// The client of the entry.
    Client,
    /// An operator at the terminal.
    Command,
    /// A project file that was published.
    ProjectFile,
    /// The schedule of a campaign: its time had come.
    Schedule,
    /// Unknown: they did not prove who they are.
    Unknown,
}

/// An entry to write down.
#[derive(Debug, Clone)]
pub struct NewAuditEntry {
    /// What happened.
    pub event: AuditEvent,
    /// Who did it, from where and when.
    pub act: Act,
    /// The member it is about.
    pub member: Option<MemberId>,
    /// The client it is about.
    pub client_id: Option<ClientId>,
    /// A detail in a word or two: a scope, the id of a secret, the changed field.
    pub detail: String,
    /// What it changes in a project.
    pub project: Option<ProjectChange>,
}

/// A change of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectChange {
    /// The project.
    pub id: ProjectId,
    /// What of it: `campaign 3001`.
    pub entity: String,
    /// What has changed: a JSON Patch (RFC 6902), or nothing where that says nothing.
    pub change: String,
    /// The request that asked for it.
    pub request_id: String,
}

impl NewAuditEntry {
    /// An act on a member, by themselves unless the entry names another actor.
    pub(crate) fn of_member(event: AuditEvent, member: MemberId, detail: &str, act: Act) -> Self {
        let (member, detail) = match act.member {
            Some(other) if other != member => (other, format!("member {member}: {detail}")),
            Some(_) | None => (member, detail.to_owned()),
        };
        Self { event, act, member: Some(member), client_id: None, detail, project: None }
    }

    pub(crate) fn of_client(
        event: AuditEvent,
        client_id: &ClientId,
        detail: &str,
        act: Act,
    ) -> Self {
        let client_id = Some(client_id.clone());
        Self { event, act, member: act.member, client_id, detail: detail.to_owned(), project: None }
    }

    /// A member who has proved their address has no password any more: another person may have chosen it.
    pub(crate) fn of_ended_password(member: MemberId, act: Act) -> Self {
        Self::of_member(AuditEvent::PasswordChanged, member, "ended: the address is proved", act)
    }

    /// A member was added, with these roles.
    pub(crate) fn of_new_member(member: MemberId, new: &NewMember) -> Self {
        let detail = format!("{}: {}", new.email, roles_in_words(&new.roles));
        let entry = Self::of_member(AuditEvent::MemberAdded, member, &detail, new.act);
        Self { client_id: new.through.clone(), ..entry }
    }

    /// A member with this address has other roles, or is gone.
    pub(crate) fn of_roles(change: &ChangeRoles, email: &str) -> Self {
        let before = roles_in_words(&change.before);
        let (event, detail) = match &change.after {
            Some(after) => {
                let after = roles_in_words(after);
                (AuditEvent::RolesChanged, format!("{email}: {before} → {after}"))
            }
            None => (AuditEvent::MemberRemoved, format!("{email}: {before}")),
        };
        let entry = Self::of_member(event, change.member, &detail, change.act);
        Self { client_id: change.through.clone(), ..entry }
    }

    /// A webhook, of which this row has the id and the project, is switched off because the member is removed on whose word it sent.
    pub(crate) fn of_webhook_of_removed(
        row: &impl Row,
        removal: &ChangeRoles,
    ) -> Result<Self, StorageError> {
        let entity = format!("webhook {}", row.column::<String>(0)?);
        let id = project_id(row.column(1)?)?;
        Ok(Self {
            event: AuditEvent::WebhookSwitchedOff,
            act: removal.act,
            member: removal.act.member,
            client_id: removal.through.clone(),
            detail: OffBecause::MemberRemoved.as_str().to_owned(),
            project: Some(ProjectChange {
                id,
                entity,
                change: String::new(),
                request_id: String::new(),
            }),
        })
    }

    pub(crate) fn of_consent(code: &NewAuthorizationCode, address: Option<IpAddr>) -> Self {
        let act = Act { by: ActorKind::Member, member: None, address, at: code.now };
        Self {
            client_id: Some(code.client_id.clone()),
            ..Self::of_member(AuditEvent::ConsentAllowed, code.member, &code.scope.to_string(), act)
        }
    }

    pub(crate) fn of_disconnecting(member: MemberId, client_id: &ClientId, act: Act) -> Self {
        let client_id = Some(client_id.clone());
        Self { client_id, ..Self::of_member(AuditEvent::ApplicationDisconnected, member, "", act) }
    }

    /// A token with this id and name has ended with all that acts for its member.
    pub(crate) fn of_removed_api_token(
        member: MemberId,
        (id, name): (&str, &str),
        act: Act,
    ) -> Self {
        Self::of_member(AuditEvent::ApiTokenRemoved, member, &format!("{name} ({id})"), act)
    }

    pub(crate) fn of_everything(at: Timestamp) -> Self {
        let act = Act { by: ActorKind::Command, member: None, address: None, at };
        let detail = String::new();
        let event = AuditEvent::EverythingEnded;
        Self { event, act, member: None, client_id: None, detail, project: None }
    }

    pub(crate) fn of_missed(moment: ScheduledMoment, at: Timestamp) -> Self {
        let project = ProjectChange {
            id: moment.project,
            entity: format!("campaign {}", moment.campaign),
            change: String::new(),
            request_id: String::new(),
        };
        Self {
            event: AuditEvent::ScheduleMissed,
            act: Act { by: ActorKind::Schedule, member: None, address: None, at },
            member: None,
            client_id: None,
            detail: moment.action.as_str().to_owned(),
            project: Some(project),
        }
    }

    /// The entry of a publication, once the revision has its number.
    pub(crate) fn of_revision(mut self, number: u32) -> Self {
        if let Some(project) = &mut self.project {
            project.entity = format!("revision {number}");
        }
        self
    }
}

/// A client did something with a token or a code, from where and when. In whose name, the store knows.
pub(crate) struct ClientAct<'a> {
    client_id: &'a ClientId,
    pub(crate) address: Option<IpAddr>,
    pub(crate) at: Timestamp,
}

impl ClientAct<'_> {
    pub(crate) fn entry(&self, event: AuditEvent, member: MemberId, detail: &str) -> NewAuditEntry {
        let act = Act { by: ActorKind::Client, member: None, address: self.address, at: self.at };
        let client_id = Some(self.client_id.clone());
        NewAuditEntry { client_id, ..NewAuditEntry::of_member(event, member, detail, act) }
    }
}

impl<'a> From<&'a ExchangeCode> for ClientAct<'a> {
    fn from(exchange: &'a ExchangeCode) -> Self {
        Self { client_id: &exchange.client_id, address: exchange.address, at: exchange.now }
    }
}

impl<'a> From<&'a Refresh> for ClientAct<'a> {
    fn from(refresh: &'a Refresh) -> Self {
        Self { client_id: &refresh.client_id, address: refresh.address, at: refresh.now }
    }
}

impl<'a> From<&'a Revoke> for ClientAct<'a> {
    fn from(revoke: &'a Revoke) -> Self {
        Self { client_id: &revoke.client_id, address: revoke.address, at: revoke.now }
    }
}

/// A refusal, counted within one minute. Clients that prove nothing cause these, so they are counted rather than listed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// What was refused.
    pub event: AuditEvent,
    /// The named member, if there is one.
    pub member: Option<MemberId>,
    /// The client that was named, if there is such a client.
    pub client_id: Option<ClientId>,
    /// Where it came from, as precisely as it is recorded.
    pub address: Option<IpAddr>,
    /// When the minute began.
    pub minute: Timestamp,
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number; later entries have higher ones.
    pub id: i64,
    /// When; the first time, where it is counted.
    pub at: Timestamp,
    /// What happened.
    pub event: AuditEvent,
    /// Who did it.
    pub by: ActorKind,
    /// The member it is about.
    pub member: Option<AuditMember>,
    /// The client it is about.
    pub client_id: Option<ClientId>,
    /// From where.
    pub address: Option<String>,
    /// More of it, in a word or two.
    pub detail: Option<String>,
    /// How often it happened.
    pub count: u32,
    /// What it changed in a project.
    pub project: Option<ProjectChange>,
    /// Its place in the chain, once it has one.
    pub seal: Option<AuditSeal>,
}

/// What an entry is sealed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditSeal {
    /// Its number in the chain, from 1.
    pub number: i64,
    /// The hash of the entry before it.
    pub prev_hash: AuditHash,
    /// Its own hash.
    pub hash: AuditHash,
}

/// A member in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditMember {
    /// The id.
    pub id: MemberId,
    /// The address they sign in with, unless they are no member any more.
    pub email: Option<String>,
}

impl ActorKind {
    const ALL: [Self; 6] = [
        Self::Member,
        Self::Client,
        Self::Command,
        Self::ProjectFile,
        Self::Schedule,
        Self::Unknown,
    ];

    /// The actor as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Client => "client",
            Self::Command => "command",
            Self::ProjectFile => "project_file",
            Self::Schedule => "schedule",
            Self::Unknown => "unknown",
        }
    }

    pub(crate) fn from_row(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|actor| actor.as_str() == text)
    }
}
