//! Takes what was measured elsewhere: rows of exposures and events, which count as if they had come from pages.

use std::collections::HashMap;

use domain::{MeasuredProperties, ProjectId};
use events::limits::FAULTS_REPORTED;
use events::{
    Amount, ColumnNames, EventFault, EventId, EventRow, ExposureRow, FaultCode, FileProperties,
    Marks, Millis, Occurrence, Record, Visitor,
};
use oauth::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use storage::{AuditEvent, NewAuditEntry, StorageError};
use thiserror::Error;

use crate::App;
use crate::events::log::log_row;
use crate::events::names::{EventNames, Hints, live_names};
use crate::events::visitors::VisitorKey;
use crate::projects::require_project;
use crate::publishing::{live_number, read_revision};
use crate::roles::{Actor, Permission, RoleError};

/// Events of an import that become a row of the log.
const EVENTS_IN_A_ROW: usize = 500;

/// Clocks differ by less.
const AHEAD_MS: i64 = 600_000;

/// Separates the ids of imported rows from those that senders choose.
const PURPOSE: &[u8] = b"assay imported row";

/// The rows of a file.
#[derive(Debug, Clone)]
pub enum ImportedRows {
    /// Who was given which variation.
    Exposures(Vec<ExposureRow>),
    /// Who did what.
    Events(Vec<EventRow>),
}

/// What became of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many rows are kept, those among them that are there already.
    pub accepted: u64,
    /// How many are not.
    pub rejected: u64,
    /// What is wrong with the first of these.
    pub faults: Vec<RefusedRow>,
}

/// A row that is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRow {
    /// Its place among the rows, from 0.
    pub place: usize,
    /// What is wrong with it.
    pub detail: String,
}

/// Why nothing is taken.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The actor may not do it.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// Nothing of the project is live, whose names the rows have.
    #[error("nothing of the project is live yet")]
    NotPublished,
    /// The live project is archived.
    #[error(
        "the live project is archived, and takes no events; hint: restore and publish it first"
    )]
    Archived,
    /// Where events are kept is no room for more.
    #[error(
        "the disk is nearly full: not all rows are imported; hint: import them again once there is room, each counts once"
    )]
    NoRoom,
}

impl From<StorageError> for ImportError {
    fn from(error: StorageError) -> Self {
        Self::Role(error.into())
    }
}

/// The properties that metrics of the live project ask for: none if nothing is live.
///
/// # Errors
/// If the store does not answer.
pub async fn measured_properties(
    app: &App,
    project: ProjectId,
) -> Result<MeasuredProperties, StorageError> {
    let Some(number) = live_number(app, project).await? else {
        return Ok(MeasuredProperties::default());
    };
    let live = read_revision(app, project, number).await?;
    Ok(live.map(|live| live.project.measured_properties()).unwrap_or_default())
}

/// The columns of a file with those of the properties that metrics ask for.
#[must_use]
pub fn with_measured(columns: ColumnNames, measured: MeasuredProperties) -> ColumnNames {
    let MeasuredProperties { names, numbers, booleans } = measured;
    columns.with_properties(FileProperties { names, numbers, booleans })
}

/// Keeps the rows that are right. A row has an id that is made of what it says, so that one that was imported before is the same event.
///
/// # Errors
/// See [`ImportError`].
pub async fn import_rows(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    rows: ImportedRows,
) -> Result<Imported, ImportError> {
    actor.require(app, Some(project), Permission::SendEvents).await?;
    let Some(names) = live_names(app, project).await? else {
        require_project(app, project).await?;
        return Err(ImportError::NotPublished);
    };
    if names.is_archived {
        return Err(ImportError::Archived);
    }
    let key = VisitorKey::of_project(app, project).await?;
    let received_at = app.wall_time();
    let (hints, oldest) = (Hints::default(), oldest(app, received_at));
    let context = ImportContext { names: &names, hints, key, received_at, oldest };
    let kind = match &rows {
        ImportedRows::Exposures(_) => "exposures",
        ImportedRows::Events(_) => "events",
    };
    let (mut imported, mut records) = (Imported::default(), Vec::new());
    let mut known = HashMap::new();
    let mut take = |place: usize, record: Result<Record, EventFault>| match record {
        Ok(record) => records.push(record),
        Err(wrong) => {
            imported.rejected += 1;
            if imported.faults.len() < FAULTS_REPORTED {
                imported.faults.push(RefusedRow { place, detail: wrong.detail });
            }
        }
    };
    match rows {
        ImportedRows::Exposures(rows) => {
            (0..).zip(rows).for_each(|(place, row)| take(place, context.exposure(&row)));
        }
        ImportedRows::Events(rows) => {
            (0..).zip(rows).for_each(|(place, row)| take(place, context.event(row, &mut known)));
        }
    }
    let kept = keep(app, (project, received_at), &mut records, &mut imported.accepted).await;
    // Also of what was kept before it failed.
    if imported.accepted > 0 {
        let entry = actor.entry(app, AuditEvent::EventsImported, (project, "events"), &Value::Null);
        let detail = format!("{kind}: {} rows", imported.accepted);
        app.store().add_audit_entry(NewAuditEntry { detail, ..entry }).await?;
    }
    kept.map(|()| imported)
}

