//! The ceiling for a token endpoint that stores its answers: axum, a form, random tokens, their hashes, and rows on the disk
//! before the answer. Takes a path or a `postgres://` address and prints where it listens.
//!
//! It knows the credentials of which `POST /known` has one on each line. An exchange, and a refresh that rotates, looks one up, spends
//! it and adds two; any other refresh looks one up and adds one. It checks nothing else, and knows no clients, members, families,
//! scopes and audit log.

use std::iter;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context as _, Result, ensure};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, PRAGMA};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Form, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use deadpool_postgres::{Manager, Pool};
use rusqlite::Connection;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio_postgres::NoTls;

/// As many as share a commit at most in Assay.
const JOBS_PER_COMMIT: usize = 256;
const QUEUE_LENGTH: usize = 4_096;
/// As many connections as an Assay process has.
const POSTGRES_CONNECTIONS: usize = 16;

const TABLE_IN_FILE: &str = "\
    CREATE TABLE token (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL, used_at INTEGER) WITHOUT ROWID; \
    CREATE INDEX token_expires_at ON token (expires_at)";
const TABLE_ON_SERVER: &str = "\
    CREATE TABLE token (hash BYTEA PRIMARY KEY, expires_at BIGINT NOT NULL, used_at BIGINT); \
    CREATE INDEX token_expires_at ON token (expires_at)";
const INSERT: &str = "INSERT INTO token (hash, expires_at) VALUES ($1, $2)";
const FIND: &str = "SELECT 1 FROM token WHERE hash = $1 AND used_at IS NULL AND expires_at > $2";
const SPEND: &str =
    "UPDATE token SET used_at = $1 WHERE hash = $2 AND used_at IS NULL AND expires_at > $1";
const REFRESH_ON_SERVER: &str = "\
    WITH known AS (SELECT 1 FROM token WHERE hash = $1 AND used_at IS NULL AND expires_at > $2) \
    INSERT INTO token (hash, expires_at) SELECT $3, $4 FROM known";
const EXCHANGE_ON_SERVER: &str = "\
    WITH spent AS ( \
        UPDATE token SET used_at = $2 WHERE hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING 1) \
    INSERT INTO token (hash, expires_at) \
    SELECT fresh.hash, $4 FROM spent, (VALUES ($3::bytea), ($5::bytea)) AS fresh (hash)";
const NOW: i64 = 1_700_000_000_000;
const EXPIRES_AT: i64 = 1_800_000_000_000;

type Hash = [u8; 32];

/// What one request asks for.
enum Work {
    Know(Vec<Hash>),
    Refresh { known: Hash, fresh: Hash },
    Exchange { spent: Hash, fresh: [Hash; 2] },
}

/// Some work, and the sender that reports whether it succeeded.
struct Job {
    work: Work,
    done: oneshot::Sender<bool>,
}

/// Where rows go.
#[derive(Clone)]
enum Store {
    File(SyncSender<Job>),
    Server(Pool),
}

