//! What millions of expired rows cost: an empty database and one that is full of them do the same work in turns, in the same minute.
//! `cargo xtask measure expired-rows` runs this on SQLite; with two addresses of empty databases it runs on PostgreSQL:
//!
//! ```sh
//! cargo run --release --package storage --example expired_rows -- 10000000 postgres://…/empty postgres://…/full
//! ```

use std::error::Error;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oauth::{
    Client, ClientKind, ClientOrigin, CredentialHash, CredentialKind, RedirectUri, ScopeSet,
    Timestamp,
};
use rusqlite::Connection;
use secrecy::ExposeSecret as _;
use storage::{
    Act, ActorKind, Authority, Consent, ExchangeCode, MemberId, NewAuthorizationCode, NewMember,
    NewSession, PostgresStore, Proof, Refresh, Rotation, SqliteStore, Store,
};
use tokio_postgres::NoTls;

/// As many clients as the other benchmarks have.
const AT_ONCE: u64 = 64;
/// Many short rounds: whatever else the machine does meanwhile is then in both.
const ROUNDS: u64 = 61;
const ROUND: Duration = Duration::from_millis(250);

/// The present; everything that is generated has expired before.
const NOW: Timestamp = Timestamp::from_milliseconds(1_800_000_000_000);
const BY_COMMAND: Act = Act { by: ActorKind::Command, member: None, address: None, at: NOW };
const CLIENT: &str = "reports";
const REDIRECT_URI: &str = "https://reports.example/callback";

/// Seven of ten are access tokens, one is a family and one its refresh token; the rest are codes and sessions. `{row}` counts the
/// rows, `{expired}` is a moment in the past, `{hash}` is of something that was made then.
const FAMILIES: &str = "INSERT INTO token_family \
    (code, client_id, member, scope, generation, seen_generation, expires_at, ends_at, ended_at) \
    SELECT {hash}, 'reports', 1, 'publish', 0, 0, {expired}, {expired}, {expired} FROM {rows}";
const TOKENS: [&str; 4] = [
    "INSERT INTO refresh_token (hash, family, generation) SELECT {hash}, {row}, 0 FROM {rows}",
    "INSERT INTO access_token (hash, family, generation, scope, expires_at) \
     SELECT {hash}, 1 + {row} * ({families} - 1) / {count}, 0, 'publish', {expired} FROM {rows}",
    "INSERT INTO authorization_code (hash, client_id, member, redirect_uri, scope, expires_at) \
     SELECT {hash}, 'reports', 1, 'https://reports.example/callback', 'publish', {expired} FROM {rows}",
    "INSERT INTO session (hash, member, seen_at, expires_at) SELECT {hash}, 1, {expired}, {expired} FROM {rows}",
];

/// How a database makes rows out of nothing.
struct Dialect {
    rows: &'static str,
    row: &'static str,
    hash: &'static str,
    second: &'static str,
}

const SQLITE: Dialect = Dialect {
    rows: "(WITH RECURSIVE number (row) AS (SELECT 1 UNION ALL SELECT row + 1 FROM number WHERE row < {count}) SELECT row FROM number)",
    row: "row",
    hash: "unhex(printf('%08x', {second}) || hex(randomblob(28)))",
    second: "(1700000000 + row * 90000000 / {count})",
};
const POSTGRES: Dialect = Dialect {
    rows: "generate_series(1, {count}) AS number (row)",
    row: "number.row::bigint",
    hash: "decode(to_hex({second}) || substr(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 9), 'hex')",
    second: "(1700000000 + number.row * 90000000::bigint / {count})",
};

impl Dialect {
    fn write(&self, statement: &str, count: u64, families: u64) -> String {
        statement
            .replace("{rows}", self.rows)
            .replace("{row}", self.row)
            .replace("{hash}", self.hash)
            .replace("{expired}", "1000 * {second}")
            .replace("{second}", self.second)
            .replace("{count}", &count.to_string())
            .replace("{families}", &families.to_string())
    }

