//! The schema of the database: its tables, and the mark of its owner and version.

use std::convert::Infallible;
use std::time::Duration;

use deadpool_postgres::{GenericClient, Object, Transaction};
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;

use super::connections::Connections;
use super::statements::transactions::{GIVE_WAY, TAKE_YOUR_TIME, WAIT_YOUR_TURN};
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
    include_str!("../../migrations/postgres/0031_vouching_members.sql"),
    include_str!("../../migrations/postgres/0032_webhook_members.sql"),
];

/// The oldest server that its makers still mend.
const OLDEST_SERVER: i32 = 14;

/// Of several processes that start at once, one migrates and the others find it done. Project ids, which are locks too, are positive.
const LOCK: &str = "SELECT pg_advisory_xact_lock(-1)";

const TRY_LOCK: &str = "SELECT pg_try_advisory_xact_lock(-1)";

/// The process that has the lock.
const LOCKED_BY: &str = "\
    SELECT pid FROM pg_locks \
    WHERE locktype = 'advisory' AND granted AND classid = 4294967295 AND objid = 4294967295 \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    LIMIT 1";

const OWN_PID: &str = "SELECT pg_backend_pid()";

/// The sessions for which another one waits at this moment; those last that only wait ahead of it. What another user's session does may be
/// hidden. A prepared transaction has no session, and the number 0.
const BLOCKERS: &str = "\
    SELECT DISTINCT pid, concat(pid, NULLIF( \
        concat(' (', concat_ws(', ', NULLIF(application_name, ''), usename, state), ')'), ' ()')), \
        cardinality(pg_blocking_pids(pid)) > 0 \
    FROM unnest(pg_blocking_pids($1)) AS blocker (pid) LEFT JOIN pg_stat_activity USING (pid) \
    WHERE pid <> 0 ORDER BY 3, 1";

/// Several times while a step waits for one lock.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// After a step has given way. Requests that waited behind it are done by then.
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(2);

const SERVER: &str = "\
    SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding')";

/// All text that there is; the other one keeps whatever bytes it gets.
const ENCODINGS: [&str; 2] = ["UTF8", "SQL_ASCII"];

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
pub(super) async fn migrate(connections: &Connections) -> Result<(), OpenError> {
    let (mut database, mut told) = (connections.open().await?, Told::default());
    while !is_migrated(&mut database, connections, &mut told).await? {
        tokio::time::sleep(BETWEEN_ATTEMPTS).await;
    }
    Ok(())
}

/// What the log says already of a migration.
#[derive(Default)]
struct Told {
    is_begun: bool,
    has_waited: bool,
    blockers: Vec<i32>,
}

/// A session for which a migration waits.
struct Blocker {
    pid: i32,
    words: String,
}

/// Migrates, unless another session has a table locked: whatever comes after a step that waits for a lock waits behind it, events of
/// running servers as well. So a step waits for a moment only, and then all are taken back.
async fn is_migrated(
    database: &mut Object,
    connections: &Connections,
    told: &mut Told,
) -> Result<bool, OpenError> {
    let transaction = begin(database).await?;
    let (found, steps) = (number(&transaction).await?, steps_due(&transaction).await?);
    if steps.is_empty() {
        return Ok(transaction.commit().await.map(|()| true)?);
    }
    let is_older = found > 0;
    if is_older && !told.is_begun {
        tracing::info!("the database is migrated: schema {found} → {}", known());
        told.is_begun = true;
    }
    transaction.batch_execute(GIVE_WAY).await?;
    let pid = transaction.query_one(OWN_PID, &[]).await?.try_get(0)?;
    let mut blockers = Vec::new();
    let taken = tokio::select! {
        taken = take(&transaction, steps) => taken,
        never = look_for_blockers(connections, pid, &mut blockers) => match never {},
    };
    match taken {
        Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
            transaction.rollback().await?;
            tell_blockers(&blockers, told);
            return Ok(false);
        }
        taken => taken?,
    }
    mark(&transaction).await?;
    transaction.commit().await?;
    if is_older {
        tracing::info!("the database is migrated to schema {}", known());
    }
    Ok(true)
}

