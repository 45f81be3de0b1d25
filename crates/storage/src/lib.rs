//! The store: a trait of coarse operations, [`Store`], and its adapters, [`SqliteStore`] and [`PostgresStore`]. The only crate that knows SQL.
//!
//! Times, ids of clients and hashes of secrets come in as values; a secret itself never does.

mod access_cache;
mod api_tokens;
mod audit;
mod audit_chain;
mod audit_event;
mod audit_filter;
mod audit_row;
mod authority;
mod authorization_codes;
mod backup;
mod cache_epochs;
mod cleaning;
mod client_secrets;
mod clients;
mod consents;
mod counts;
mod deleted_projects;
mod draft_sources;
mod error;
mod events;
mod events_keys;
mod found_schema;
mod grants;
mod idempotency;
mod identities;
mod installations;
mod invalidation;
mod invitations;
mod live;
mod live_numbers;
mod members;
mod moment_rows;
mod passkeys;
mod postgres;
mod preview_links;
mod projects;
mod refresh_rule;
mod resource_changes;
mod results_links;
mod revisions;
mod roles;
mod row;
mod schedules;
mod sessions;
mod signing_keys;
mod sqlite;
mod statements;
mod store;
mod stored;
mod traced;
mod webhooks;

pub use api_tokens::{
    API_TOKEN_LONGEST, API_TOKEN_USE_KNOWN_TO, API_TOKENS_AT_MOST, ApiTokenHolder, ApiTokenKinds,
    ApiTokenLine, ApiTokenStore, NewApiToken, ServiceRoleWithdrawal, WhichApiTokens,
};
pub use audit::{
    Act, ActorKind, AuditEntry, AuditKeeping, AuditMember, AuditSeal, AuditStore, CLOCK_STEADY_FOR,
    NewAuditEntry, ProjectChange, Refusal,
};
pub use audit_chain::{
    AuditChainStore, AuditHash, AuditHead, BrokenChain, ChainCheck, SealedEntry, UnsealedSpan,
};
pub use audit_event::AuditEvent;
pub use audit_filter::{AuditFilter, AuditPerson};
pub use authority::{ActingCredential, Authority};
pub use authorization_codes::{
    AddCodeOutcome, AuthorizationCodeStore, Consent, ExchangeCode, ExchangeOutcome,
    NewAuthorizationCode,
};
pub use backup::{
    Backup, BackupError, BackupSummary, Progress, RestoreError, RestoreSummary, RestoredTokens,
    origin::BackupOrigin,
};
pub use client_secrets::{AddSecretOutcome, ClientSecretStore};
pub use clients::{ChangeClient, ClientStore};
pub use consents::{ConnectedClient, ConsentStore};
pub use counts::{CountStore, Counted};
pub use deleted_projects::{DeletedProjectStore, ProjectDeletion};
pub use draft_sources::{DraftSource, DraftSourceStore};
pub use error::{Obstacle, OpenError, StorageError};
pub use events::{
    EventFile, EventLog, EventStore, EventWeight, LoggedEvents, LostEventDay, MovedEvents,
    NewEvents, Replacement,
};
pub use events_keys::{EventsKey, EventsKeyStore, NewEventsKey};
pub use found_schema::FoundSchema;
pub use grants::{
    AccessGrant, EndedEverything, GrantStore, Refresh, RefreshOutcome, Revoke, RevokeOutcome,
    Rotation,
};
pub use idempotency::{IdempotencyStore, KeyLease, KeyedRequest, KnownKey};
pub use identities::{Identity, IdentityStore, IdentityUse};
pub use installations::{Installation, InstallationStore, SnippetLoad};
pub use invitations::{
    AcceptOutcome, AcceptedByMember, AcceptedInvitation, AddInvitationOutcome, INVITATIONS_AT_MOST,
    INVITATIONS_TO_PROJECT_AT_MOST, Invitation, InvitationLimit, InvitationStore, NewInvitation,
};
pub use live::LiveStore;
pub use members::{
    ChoosePasswordOutcome, ChoosingSession, ChosenPassword, Member, MemberId, MemberStore,
    NewMember, RenewedHash, TemporaryPassword, UnreadableMemberId,
};
pub use passkeys::{
    AddPasskeyOutcome, AnsweredChallenge, FoundPasskey, NewPasskey, PasskeyLine, PasskeyStore,
    PasskeyUse, RenamePasskey,
};
pub use postgres::PostgresStore;
pub use preview_links::{
    OPENING_KNOWN_TO, PREVIEW_LINKS_AT_MOST, PreviewLinkStore, StoredPreviewLink,
};
pub use projects::{
    ChangeDraft, DraftDocument, ManagedBy, NewProject, ProjectHead, ProjectStore, ProjectSummary,
    StoredDraft, WhichProjects,
};
pub use resource_changes::{
    DraftChanges, HistoryEntry, HistoryFilter, LiveStamp, NO_FIELDS, PastChange, REVISION,
    ResourceChange, ResourceChangeKind, ResourceChangeStore, ResourceStamp,
};
pub use results_links::{NewResultsLink, RESULTS_LINKS_AT_MOST, ResultsLink, ResultsLinkStore};
pub use revisions::{
    DraftUpdate, ListRange, NewRevision, Precondition, Publication, PublishOutcome, Revision,
    RevisionLine, RevisionStore, SnippetEncoding, SnippetLengths,
};
pub use roles::{
    ChangeRoles, ChangeRolesOutcome, MemberLine, Role, RoleGrant, RoleStore, Voucher,
    roles_in_words,
};
pub use schedules::{KnownMoment, MomentOutcome, ScheduleStore, ScheduledAction, ScheduledMoment};
pub use sessions::{Earlier, NewSession, Proof, Session, SessionLine, SessionStore};
pub use signing_keys::{KeyUse, NewKeys};
pub use sqlite::{DatabaseFile, SqliteStore};
pub use store::{DatabaseLoad, Store};
pub use traced::TRACED;
pub use webhooks::{
    Announcement, DELIVERIES_KEPT_FOR, DeliveryAttempt, DeliveryOutcome, EARLIER_ATTEMPTS_AT_MOST,
    FurthestWaits, Lease, OF_PROJECT_AT_ONCE, OffBecause, SettledAttempt, SwitchOff,
    WEBHOOKS_AT_MOST, Webhook, WebhookDelivery, WebhookStore,
};