    /// The statements that make so many rows.
    fn script(&self, rows: u64) -> Vec<String> {
        let families = rows / 10;
        let counts = [families, rows / 10 * 7, rows / 20, rows / 20];
        let tokens = TOKENS.iter().zip(counts);
        let tokens = tokens.map(|(statement, count)| self.write(statement, count, families));
        [self.write(FAMILIES, families, families)].into_iter().chain(tokens).collect()
    }
}

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rows = arguments.first().ok_or("expected a number of rows")?.parse()?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        match arguments.get(1..) {
            Some([empty, full]) => on_postgres(rows, empty, full).await,
            _ => on_sqlite(rows).await,
        }
    })
}

async fn on_sqlite(rows: u64) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let [empty, full] = ["empty.db", "full.db"].map(|name| folder.path().join(name));
    for path in [&empty, &full] {
        given(&SqliteStore::open(path)?).await?;
    }
    fill_sqlite(&full, rows)?;
    let open = async |path: &Path| -> Result<_, Failure> {
        Ok(Arc::new(SqliteStore::open(path)?) as Arc<dyn Store>)
    };
    compare(open(&empty), open(&full)).await
}

fn fill_sqlite(path: &Path, rows: u64) -> Result<(), Failure> {
    let connection = Connection::open(path)?;
    // As fast as possible: this file need not survive a power cut.
    connection.execute_batch(
        "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -1000000",
    )?;
    for statement in SQLITE.script(rows) {
        connection.execute_batch(&statement)?;
    }
    Ok(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
}

async fn on_postgres(rows: u64, empty: &str, full: &str) -> Result<(), Failure> {
    for address in [empty, full] {
        given(&PostgresStore::open(&address.into()).await?).await?;
    }
    let (client, connection) = tokio_postgres::connect(full, NoTls).await?;
    tokio::spawn(connection);
    for statement in POSTGRES.script(rows) {
        client.batch_execute(&statement).await?;
    }
    client.batch_execute("VACUUM ANALYZE").await?;
    let open = async |address: &str| -> Result<_, Failure> {
        Ok(Arc::new(PostgresStore::open(&address.into()).await?) as Arc<dyn Store>)
    };
    compare(open(empty), open(full)).await
}

/// The member and the client of all rows.
async fn given(store: &dyn Store) -> Result<(), Failure> {
    let member = NewMember {
        email: "ann@example.com".to_owned(),
        password_hash: String::new(),
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: BY_COMMAND,
    };
    let member = store.add_member(member, Authority::Operator).await?;
    let session = NewSession {
        hash: hash(CONSENTING),
        id: "browser".to_owned(),
        member,
        proof: Proof::Password(String::new()),
        browser: String::new(),
        replaced: None,
        act: BY_COMMAND,
    };
    store.add_session(session).await?;
    let client = Client {
        client_id: CLIENT.parse()?,
        name: CLIENT.to_owned(),
        kind: ClientKind::Public,
        redirect_uris: vec![RedirectUri::parse(REDIRECT_URI)?],
        secrets: vec![],
        scope: None,
        origin: ClientOrigin::Command,
        disabled_at: None,
    };
    Ok(store.add_client(client, BY_COMMAND).await?)
}

/// Opens both and has them work in turns.
async fn compare(
    empty: impl Future<Output = Result<Arc<dyn Store>, Failure>>,
    full: impl Future<Output = Result<Arc<dyn Store>, Failure>>,
) -> Result<(), Failure> {
    let start = Instant::now();
    let empty = empty.await?;
    let opened_empty = start.elapsed();
    let start = Instant::now();
    let full = full.await?;
    let opened_full = start.elapsed();
    let mut samples = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for (store, samples) in [&empty, &full].into_iter().zip(&mut samples) {
            samples.push(work(store, round).await?);
        }
    }
    let ratios = samples[1].iter().zip(&samples[0]);
    let ratios = ratios.map(|(full, empty)| full.grants_per_second / empty.grants_per_second);
    let times_the_empty = middle(ratios.collect(), |ratio| *ratio);
    let [empty, full] = samples.map(|samples| middle(samples, |sample| sample.grants_per_second));
    report("empty", opened_empty, &empty, 1.0);
    report("full", opened_full, &full, times_the_empty);
    Ok(())
}