/// Writes them into the log, and counts what is there.
async fn keep(
    app: &App,
    (project, received_at): (ProjectId, Timestamp),
    records: &mut [Record],
    accepted: &mut u64,
) -> Result<(), ImportError> {
    for part in rows_of_log(records) {
        let row = log_row(project, received_at, part)?;
        let Some(_room) = app.event_room().take(row.body.len() as u64) else {
            return Err(ImportError::NoRoom);
        };
        app.store().log_events(row).await?;
        *accepted += part.len() as u64;
    }
    Ok(())
}

/// Each row of the log has events of one day, so that it is deleted when that day is too old.
fn rows_of_log(records: &mut [Record]) -> impl Iterator<Item = &[Record]> {
    records.sort_by_key(|record| record.at);
    let days = records.chunk_by(|one, next| one.at.day() == next.at.day());
    days.flat_map(|day| day.chunks(EVENTS_IN_A_ROW))
}

/// What is older is deleted at once.
fn oldest(app: &App, now: Timestamp) -> Millis {
    let now = Millis(now.as_milliseconds());
    app.event_keeping().days.map_or(Millis(0), |days| now.before_days(days))
}

struct ImportContext<'a> {
    names: &'a EventNames,
    hints: Hints,
    key: VisitorKey,
    received_at: Timestamp,
    oldest: Millis,
}

impl ImportContext<'_> {
    fn exposure(&self, row: &ExposureRow) -> Result<Record, EventFault> {
        let what = self.names.exposed(row)?;
        let record = self.record(&row.visitor, row.at, what)?;
        Ok(Record { marks: Marks { is_held_back: row.is_held_back, ..record.marks }, ..record })
    }

    fn event(
        &self,
        row: EventRow,
        known: &mut HashMap<EventId, u32>,
    ) -> Result<Record, EventFault> {
        let EventRow { visitor, at, name, value, revenue, properties, id } = row;
        self.names.know(&name, &self.hints)?;
        let properties = properties.into();
        let what = Occurrence::Event { name, revenue, value, properties };
        let record = self.record(&visitor, at, what)?;
        Ok(match id {
            Some(id) => Record { id: EventId::of(&id), ..record },
            None => told_apart(record, known),
        })
    }

    fn record(&self, id: &str, at: Millis, what: Occurrence) -> Result<Record, EventFault> {
        let received = Millis(self.received_at.as_milliseconds());
        if at < self.oldest {
            return Err(bad_value("`time` is longer ago than events are kept"));
        }
        if at.0 > received.0.saturating_add(AHEAD_MS) {
            return Err(bad_value("`time` is in the future"));
        }
        let visitor = self.key.visitor(id);
        let id = EventId::from_bytes(id_of(visitor, at, &what));
        let marks = Marks { is_trusted: true, ..Marks::default() };
        Ok(Record { id, visitor, at, received, what, marks })
    }
}

fn bad_value(detail: &str) -> EventFault {
    EventFault { code: FaultCode::BadValue, detail: detail.to_owned() }
}

/// Of events that look alike, such as two orders of a visitor on a day, each is one: the second of a file is the second of the same file
/// tomorrow.
fn told_apart(record: Record, known: &mut HashMap<EventId, u32>) -> Record {
    let before = known.entry(record.id).or_default();
    let place = std::mem::replace(before, *before + 1);
    if place == 0 {
        return record;
    }
    let digest = Sha256::new()
        .chain_update(PURPOSE)
        .chain_update(id_of(record.visitor, record.at, &record.what))
        .chain_update(place.to_be_bytes());
    Record { id: EventId::from_bytes(short(&digest.finalize())), ..record }
}

