//! The schema of the file: its tables, and the mark of its owner and version.

use rusqlite::{Connection, TransactionBehavior};

use crate::{FoundSchema, OpenError, StorageError};

/// Every step of the schema, in order. Steps are only ever added: each release must open the files of all before it.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/sqlite/0001_initial.sql"),
    include_str!("../../migrations/sqlite/0002_signing_key.sql"),
    include_str!("../../migrations/sqlite/0003_applications.sql"),
    include_str!("../../migrations/sqlite/0004_audit.sql"),
    include_str!("../../migrations/sqlite/0005_passkeys.sql"),
    include_str!("../../migrations/sqlite/0006_projects.sql"),
    include_str!("../../migrations/sqlite/0007_roles.sql"),
    include_str!("../../migrations/sqlite/0008_schedules.sql"),
    include_str!("../../migrations/sqlite/0009_audit_chain.sql"),
    include_str!("../../migrations/sqlite/0010_temporary_passwords.sql"),
    include_str!("../../migrations/sqlite/0011_application_scopes.sql"),
    include_str!("../../migrations/sqlite/0012_resource_changes.sql"),
    include_str!("../../migrations/sqlite/0013_preview_links.sql"),
    include_str!("../../migrations/sqlite/0014_api_tokens.sql"),
    include_str!("../../migrations/sqlite/0015_installations.sql"),
    include_str!("../../migrations/sqlite/0016_invitations.sql"),
    include_str!("../../migrations/sqlite/0017_revision_lines.sql"),
    include_str!("../../migrations/sqlite/0018_identities.sql"),
    include_str!("../../migrations/sqlite/0019_events.sql"),
    include_str!("../../migrations/sqlite/0020_event_file.sql"),
    include_str!("../../migrations/sqlite/0021_results_links.sql"),
    include_str!("../../migrations/sqlite/0022_events_key.sql"),
    include_str!("../../migrations/sqlite/0023_sent_event_file.sql"),
    include_str!("../../migrations/sqlite/0024_webhooks.sql"),
    include_str!("../../migrations/sqlite/0025_draft_sources.sql"),
    include_str!("../../migrations/sqlite/0026_earlier_webhook_attempts.sql"),
    include_str!("../../migrations/sqlite/0027_event_log_last_at.sql"),
    include_str!("../../migrations/sqlite/0028_deleted_projects.sql"),
    include_str!("../../migrations/sqlite/0029_lost_event_days.sql"),
    include_str!("../../migrations/sqlite/0030_idempotency_leases.sql"),
    include_str!("../../migrations/sqlite/0031_vouching_members.sql"),
    include_str!("../../migrations/sqlite/0032_webhook_members.sql"),
];

/// Marks a file as ours: "Assa" in ASCII.
const APPLICATION_ID: i32 = 0x4173_7361;

/// A new file is empty; any other must be one of ours before anything in it is touched. One statement, because another process
/// may be making the file ours at this moment.
pub(super) fn check_owner(connection: &Connection) -> Result<(), OpenError> {
    let is_ours_or_empty = connection.query_row(
        "SELECT application_id = $1 OR NOT EXISTS (SELECT 1 FROM sqlite_schema) \
         FROM pragma_application_id",
        [APPLICATION_ID],
        |row| row.get(0),
    )?;
    if is_ours_or_empty { Ok(()) } else { Err(OpenError::Foreign) }
}

/// Brings the tables up to date.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    // Immediate: of several processes that start at once, one migrates and the others find it done.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (found, steps) = (number(&transaction)?, steps_due(&transaction)?);
    if steps.is_empty() {
        return Ok(transaction.commit()?);
    }
    let is_older = found > 0;
    if is_older {
        tracing::info!("the database is migrated: schema {found} → {}", known());
    }
    take(&transaction, steps)?;
    mark(&transaction)?;
    transaction.commit()?;
    if is_older {
        tracing::info!("the database is migrated to schema {}", known());
    }
    Ok(())
}

/// The steps that the file has not seen. An error if it has seen more than there are.
pub(super) fn steps_due(connection: &Connection) -> Result<&'static [&'static str], OpenError> {
    let found = number(connection)?;
    MIGRATIONS.get(found as usize..).ok_or(OpenError::Newer { found, known: known() })
}

/// What opening the file would do to it.
pub(super) fn find(connection: &Connection) -> Result<FoundSchema, OpenError> {
    check_owner(connection)?;
    steps_due(connection)?;
    Ok(FoundSchema::of(number(connection)?, known()))
}

/// The first damage of the file that the engine finds. Indexes are not compared with their tables, which would take many times as long.
pub(super) fn find_damage(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((found != "ok").then(|| found.replace('\n', ": ")))
}

/// Takes these steps, within a transaction.
pub(super) fn take(connection: &Connection, steps: &[&str]) -> rusqlite::Result<()> {
    steps.iter().try_for_each(|step| connection.execute_batch(step))
}

/// Marks the file as ours, and as up to date.
pub(super) fn mark(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", known())
}

fn known() -> u32 {
    u32::try_from(MIGRATIONS.len()).expect("migrations are few")
}

/// A write that reaches the disk and changes nothing.
pub(super) fn rewrite_number(connection: &Connection) -> Result<(), StorageError> {
    let number = number(connection)?;
    Ok(connection.pragma_update(None, "user_version", number)?)
}

/// How many of the migrations the file has seen.
pub(super) fn number(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