/// What was done in a round.
struct Sample {
    grants_per_second: f64,
    p50_milliseconds: f64,
    p99_milliseconds: f64,
}

#[expect(clippy::print_stdout, reason = "this is what the program is for")]
fn report(name: &str, opened: Duration, sample: &Sample, times_the_empty: f64) {
    println!(
        "{{\"name\": \"{name}\", \"open_milliseconds\": {:.1}, \"grants_per_second\": {:.0}, \
         \"times_the_empty\": {times_the_empty:.3}, \"p50_milliseconds\": {:.2}, \"p99_milliseconds\": {:.2}}}",
        opened.as_secs_f64() * 1_000.0,
        sample.grants_per_second,
        sample.p50_milliseconds,
        sample.p99_milliseconds
    );
}

fn middle<T>(mut samples: Vec<T>, by: impl Fn(&T) -> f64) -> T {
    samples.sort_by(|a, b| by(a).total_cmp(&by(b)));
    samples.swap_remove(samples.len() / 2)
}

/// One round of as many grants as can be done.
async fn work(store: &Arc<dyn Store>, round: u64) -> Result<Sample, Failure> {
    let start = Instant::now();
    let workers = (0..AT_ONCE).map(|worker| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            let mut times = Vec::new();
            while start.elapsed() < ROUND {
                let number = (round * AT_ONCE + worker) * 1_000_000 + times.len() as u64;
                let began = Instant::now();
                grant(&*store, number).await?;
                times.push(began.elapsed().as_secs_f64() * 1_000.0);
            }
            Ok::<_, Failure>(times)
        })
    });
    let mut times = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        times.extend(worker.await??);
    }
    let seconds = start.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    Ok(Sample {
        grants_per_second: f64::from(u32::try_from(times.len())?) / seconds,
        p50_milliseconds: times[times.len() / 2],
        p99_milliseconds: times[times.len() * 99 / 100],
    })
}

/// A code, its exchange, a refresh, and both tokens used.
async fn grant(store: &dyn Store, number: u64) -> Result<(), Failure> {
    let [code, access, refresh, next] = [0, 1, 2, 3].map(|kind| hash(4 * number + kind));
    let code_to_keep = NewAuthorizationCode {
        hash: code,
        client_id: CLIENT.parse()?,
        member: member(store).await?,
        redirect_uri: REDIRECT_URI.to_owned(),
        scope: ScopeSet::ALL,
        names_scope: true,
        code_challenge: None,
        consent: Consent::Remembered,
        session: hash(CONSENTING),
        now: NOW,
    };
    store.add_authorization_code(code_to_keep).await?;
    let exchange = ExchangeCode {
        code,
        client_id: CLIENT.parse()?,
        redirect_uri: REDIRECT_URI.to_owned(),
        code_challenge: None,
        access_token: access,
        refresh_token: refresh,
        address: None,
        now: NOW,
    };
    store.exchange_code(exchange).await?;
    let refresh = Refresh {
        refresh_token: refresh,
        client_id: CLIENT.parse()?,
        access_token: next,
        rotation: Rotation::Keep,
        scope: None,
        widest_scope: ScopeSet::ALL,
        at_once_since: None,
        address: None,
        now: NOW,
    };
    store.refresh(refresh).await?;
    opens(store, &access).await?;
    opens(store, &next).await
}

/// The number of the session in which everything is allowed; no other has it.
const CONSENTING: u64 = u64::MAX;

/// As a credential that was made now has, each number its own.
fn hash(number: u64) -> CredentialHash {
    let mut random = [0; 32];
    random[..8].copy_from_slice(&number.to_be_bytes());
    let credential = oauth::mint(CredentialKind::AccessToken, NOW, random);
    oauth::hash(credential.expose_secret()).expect("a credential has a hash")
}

async fn member(store: &dyn Store) -> Result<MemberId, Failure> {
    let member = store.find_member_by_email("ann@example.com").await?;
    Ok(member.ok_or("the member is gone")?.id)
}

async fn opens(store: &dyn Store, token: &CredentialHash) -> Result<(), Failure> {
    store.find_access_token(token, NOW).await?.map(drop).ok_or_else(|| "a good token".into())
}
