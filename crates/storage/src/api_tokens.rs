//! API tokens, as they are stored: those that members make for programs. A personal token acts for its member; the token of a service
//! acts for the service, which is stored as a member who never signs in.

use async_trait::async_trait;
use domain::API_TOKEN_CLIENT_PREFIX;
use oauth::{ClientId, CredentialHash, Lifetime, ScopeSet, Timestamp};

use crate::access_cache::CachedToken;
use crate::invalidation::Invalidation;
use crate::row::Row;
use crate::statements::api_tokens::{
    LIST_API_TOKENS, LIST_API_TOKENS_OF_MEMBER, LIST_API_TOKENS_SEEN_BY,
};
use crate::stored::{client_id, credential_hash, scope};
use crate::{
    AccessGrant, AuditEvent, Authority, ListRange, MemberId, NewAuditEntry, RoleGrant, StorageError,
};

/// How long a token lives at most: a pipeline gets a new one once a year.
pub const API_TOKEN_LONGEST: Lifetime = Lifetime::from_seconds(366 * 24 * 3_600);

/// How many personal tokens of one member work at a time, and how many tokens of services that one member made: more than people keep an
/// overview of.
pub const API_TOKENS_AT_MOST: i64 = 100;

/// How precisely it is known when a token was last used.
pub const API_TOKEN_USE_KNOWN_TO: Lifetime = Lifetime::from_seconds(3_600);

/// How long an expired token stays in the list, which tells why a pipeline fails.
pub(crate) const API_TOKEN_KEPT_AFTER_EXPIRY: Lifetime = Lifetime::from_seconds(30 * 24 * 3_600);

/// API tokens. [`crate::GrantStore::find_access_token`] finds what they allow.
#[async_trait]
pub trait ApiTokenStore: Send + Sync + 'static {
    /// Adds a token, and its service if it is for one; returns whether it did, which it does not where its member has, or a service's maker
    /// has made, [`API_TOKENS_AT_MOST`]. An operator makes as many services as they like. [`StorageError::Conflict`] if another service signs so, [`StorageError::SignedOut`] if the authority
    /// has ended.
    async fn add_api_token(&self, token: NewApiToken) -> Result<bool, StorageError>;

    /// These tokens, with all roles of their services, those made last first; also such as expired a while ago.
    async fn list_api_tokens(
        &self,
        which: WhichApiTokens,
        page: ListRange,
    ) -> Result<Vec<ApiTokenLine>, StorageError>;

    /// The token with this id.
    async fn lookup_api_token(&self, id: &str) -> Result<Option<ApiTokenLine>, StorageError>;

    /// Removes a token, and its service if it is of one; returns whether there was one.
    async fn remove_api_token(&self, id: &str, entry: NewAuditEntry) -> Result<bool, StorageError>;

    /// Takes a role from the service of a token; returns whether it had exactly this one. A service without any role may do nothing: it goes
    /// with its last one, and its token with it, as services go with their only project.
    async fn withdraw_service_role(
        &self,
        withdrawal: ServiceRoleWithdrawal,
    ) -> Result<bool, StorageError>;
}

/// Which tokens a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichApiTokens {
    /// Those of the whole server.
    All(ApiTokenKinds),
    /// Those of this member or service.
    OfMember(MemberId),
    /// Those of this member or service, and those of services that reach a project in which it is an admin or owner: by a role there, or for
    /// the whole server.
    SeenBy(MemberId, ApiTokenKinds),
}

/// The kinds of tokens in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiTokenKinds {
    /// Personal ones and those of services.
    Every,
    /// Those of services.
    OfServices,
}

impl WhichApiTokens {
    /// What lists them, and its values.
    pub(crate) fn statement(self, page: ListRange) -> (&'static str, Vec<i64>) {
        let (statement, mut values) = match self {
            Self::All(kinds) => (LIST_API_TOKENS, vec![kinds.least()]),
            Self::OfMember(member) => (LIST_API_TOKENS_OF_MEMBER, vec![member.to_row()]),
            Self::SeenBy(member, kinds) => {
                (LIST_API_TOKENS_SEEN_BY, vec![kinds.least(), member.to_row()])
            }
        };
        values.extend([i64::from(page.per_page), page.skipped()]);
        (statement, values)
    }
}

impl ApiTokenKinds {
    /// The least value of `member.is_service`.
    pub(crate) const fn least(self) -> i64 {
        match self {
            Self::Every => 0,
            Self::OfServices => 1,
        }
    }
}

/// A token to add.
#[derive(Debug)]
pub struct NewApiToken {
    /// On whose authority.
    pub authority: Authority,
    /// Its id, which is public.
    pub id: String,
    /// Its hash.
    pub hash: CredentialHash,
    /// Its name for people.
    pub name: String,
    /// For whom it acts.
    pub holder: ApiTokenHolder,
    /// What it allows.
    pub scope: ScopeSet,
    /// Who made it, in words for people.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// The entry of the audit log.
    pub entry: NewAuditEntry,
}

/// For whom a new token acts.
#[derive(Debug)]
pub enum ApiTokenHolder {
    /// For a member.
    Member(MemberId),
    /// For a service, which is added with the token.
    Service {
        /// The name with which it signs what it does: no other service has it.
        signature: String,
        /// Its roles.
        roles: Vec<RoleGrant>,
    },
}