/// The same for the same row, whenever it is imported. With what a visitor came, on which page, and what metrics asked for is no part of it:
/// the same export may have a column more later.
fn id_of(visitor: Visitor, at: Millis, what: &Occurrence) -> [u8; 16] {
    let digest = Sha256::new()
        .chain_update(PURPOSE)
        .chain_update(visitor.number().to_be_bytes())
        .chain_update(at.0.to_be_bytes());
    let number = |digest: Sha256, number: u64| digest.chain_update(number.to_be_bytes());
    let digest = match what {
        Occurrence::Exposure { campaign, experiment, variation, .. } => {
            [*campaign, *experiment, *variation].into_iter().fold(digest.chain_update(b"x"), number)
        }
        Occurrence::Event { name, revenue: _, value, properties: _ } => {
            let millionths = value.map(Amount::millionths);
            // As JSON, so that no two rows are written alike.
            let said = json!([name, null, millionths, {}]);
            digest.chain_update(b"e").chain_update(said.to_string())
        }
    };
    short(&digest.finalize())
}

fn short(digest: &[u8]) -> [u8; 16] {
    std::array::from_fn(|place| digest[place])
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet, HashMap};

    use events::{Amount, Browser, EventId, Marks, Millis, Occurrence, Record, UserAgent, Visitor};

    use super::{id_of, told_apart};

    #[test]
    fn rows_of_different_visitors_moments_names_or_values_are_different_events() {
        let bought = |name: &str, value: Option<i64>, color: Option<&str>| {
            let revenue = color.map(|_| 1999);
            let color = color.map(|color| ("color".to_owned(), color.to_owned()));
            let value = value.map(Amount::from_millionths);
            let properties = BTreeMap::from_iter(color).into();
            Occurrence::Event { name: name.to_owned(), revenue, value, properties }
        };
        let shown = |variation, browser| {
            let agent = UserAgent { browser, device: None };
            Occurrence::Exposure { campaign: 1, experiment: 2, variation, agent, page: None }
        };
        let rows = [
            bought("buy", None, None),
            bought("buy", Some(1), None),
            bought("look", None, None),
            shown(3, None),
            shown(4, None),
        ];

        let id =
            |visitor, at, what: &Occurrence| id_of(Visitor::from_number(visitor), Millis(at), what);
        let known = shown(3, Some(Browser::Safari));
        let mut ids: BTreeSet<_> = rows.iter().map(|row| id(1, 5, row)).collect();
        ids.extend([id(2, 5, &rows[0]), id(1, 6, &rows[0])]);

        assert_eq!(ids.len(), rows.len() + 2);
        let told_more = bought("buy", None, Some("red"));
        assert_eq!(id(1, 5, &rows[0]), id(1, 5, &told_more), "a metric asks for more");
        assert_eq!(id(1, 5, &rows[3]), id(1, 5, &known), "a later export tells more");
    }

    #[test]
    fn events_that_look_alike_are_as_many_as_there_are_rows() {
        let what = Occurrence::Event {
            name: "buy".to_owned(),
            revenue: None,
            value: None,
            properties: BTreeMap::new().into(),
        };
        let (visitor, at) = (Visitor::from_number(1), Millis(5));
        let id = EventId::from_bytes(id_of(visitor, at, &what));
        let row = Record { id, visitor, at, received: at, what, marks: Marks::default() };
        let import = || {
            let mut known = HashMap::new();
            [(); 3].map(|()| told_apart(row.clone(), &mut known).id.bytes())
        };

        assert_eq!(BTreeSet::from(import()).len(), 3);
        assert_eq!(import(), import());
        // As version 0.1.0 has them in its files.
        let known: [u128; 3] = [
            0x35de_89ac_bb5a_d555_c895_66fa_7002_c21e,
            0x5e48_1f48_9369_32fc_55bf_b4b1_1682_c92f,
            0xda94_f700_ca3d_bf2e_7e3e_b5e5_4f93_9dce,
        ];
        assert_eq!(import(), known.map(|id| EventId::from_bytes(id.to_be_bytes()).bytes()));
    }
}
