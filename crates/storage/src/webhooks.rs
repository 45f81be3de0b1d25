//! Webhooks, and what is announced to them, as they are stored. Never a secret: only what it is derived from.

use async_trait::async_trait;
use domain::{ExperimentId, ProjectId};
use oauth::{Lifetime, Timestamp};
use serde_json::Value;

use crate::row::Row;
use crate::stored::project_id;
use crate::{Authority, ListRange, MemberId, NewAuditEntry, StorageError};

/// An operator at the terminal among the members of webhooks. Ids of members begin at 1.
const OPERATOR: i64 = 0;

/// How many webhooks a project has: each is a request for every event.
pub const WEBHOOKS_AT_MOST: i64 = 20;

/// Deliveries of a project that servers are at together: its receivers may be slow, and others wait behind them.
pub const OF_PROJECT_AT_ONCE: i64 = 8;

/// How long the log of deliveries goes back. The last attempt is made within four days.
pub const DELIVERIES_KEPT_FOR: Lifetime = Lifetime::from_seconds(30 * 24 * 3_600);

/// How many attempts of a delivery are listed beside the last: all, unless members sent it again.
pub const EARLIER_ATTEMPTS_AT_MOST: u32 = 20;

/// Webhooks of projects, and what is delivered to them.
#[async_trait]
pub trait WebhookStore: Send + Sync + 'static {
    /// Keeps a webhook; returns whether it did, which it does not where the project has [`WEBHOOKS_AT_MOST`].
    /// [`StorageError::SignedOut`] if the authority has ended.
    async fn add_webhook(
        &self,
        new: (Authority, Webhook),
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// The webhook with this id, of whichever project.
    async fn find_webhook(&self, id: &str) -> Result<Option<Webhook>, StorageError>;

    /// The webhooks of a project, those made first first.
    async fn list_webhooks(&self, project: ProjectId) -> Result<Vec<Webhook>, StorageError>;

    /// Makes a webhook this, if its version is still the one given; returns whether it was. [`StorageError::SignedOut`] if the authority has
    /// ended.
    async fn change_webhook(
        &self,
        changed: (Authority, Webhook),
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// Removes a webhook of a project with all its deliveries; returns whether there was one.
    async fn remove_webhook(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// The projects with a webhook that is switched on.
    async fn list_announcing_projects(&self) -> Result<Vec<ProjectId>, StorageError>;

    /// Announces something about the results of an experiment, unless it was announced before under this mark. Returns whether it did.
    async fn announce_result(
        &self,
        project: ProjectId,
        experiment: (ExperimentId, &str),
        announcement: Announcement,
    ) -> Result<bool, StorageError>;

    /// Announces something to one webhook, whichever events it wants; returns whether it is there and switched on.
    async fn announce_to_webhook(
        &self,
        webhook: &str,
        announcement: Announcement,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// A part of the deliveries to a webhook, the newest first, and how many there are.
    async fn list_webhook_deliveries(
        &self,
        webhook: &str,
        page: ListRange,
    ) -> Result<(Vec<WebhookDelivery>, u64), StorageError>;

    /// A delivery to a webhook.
    async fn find_webhook_delivery(
        &self,
        webhook: &str,
        message: &str,
    ) -> Result<Option<WebhookDelivery>, StorageError>;

    /// The webhooks of a project that get nothing for now, as their receivers asked for, and until when.
    async fn list_webhook_holds(
        &self,
        project: ProjectId,
        at: Timestamp,
    ) -> Result<Vec<(String, Timestamp)>, StorageError>;

    /// Makes a delivery due once more, as if it had never been tried; returns whether it did: its webhook is switched on, and no server is at it.
    async fn redeliver_to_webhook(
        &self,
        webhook: &str,
        message: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// When the next delivery can be claimed, if any waits.
    async fn next_webhook_delivery(
        &self,
        furthest: FurthestWaits,
    ) -> Result<Option<Timestamp>, StorageError>;

    /// Claims so many deliveries that are due, one of each webhook and none of a webhook that a server is at, and [`OF_PROJECT_AT_ONCE`] of a
    /// project. Until the lease is over, no other server gets them. What waits beyond the furthest moments waits no more.
    async fn claim_webhook_deliveries(
        &self,
        lease: Lease,
        furthest: FurthestWaits,
        at_most: u32,
    ) -> Result<Vec<WebhookDelivery>, StorageError>;

    /// Notes what came of an attempt; returns whether the lease still held. With `switch_off`, the webhook is switched off.
    async fn settle_webhook_delivery(
        &self,
        attempt: SettledAttempt,
        switch_off: Option<SwitchOff>,
    ) -> Result<bool, StorageError>;
}

/// Where a project announces what happens in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// Its project.
    pub project: ProjectId,
    /// Where requests go. The address of some receivers is all that one needs to write to them.
    pub url: String,
    /// What it is for, in the words of a member.
    pub description: String,
    /// The names of the events that it wants; none are all.
    pub events: Vec<String>,
    /// Whether it is switched on.
    pub is_enabled: bool,
    /// Why Assay switched it off, if it did.
    pub off_because: Option<OffBecause>,
    /// What its secret is derived from.
    pub nonce: String,
    /// What its secret before was derived from, and until when that signs as well.
    pub former_nonce: Option<(String, Timestamp)>,
    /// The member on whose word it sends: who added it, gave it another address or switched it on last; `None` is an operator. When they are
    /// removed, it is switched off.
    pub member: Option<MemberId>,
    /// Who made it, in words for people.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Counts its changes.
    pub version: i64,
}

/// Why Assay switched a webhook off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffBecause {
    /// The receiver answered `410 Gone`.
    Gone,
    /// The member on whose word it sent was removed.
    MemberRemoved,
}

/// That Assay switches a webhook off.
#[derive(Debug, Clone)]
pub struct SwitchOff {
    /// Why.
    pub because: OffBecause,
    /// Where the request went that was answered so: a webhook that has another address by now stays on.
    pub url: String,
    /// Its audit entry.
    pub entry: NewAuditEntry,
}

/// Something that happened in a project.
#[derive(Debug, Clone, PartialEq)]
pub struct Announcement {
    /// Its id.
    pub message: String,
    /// The name of the event.
    pub event: String,
    /// When it happened.
    pub at: Timestamp,
    /// What is told about it.
    pub body: Value,
}

/// An announcement to a webhook, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    /// The webhook.
    pub webhook: String,
    /// The id of the message.
    pub message: String,
    /// The name of the event.
    pub event: String,
    /// The body of the request.
    pub body: String,
    /// When it was announced.
    pub made_at: Timestamp,
    /// When it is tried next, if it is.
    pub due_at: Option<Timestamp>,
    /// How often it was tried.
    pub attempts: u32,
    /// What came of it so far.
    pub outcome: DeliveryOutcome,
    /// The last attempt, if one has ended.
    pub last: Option<DeliveryAttempt>,
    /// The attempts before it, the newest first, [`EARLIER_ATTEMPTS_AT_MOST`]. Those that are claimed have none.
    pub earlier: Vec<DeliveryAttempt>,
    /// Until when the receiver wanted nothing for the webhook, if it said so in the last attempt.
    pub held_until: Option<Timestamp>,
}

/// What came of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// Nothing yet.
    Due,
    /// The receiver has it.
    Delivered,
    /// The receiver did not take it, and it is not tried again.
    Failed,
}