/// What there is of a request.
#[derive(Deserialize)]
struct Call {
    code: Option<String>,
    refresh_token: Option<String>,
    client_secret: Option<String>,
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the parent process reads the address")]
async fn main() -> Result<()> {
    let place = std::env::args().nth(1).context("expected a path or an address")?;
    let store = if place.starts_with("postgres://") {
        on_server(&place).await?
    } else {
        in_file(Path::new(&place))?
    };
    let router = Router::new()
        .route("/known", post(know))
        .route("/oauth2/token", post(answer))
        .with_state(store);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

async fn on_server(address: &str) -> Result<Store> {
    let pool = Pool::builder(Manager::new(address.parse()?, NoTls));
    let pool = pool.max_size(POSTGRES_CONNECTIONS).build()?;
    pool.get().await?.batch_execute(TABLE_ON_SERVER).await?;
    Ok(Store::Server(pool))
}

fn in_file(path: &Path) -> Result<Store> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
    connection.execute_batch(TABLE_IN_FILE)?;
    let (queue, jobs) = sync_channel(QUEUE_LENGTH);
    thread::spawn(move || write_for_ever(&connection, &jobs).expect("the file can be written"));
    Ok(Store::File(queue))
}

/// Commits together what came in meanwhile.
fn write_for_ever(connection: &Connection, jobs: &Receiver<Job>) -> rusqlite::Result<()> {
    while let Ok(first) = jobs.recv() {
        let batch: Vec<Job> =
            iter::once(first).chain(jobs.try_iter()).take(JOBS_PER_COMMIT).collect();
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let mut answers = Vec::with_capacity(batch.len());
        for job in batch {
            answers.push((job.done, write(connection, &job.work)?));
        }
        connection.execute_batch("COMMIT")?;
        for (done, is_done) in answers {
            // Who asked may have gone away.
            let _gone = done.send(is_done);
        }
    }
    Ok(())
}

fn write(connection: &Connection, work: &Work) -> rusqlite::Result<bool> {
    let insert = |hash: &Hash| connection.prepare_cached(INSERT)?.execute((hash, EXPIRES_AT));
    match work {
        Work::Know(hashes) => hashes.iter().try_for_each(|hash| insert(hash).map(drop))?,
        Work::Refresh { known, fresh } => {
            if !connection.prepare_cached(FIND)?.exists((known, NOW))? {
                return Ok(false);
            }
            insert(fresh)?;
        }
        Work::Exchange { spent, fresh } => {
            if connection.prepare_cached(SPEND)?.execute((NOW, spent))? == 0 {
                return Ok(false);
            }
            fresh.iter().try_for_each(|hash| insert(hash).map(drop))?;
        }
    }
    Ok(true)
}

impl Store {
    async fn keep(&self, work: Work) -> Result<()> {
        let is_done = match self {
            Self::File(queue) => {
                let (done, answer) = oneshot::channel();
                queue.try_send(Job { work, done })?;
                answer.await?
            }
            Self::Server(pool) => insert(pool, &work).await?,
        };
        ensure!(is_done, "unknown");
        Ok(())
    }
}

/// One statement, which is its own transaction.
async fn insert(pool: &Pool, work: &Work) -> Result<bool> {
    let client = pool.get().await?;
    let rows = match work {
        Work::Know(hashes) => {
            let statement = client.prepare_cached(INSERT).await?;
            client.batch_execute("BEGIN").await?;
            for hash in hashes {
                client.execute(&statement, &[&hash.as_slice(), &EXPIRES_AT]).await?;
            }
            client.batch_execute("COMMIT").await?;
            hashes.len() as u64
        }
        Work::Refresh { known, fresh } => {
            let statement = client.prepare_cached(REFRESH_ON_SERVER).await?;
            let (known, fresh) = (known.as_slice(), fresh.as_slice());
            client.execute(&statement, &[&known, &NOW, &fresh, &EXPIRES_AT]).await?
        }
        Work::Exchange { spent, fresh: [one, other] } => {
            let statement = client.prepare_cached(EXCHANGE_ON_SERVER).await?;
            let [spent, one, other] = [spent, one, other].map(<[u8; 32]>::as_slice);
            client.execute(&statement, &[&spent, &NOW, &one, &EXPIRES_AT, &other]).await?
        }
    };
    Ok(rows > 0)
}

/// Takes credentials for good.
async fn know(State(store): State<Store>, lines: String) -> StatusCode {
    let hashes = lines.lines().map(hash).collect();
    match store.keep(Work::Know(hashes)).await {
        Ok(()) => StatusCode::OK,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// Issues the requested tokens, without any check.
async fn answer(State(store): State<Store>, Form(call): Form<Call>) -> Response {
    match issue(&store, &call).await {
        Ok(body) => {
            let headers = [
                (CONTENT_TYPE, "application/json"),
                (CACHE_CONTROL, "no-store"),
                (PRAGMA, "no-cache"),
            ];
            (headers, body).into_response()
        }
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    }
}

async fn issue(store: &Store, call: &Call) -> Result<String> {
    let keeps_its_refresh_token = call.code.is_none() && call.client_secret.is_some();
    let access = mint()?;
    let shown = call.code.as_ref().or(call.refresh_token.as_ref());
    let shown = hash(shown.context("nothing to spend")?);
    if keeps_its_refresh_token {
        store.keep(Work::Refresh { known: shown, fresh: hash(&access) }).await?;
        return Ok(format!(
            r#"{{"access_token":"{access}","expires_in":7200,"token_type":"bearer"}}"#
        ));
    }
    let refresh = mint()?;
    let fresh = [hash(&access), hash(&refresh)];
    store.keep(Work::Exchange { spent: shown, fresh }).await?;
    Ok(format!(
        r#"{{"access_token":"{access}","expires_in":7200,"token_type":"bearer","refresh_token":"{refresh}"}}"#
    ))
}

#[expect(clippy::disallowed_methods, reason = "these tokens are for the benchmark alone")]
fn mint() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no random bytes: {error}"))?;
    Ok(format!("assay_at_{}", URL_SAFE_NO_PAD.encode(bytes)))
}

fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}
