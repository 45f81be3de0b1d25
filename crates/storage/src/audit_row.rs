//! How entries of the audit log are written into columns and read back: alike in both databases.

use std::net::IpAddr;

use oauth::Timestamp;

use crate::row::Row;
use crate::stored::{client_id, project_id, project_row_id};
use crate::{
    ActorKind, AuditEntry, AuditEvent, AuditHash, AuditMember, AuditSeal, MemberId, NewAuditEntry,
    ProjectChange, Refusal, StorageError,
};

/// How an entry's members are stored. Absent values are 0 or empty.
pub(crate) struct AuditColumns {
    pub(crate) at: i64,
    pub(crate) event: &'static str,
    pub(crate) actor: &'static str,
    pub(crate) member: i64,
    pub(crate) client_id: String,
    pub(crate) address: String,
    pub(crate) detail: String,
    pub(crate) project: i64,
    pub(crate) entity: String,
    pub(crate) change: String,
    pub(crate) request_id: String,
}

/// What entries that are counted have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CountKey<'c> {
    at: i64,
    event: &'c str,
    client_id: &'c str,
    member: i64,
    address: &'c str,
}

impl AuditColumns {
    pub(crate) fn count_key(&self) -> CountKey<'_> {
        let Self { at, event, member, client_id, address, .. } = self;
        CountKey { at: *at, event, client_id, member: *member, address }
    }
}

/// The value for no member; ids count from 1.
const NO_MEMBER: i64 = 0;

/// The value for no project.
const NO_PROJECT: i64 = 0;

impl From<&NewAuditEntry> for AuditColumns {
    fn from(entry: &NewAuditEntry) -> Self {
        let project = entry.project.clone();
        let (project, entity, change, request_id) = match project {
            Some(ProjectChange { id, entity, change, request_id }) => {
                (project_row_id(id), entity, change, request_id)
            }
            None => (NO_PROJECT, String::new(), String::new(), String::new()),
        };
        Self {
            at: entry.act.at.as_milliseconds(),
            event: entry.event.as_str(),
            actor: entry.act.by.as_str(),
            member: entry.member.map_or(NO_MEMBER, MemberId::to_row),
            client_id: entry.client_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            address: address_text(entry.act.address),
            detail: entry.detail.clone(),
            project,
            entity,
            change,
            request_id,
        }
    }
}

impl From<&Refusal> for AuditColumns {
    fn from(refusal: &Refusal) -> Self {
        Self {
            at: refusal.minute.as_milliseconds(),
            event: refusal.event.as_str(),
            actor: ActorKind::Unknown.as_str(),
            member: refusal.member.map_or(NO_MEMBER, MemberId::to_row),
            client_id: refusal.client_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            address: address_text(refusal.address),
            detail: String::new(),
            project: NO_PROJECT,
            entity: String::new(),
            change: String::new(),
            request_id: String::new(),
        }
    }
}

pub(crate) fn address_text(address: Option<IpAddr>) -> String {
    address.map(|address| address.to_string()).unwrap_or_default()
}

impl AuditEntry {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let text = |number| -> Result<_, StorageError> {
            Ok(Some(row.column::<String>(number)?).filter(|text| !text.is_empty()))
        };
        let member: i64 = row.column(4)?;
        let email = row.column(5)?;
        let id = (member != NO_MEMBER).then(|| MemberId::from_row(member));
        let event = AuditEvent::from_row(&row.column::<String>(2)?);
        let by = ActorKind::from_row(&row.column::<String>(3)?);
        let project = match text(11)? {
            Some(entity) => Some(ProjectChange {
                id: project_id(row.column(10)?)?,
                entity,
                change: row.column(12)?,
                request_id: row.column(13)?,
            }),
            None => None,
        };
        Ok(Self {
            id: row.column(0)?,
            at: Timestamp::from_milliseconds(row.column(1)?),
            event: event.ok_or_else(|| StorageError::corrupt("audit event"))?,
            by: by.ok_or_else(|| StorageError::corrupt("audit actor"))?,
            member: id.map(|id| AuditMember { id, email }),
            client_id: text(6)?.map(|id| client_id(&id)).transpose()?,
            address: text(7)?,
            detail: text(8)?,
            count: u32::try_from(row.column::<i64>(9)?).unwrap_or(u32::MAX),
            project,
            seal: seal(
                row.column(14)?,
                row.column::<Option<Vec<u8>>>(15)?.as_deref(),
                row.column::<Option<Vec<u8>>>(16)?.as_deref(),
            ),
        })
    }
}

/// An entry has all of these or none; this does not check whether they are right.
fn seal(number: Option<i64>, prev_hash: Option<&[u8]>, hash: Option<&[u8]>) -> Option<AuditSeal> {
    let read = |bytes: Option<&[u8]>| AuditHash::from_row(bytes?).ok();
    Some(AuditSeal { number: number?, prev_hash: read(prev_hash)?, hash: read(hash)? })
}