/// An attempt to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryAttempt {
    /// When.
    pub at: Timestamp,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// How long it took.
    pub took_ms: u32,
    /// The beginning of the answer, or why there was none.
    pub answer: String,
}

/// For how long a server has what it claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Now.
    pub at: Timestamp,
    /// Until then.
    pub until: Timestamp,
}

/// The furthest moments until which something waits. What is said to wait beyond was written while the clock was ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FurthestWaits {
    /// Of a webhook that is held, or that a server is at.
    pub leased_until: Timestamp,
    /// Of a delivery that is tried again.
    pub due_at: Timestamp,
}

/// What came of an attempt.
#[derive(Debug, Clone)]
pub struct SettledAttempt {
    /// The webhook.
    pub webhook: String,
    /// The message.
    pub message: String,
    /// Until when the delivery was leased.
    pub leased_until: Timestamp,
    /// The attempt.
    pub attempt: DeliveryAttempt,
    /// What the delivery came to.
    pub outcome: DeliveryOutcome,
    /// When it is tried again, if it is.
    pub due_at: Option<Timestamp>,
    /// Until when its webhook gets nothing, if the receiver asked for that.
    pub held_until: Option<Timestamp>,
}

impl SettledAttempt {
    /// A held webhook is one that a server is at, so to speak.
    pub(crate) fn leased_anew(&self) -> i64 {
        self.held_until.map_or(0, Timestamp::as_milliseconds)
    }
}

impl OffBecause {
    /// The reason as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::MemberRemoved => "member_removed",
        }
    }

    fn from_row(text: &str) -> Result<Option<Self>, StorageError> {
        match text {
            "" => Ok(None),
            "gone" => Ok(Some(Self::Gone)),
            "member_removed" => Ok(Some(Self::MemberRemoved)),
            _ => Err(StorageError::corrupt("reason of a webhook")),
        }
    }
}

