//! The schema of the database: its tables, and the mark of its owner and version.

use deadpool_postgres::{GenericClient, Object, Transaction};

use super::statements::transactions::{TAKE_YOUR_TIME, WAIT_YOUR_TURN};
use crate::{FoundSchema, OpenError};

/// Every step of the schema, in order. Steps are only ever added: each release must open the databases of all before it.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/postgres/0001_initial.sql"),
    include_str!("../../migrations/postgres/0002_signing_key.sql"),
    include_str!("../../migrations/postgres/0003_applications.sql"),
    include_str!("../../migrations/postgres/0004_audit.sql"),
    include_str!("../../migrations/postgres/0005_passkeys.sql"),
    include_str!("../../migrations/postgres/0006_projects.sql"),
    include_str!("../../migrations/postgres/0007_roles.sql"),
    include_str!("../../migrations/postgres/0008_schedules.sql"),
    include_str!("../../migrations/postgres/0009_audit_chain.sql"),
    include_str!("../../migrations/postgres/0010_temporary_passwords.sql"),
    include_str!("../../migrations/postgres/0011_application_scopes.sql"),
    include_str!("../../migrations/postgres/0012_resource_changes.sql"),
    include_str!("../../migrations/postgres/0013_preview_links.sql"),
    include_str!("../../migrations/postgres/0014_api_tokens.sql"),
    include_str!("../../migrations/postgres/0015_installations.sql"),
    include_str!("../../migrations/postgres/0016_invitations.sql"),
    include_str!("../../migrations/postgres/0017_revision_lines.sql"),
    include_str!("../../migrations/postgres/0018_identities.sql"),
    include_str!("../../migrations/postgres/0019_events.sql"),
    include_str!("../../migrations/postgres/0020_event_file.sql"),
    include_str!("../../migrations/postgres/0021_results_links.sql"),
    include_str!("../../migrations/postgres/0022_events_key.sql"),
    include_str!("../../migrations/postgres/0023_sent_event_file.sql"),
    include_str!("../../migrations/postgres/0024_webhooks.sql"),
    include_str!("../../migrations/postgres/0025_draft_sources.sql"),
    include_str!("../../migrations/postgres/0026_earlier_webhook_attempts.sql"),
    include_str!("../../migrations/postgres/0027_event_log_last_at.sql"),
    include_str!("../../migrations/postgres/0028_deleted_projects.sql"),
    include_str!("../../migrations/postgres/0029_lost_event_days.sql"),
    include_str!("../../migrations/postgres/0030_idempotency_leases.sql"),
];

/// The oldest server that its makers still mend.
const OLDEST_SERVER: i32 = 14;

/// Of several processes that start at once, one migrates and the others find it done. Project ids, which are locks too, are positive.
const LOCK: &str = "SELECT pg_advisory_xact_lock(-1)";

const SERVER_VERSION: &str = "SELECT current_setting('server_version_num')::int / 10000";

/// Where new tables go is ours if our mark is there, or if there is no table at all.
const WHOSE: &str = "\
    SELECT to_regclass(quote_ident(current_schema()) || '.assay_schema') IS NOT NULL, \
        EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema()), \
        current_schema() IS NOT NULL";

const MARK: &str = "\
    CREATE TABLE assay_schema (version BIGINT NOT NULL); \
    INSERT INTO assay_schema (version) VALUES (0)";

const FIND_VERSION: &str = "SELECT version FROM assay_schema";

const PUT_VERSION: &str = "UPDATE assay_schema SET version = $1";

/// Brings the tables up to date; makes them where there is nothing yet.
pub(super) async fn migrate(database: &mut Object) -> Result<(), OpenError> {
    let transaction = begin(database).await?;
    let steps = steps_due(&transaction).await?;
    if !steps.is_empty() {
        take(&transaction, steps).await?;
        mark(&transaction).await?;
    }
    Ok(transaction.commit().await?)
}

/// Begins a transaction that may change the tables, in a database that is empty or ours and from now on bears our mark. No other
/// process does the same meanwhile.
pub(super) async fn begin(database: &mut Object) -> Result<Transaction<'_>, OpenError> {
    let server: i32 = database.query_one(SERVER_VERSION, &[]).await?.try_get(0)?;
    if server < OLDEST_SERVER {
        return Err(OpenError::OldServer { found: server, oldest: OLDEST_SERVER });
    }
    let transaction = database.transaction().await?;
    for setting in [TAKE_YOUR_TIME, WAIT_YOUR_TURN, LOCK] {
        transaction.batch_execute(setting).await?;
    }
    if !is_ours(&transaction).await? {
        transaction.batch_execute(MARK).await?;
    }
    Ok(transaction)
}

/// The steps that the database has not seen. An error if it has seen more than there are.
pub(super) async fn steps_due(
    database: &impl GenericClient,
) -> Result<&'static [&'static str], OpenError> {
    let found = number(database).await?;
    MIGRATIONS.get(found as usize..).ok_or(OpenError::Newer { found, known: known() })
}

/// What opening the database would do to it.
pub(super) async fn find(database: &mut Object) -> Result<FoundSchema, OpenError> {
    let snapshot = database.build_transaction().read_only(true).start().await?;
    if !is_ours(&snapshot).await? {
        return Ok(FoundSchema::Empty);
    }
    steps_due(&snapshot).await?;
    Ok(FoundSchema::of(number(&snapshot).await?, known()))
}

/// How many of the migrations a database of ours has seen.
pub(super) async fn number(database: &impl GenericClient) -> Result<u32, OpenError> {
    let found: i64 = database.query_one(FIND_VERSION, &[]).await?.try_get(0)?;
    u32::try_from(found).map_err(|_| OpenError::Foreign)
}

/// Takes these steps.
pub(super) async fn take(database: &impl GenericClient, steps: &[&str]) -> Result<(), OpenError> {
    for step in steps {
        database.batch_execute(step).await?;
    }
    Ok(())
}

/// Marks the database as up to date.
pub(super) async fn mark(database: &impl GenericClient) -> Result<(), OpenError> {
    database.execute(PUT_VERSION, &[&i64::from(known())]).await?;
    Ok(())
}

fn known() -> u32 {
    u32::try_from(MIGRATIONS.len()).expect("migrations are few")
}

/// Whether the mark is there; an error if other tables are.
pub(super) async fn is_ours(database: &impl GenericClient) -> Result<bool, OpenError> {
    let row = database.query_one(WHOSE, &[]).await?;
    let (is_marked, has_tables, has_place): (bool, bool, bool) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if !has_place {
        return Err(OpenError::Engine("there is no schema to make tables in".to_owned()));
    }
    if has_tables && !is_marked { Err(OpenError::Foreign) } else { Ok(is_marked) }
}