/// Keeps looking for whom this session waits, on another connection, as long as this is asked for. What was seen last counts: afterwards,
/// nothing tells any more whose lock it was.
async fn look_for_blockers(
    connections: &Connections,
    pid: i32,
    seen: &mut Vec<Blocker>,
) -> Infallible {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // Without another connection, the log names none.
        let found = find_blockers(connections, pid).await.unwrap_or_default();
        if !found.is_empty() {
            *seen = found;
        }
    }
}

async fn find_blockers(connections: &Connections, pid: i32) -> Result<Vec<Blocker>, OpenError> {
    let rows = connections.open().await?.query(BLOCKERS, &[&pid]).await?;
    let blocker = |row: &Row| Ok(Blocker { pid: row.try_get(0)?, words: row.try_get(1)? });
    rows.iter().map(blocker).collect()
}

/// Says which sessions the migration waits for, if it is not the ones of before.
fn tell_blockers(blockers: &[Blocker], told: &mut Told) {
    let pids: Vec<i32> = blockers.iter().map(|blocker| blocker.pid).collect();
    if told.has_waited && (pids.is_empty() || told.blockers == pids) {
        return;
    }
    if let Some(pid) = pids.first() {
        let words: Vec<&str> = blockers.iter().map(|blocker| &*blocker.words).collect();
        tracing::warn!(
            "the migration waits for locks of these PostgreSQL processes: {}; hint: end what they do, or, of one that hangs, `SELECT pg_terminate_backend({pid})`",
            words.join(", ")
        );
    } else {
        tracing::warn!(
            "the migration waits for a lock on one of its tables; hint: look at pg_locks and pg_prepared_xacts"
        );
    }
    (told.blockers, told.has_waited) = (pids, true);
}

/// Begins a transaction that may change the tables, in a database that is empty or ours and from now on bears our mark. No other
/// process does the same meanwhile.
pub(super) async fn begin(database: &mut Object) -> Result<Transaction<'_>, OpenError> {
    check_server(database).await?;
    let transaction = database.transaction().await?;
    for setting in [TAKE_YOUR_TIME, WAIT_YOUR_TURN] {
        transaction.batch_execute(setting).await?;
    }
    let is_locked: bool = transaction.query_one(TRY_LOCK, &[]).await?.try_get(0)?;
    if !is_locked {
        if let Some(row) = transaction.query_opt(LOCKED_BY, &[]).await? {
            let pid: i32 = row.try_get(0)?;
            tracing::info!("waits for the PostgreSQL process {pid}, which opens the database, too");
        }
        transaction.batch_execute(LOCK).await?;
    }
    if !is_ours(&transaction).await? {
        transaction.batch_execute(MARK).await?;
    }
    Ok(transaction)
}

/// Refuses a server that is too old, and a database that cannot keep all text.
async fn check_server(database: &impl GenericClient) -> Result<(), OpenError> {
    let row = database.query_one(SERVER, &[]).await?;
    let (found, encoding): (i32, String) = (row.try_get(0)?, row.try_get(1)?);
    if found < OLDEST_SERVER {
        return Err(OpenError::OldServer { found, oldest: OLDEST_SERVER });
    }
    if ENCODINGS.contains(&encoding.as_str()) { Ok(()) } else { Err(OpenError::Encoding(encoding)) }
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
    check_server(database).await?;
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
pub(super) async fn take(
    database: &impl GenericClient,
    steps: &[&str],
) -> Result<(), tokio_postgres::Error> {
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
        return Err(OpenError::NoSchema);
    }
    if has_tables && !is_marked { Err(OpenError::Foreign) } else { Ok(is_marked) }
}