impl DeliveryOutcome {
    /// The outcome as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    fn from_row(text: &str) -> Result<Self, StorageError> {
        let all = [Self::Due, Self::Delivered, Self::Failed];
        let found = all.into_iter().find(|outcome| outcome.as_str() == text);
        found.ok_or_else(|| StorageError::corrupt("outcome of a delivery"))
    }
}

impl Announcement {
    /// It is about the revision with this number, which was not known before.
    #[must_use]
    pub(crate) fn of_revision(mut self, number: u32) -> Self {
        self.body["data"]["revision"] = number.into();
        self
    }
}

/// How an experiment id is stored.
pub(crate) fn experiment_row_id(id: ExperimentId) -> i64 {
    i64::try_from(id.get()).expect("ids are below 2^53")
}

/// A webhook as the columns that may change.
pub(crate) struct WebhookRow {
    pub(crate) events: String,
    pub(crate) is_enabled: i64,
    pub(crate) off_because: &'static str,
    pub(crate) former_nonce: String,
    pub(crate) former_until: i64,
    pub(crate) member: i64,
}

impl From<&Webhook> for WebhookRow {
    fn from(webhook: &Webhook) -> Self {
        let (former_nonce, former_until) = match &webhook.former_nonce {
            Some((nonce, until)) => (nonce.clone(), until.as_milliseconds()),
            None => (String::new(), 0),
        };
        Self {
            events: webhook.events.join(" "),
            is_enabled: i64::from(webhook.is_enabled),
            off_because: webhook.off_because.map_or("", OffBecause::as_str),
            former_nonce,
            former_until,
            member: webhook.member.map_or(OPERATOR, MemberId::to_row),
        }
    }
}

impl Webhook {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let (former, member): (String, i64) = (row.column(8)?, row.column(13)?);
        let former_until = Timestamp::from_milliseconds(row.column(9)?);
        Ok(Self {
            id: row.column(0)?,
            project: project_id(row.column(1)?)?,
            url: row.column(2)?,
            description: row.column(3)?,
            events: row.column::<String>(4)?.split_whitespace().map(str::to_owned).collect(),
            is_enabled: row.column::<i64>(5)? != 0,
            off_because: OffBecause::from_row(&row.column::<String>(6)?)?,
            nonce: row.column(7)?,
            former_nonce: (!former.is_empty()).then_some((former, former_until)),
            made_by: row.column(10)?,
            made_at: Timestamp::from_milliseconds(row.column(11)?),
            version: row.column(12)?,
            member: (member != OPERATOR).then(|| MemberId::from_row(member)),
        })
    }
}

impl WebhookDelivery {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let moment = |column| -> Result<Option<Timestamp>, StorageError> {
            Ok(row.column::<Option<i64>>(column)?.map(Timestamp::from_milliseconds))
        };
        let last = moment(8)?.map(|at| DeliveryAttempt::from_row(at, row, 9)).transpose()?;
        Ok(Self {
            webhook: row.column(0)?,
            message: row.column(1)?,
            event: row.column(2)?,
            body: row.column(3)?,
            made_at: Timestamp::from_milliseconds(row.column(4)?),
            due_at: moment(5)?,
            attempts: number(row.column(6)?),
            outcome: DeliveryOutcome::from_row(&row.column::<String>(7)?)?,
            last,
            earlier: Vec::new(),
            held_until: moment(12)?,
        })
    }

    /// With the attempts that are about it.
    pub(crate) fn with_earlier(mut self, attempts: &[EarlierAttempt]) -> Self {
        let about = attempts.iter().filter(|earlier| earlier.message == self.message);
        self.earlier = about.map(|earlier| earlier.attempt.clone()).collect();
        self
    }
}

/// A webhook that gets nothing until then.
pub(crate) fn hold_from_row(row: &impl Row) -> Result<(String, Timestamp), StorageError> {
    Ok((row.column(0)?, Timestamp::from_milliseconds(row.column(1)?)))
}

/// An attempt to deliver a message, before the last one.
pub(crate) struct EarlierAttempt {
    message: String,
    attempt: DeliveryAttempt,
}

impl EarlierAttempt {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let at = Timestamp::from_milliseconds(row.column(1)?);
        Ok(Self { message: row.column(0)?, attempt: DeliveryAttempt::from_row(at, row, 2)? })
    }
}

impl DeliveryAttempt {
    /// From three columns, of which `column` is the first.
    fn from_row(at: Timestamp, row: &impl Row, column: usize) -> Result<Self, StorageError> {
        let took_ms: Option<i64> = row.column(column + 1)?;
        Ok(Self {
            at,
            status: row.column::<Option<i64>>(column)?.and_then(|status| status.try_into().ok()),
            took_ms: number(took_ms.unwrap_or_default()),
            answer: row.column(column + 2)?,
        })
    }
}

fn number(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
