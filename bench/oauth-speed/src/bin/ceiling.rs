//! The most that a token endpoint can do which keeps what it answers: axum, a form, random tokens, their hashes, and rows on the disk
//! before the answer. It checks nothing. Takes a path or a `postgres://` address and prints where it listens.
//!
//! An exchange writes three rows (the spent code, two tokens), so does a refresh that rotates, any other refresh one.

use std::iter;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context as _, Result};
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
use tokio_postgres::types::ToSql;

/// As many as share a commit at most in Assay.
const JOBS_PER_COMMIT: usize = 256;
const QUEUE_LENGTH: usize = 4_096;
/// As many connections as an Assay process has.
const POSTGRES_CONNECTIONS: usize = 16;

const TABLE_IN_FILE: &str =
    "CREATE TABLE token (hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID";
const TABLE_ON_SERVER: &str =
    "CREATE TABLE token (hash BYTEA PRIMARY KEY, expires_at BIGINT NOT NULL)";
const INSERT_ONE: &str = "INSERT INTO token VALUES ($1, $2)";
const INSERT_THREE: &str = "INSERT INTO token VALUES ($1, $2), ($3, $2), ($4, $2)";
const EXPIRES_AT: i64 = 1_800_000_000_000;

type Hash = [u8; 32];

/// Rows of one request, and who waits for them.
struct Job {
    hashes: Vec<Hash>,
    done: oneshot::Sender<()>,
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
#[expect(clippy::print_stdout, reason = "whoever started it reads where to go")]
async fn main() -> Result<()> {
    let place = std::env::args().nth(1).context("expected a path or an address")?;
    let store = if place.starts_with("postgres://") {
        on_server(&place).await?
    } else {
        in_file(Path::new(&place))?
    };
    let router = Router::new().route("/oauth2/token", post(answer)).with_state(store);
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
        for hash in batch.iter().flat_map(|job| &job.hashes) {
            connection.prepare_cached(INSERT_ONE)?.execute((hash, EXPIRES_AT))?;
        }
        connection.execute_batch("COMMIT")?;
        for job in batch {
            // Who asked may have gone away.
            let _gone = job.done.send(());
        }
    }
    Ok(())
}

impl Store {
    async fn keep(&self, hashes: Vec<Hash>) -> Result<()> {
        match self {
            Self::File(queue) => {
                let (done, answer) = oneshot::channel();
                queue.try_send(Job { hashes, done })?;
                Ok(answer.await?)
            }
            Self::Server(pool) => insert(pool, &hashes).await,
        }
    }
}

/// One statement, which is its own transaction.
async fn insert(pool: &Pool, hashes: &[Hash]) -> Result<()> {
    let client = pool.get().await?;
    let first = hashes.first().map(<[u8; 32]>::as_slice);
    if let [_, two, three] = hashes {
        let statement = client.prepare_cached(INSERT_THREE).await?;
        let values: [&(dyn ToSql + Sync); 4] =
            [&first, &EXPIRES_AT, &two.as_slice(), &three.as_slice()];
        client.execute(&statement, &values).await?;
    } else {
        let statement = client.prepare_cached(INSERT_ONE).await?;
        client.execute(&statement, &[&first, &EXPIRES_AT]).await?;
    }
    Ok(())
}

/// Issues what is asked for, whoever asks.
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
    if keeps_its_refresh_token {
        store.keep(vec![hash(&access)]).await?;
        return Ok(format!(
            r#"{{"access_token":"{access}","expires_in":7200,"token_type":"bearer"}}"#
        ));
    }
    let spent = call.code.as_ref().or(call.refresh_token.as_ref()).context("nothing to spend")?;
    let refresh = mint()?;
    // What is spent has a row under its own hash already, if it was issued here.
    let spent = hash(&format!("spent {spent}"));
    store.keep(vec![spent, hash(&access), hash(&refresh)]).await?;
    Ok(format!(
        r#"{{"access_token":"{access}","expires_in":7200,"token_type":"bearer","refresh_token":"{refresh}"}}"#
    ))
}

#[expect(clippy::disallowed_methods, reason = "nobody needs these tokens again")]
fn mint() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no random bytes: {error}"))?;
    Ok(format!("assay_at_{}", URL_SAFE_NO_PAD.encode(bytes)))
}

fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}