/// A role to take from a service.
#[derive(Debug, Clone)]
pub struct ServiceRoleWithdrawal {
    /// The id of the service's token.
    pub token: String,
    /// The role, as it was when that was decided.
    pub role: RoleGrant,
    /// The entry of the audit log; the removal of the token has a second one.
    pub entry: NewAuditEntry,
}

impl ServiceRoleWithdrawal {
    /// The entry for a token that goes with the last role of its service.
    pub(crate) fn entry_of_removal(&self) -> NewAuditEntry {
        NewAuditEntry { event: AuditEvent::ApiTokenRemoved, ..self.entry.clone() }
    }
}

/// A token in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiTokenLine {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The member or service for whom it acts.
    pub holder: MemberId,
    /// The member's address, or the name with which the service signs.
    pub holder_name: String,
    /// Whether it acts for a service.
    pub is_service: bool,
    /// The roles of the service; none for a member, who acts with theirs.
    pub service_roles: Vec<RoleGrant>,
    /// What it allows.
    pub scope: ScopeSet,
    /// Who made it, in words for people.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was last used, known to an hour.
    pub last_used_at: Option<Timestamp>,
}

impl ApiTokenLine {
    /// A token, with one role of its service.
    pub(crate) fn and_role(row: &impl Row) -> Result<(Self, Option<RoleGrant>), StorageError> {
        let id: String = row.column(0)?;
        let line = Self::from_row(row).map_err(|error| error.in_row("api_token", &id))?;
        let has_role = row.column::<Option<i64>>(10)?.is_some();
        let role = has_role.then(|| RoleGrant::from_row(row, [10, 11, 12])).transpose();
        let role = role.map_err(|error| error.in_row("member_role", line.holder))?;
        Ok((line, role))
    }

    /// The tokens of rows among which those of each token stand together.
    pub(crate) fn of_rows(rows: Vec<(Self, Option<RoleGrant>)>) -> Vec<Self> {
        let mut lines: Vec<Self> = Vec::new();
        for (line, role) in rows {
            if lines.last().is_none_or(|last| last.id != line.id) {
                lines.push(line);
            }
            if let Some(line) = lines.last_mut() {
                line.service_roles.extend(role);
            }
        }
        lines
    }

    fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let last_used_at: Option<i64> = row.column(9)?;
        Ok(Self {
            id: row.column(0)?,
            name: row.column(1)?,
            holder: MemberId::from_row(row.column(2)?),
            holder_name: row.column(3)?,
            is_service: row.column::<i64>(4)? != 0,
            service_roles: Vec::new(),
            scope: scope(&row.column::<String>(5)?)?,
            made_by: row.column(6)?,
            made_at: Timestamp::from_milliseconds(row.column(7)?),
            expires_at: Timestamp::from_milliseconds(row.column(8)?),
            last_used_at: last_used_at.map(Timestamp::from_milliseconds),
        })
    }
}

/// A token that was found by its hash.
pub(crate) struct FoundApiToken {
    pub(crate) id: String,
    pub(crate) token: CachedToken,
    /// Whether its last use is to be written down anew.
    pub(crate) is_use_news: bool,
}

/// API tokens belong to no family; ids of families begin at 1.
const NO_FAMILY: i64 = 0;

impl FoundApiToken {
    /// The token with this hash. It is cached no longer than its use is known, so that the next use is written down.
    pub(crate) fn from_row(
        hash: CredentialHash,
        now: Timestamp,
        row: &impl Row,
    ) -> Result<Self, StorageError> {
        let id: String = row.column(0)?;
        let grant = AccessGrant {
            member: MemberId::from_row(row.column(1)?),
            client_id: client_of(&id)?,
            scope: scope(&row.column::<String>(2)?)
                .map_err(|error| error.in_row("api_token", &id))?,
            expires_at: Timestamp::from_milliseconds(row.column(3)?),
        };
        let last_used_at: Option<i64> = row.column(4)?;
        let known =
            last_used_at.map(|used| Timestamp::from_milliseconds(used) + API_TOKEN_USE_KNOWN_TO);
        let is_use_news = known.is_none_or(|known| known <= now);
        let known_until = known.filter(|_| !is_use_news).unwrap_or(now + API_TOKEN_USE_KNOWN_TO);
        let trusted_until = grant.expires_at.min(known_until);
        let token = CachedToken { hash, family: NO_FAMILY, grant, trusted_until };
        Ok(Self { id, token, is_use_news })
    }

    /// Whether the token is valid, and was not made by a clock that was far ahead.
    pub(crate) fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.token.grant.expires_at.is_end_of_something_good(API_TOKEN_LONGEST, now)
    }
}

/// What a token is as a client: where the server tells programs apart (quotas, repeated requests, the audit log), each token is one.
fn client_of(id: &str) -> Result<ClientId, StorageError> {
    client_id(&format!("{API_TOKEN_CLIENT_PREFIX}{id}"))
}

/// What removing a token takes with it.
pub(crate) struct RemovedApiToken {
    pub(crate) hash: CredentialHash,
    pub(crate) holder: i64,
}

impl RemovedApiToken {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self { hash: credential_hash(&row.column::<Vec<u8>>(0)?)?, holder: row.column(1)? })
    }

    /// Which cached entries are out of date: without its member's row, a service may do nothing.
    pub(crate) fn invalidations(&self) -> [Invalidation; 2] {
        [Invalidation::Token(self.hash), Invalidation::Roles(MemberId::from_row(self.holder))]
    }
}
