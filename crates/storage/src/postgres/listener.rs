//! Hears what other processes on the database end and publish, on a connection of its own.
//!
//! A process that has missed something must not go by what it remembers. So it may do that only for a short while after the server
//! has answered on this connection, which it is asked for again and again: the answer comes behind everything that was told before.
//! When there is none, the database is asked for everything until the connection is back, and by then all is forgotten.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Notification};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::errors::describe;
use crate::ending::Ending;
use crate::known_tokens::KnownTokens;
use crate::live_numbers::LiveNumbers;

/// For so long after it was asked an answer of the server is good. A revocation, and what is published, is promised to be known everywhere within a
/// second.
const GOOD_FOR: Duration = Duration::from_millis(700);

/// Several questions fit into the time that an answer is good for.
const ASK_EVERY: Duration = Duration::from_millis(200);

const RECONNECT_AFTER: Duration = Duration::from_millis(500);

const LISTEN: &str = "LISTEN assay_ended; LISTEN assay_published";

/// Where it is told that something was published; what has ended is told elsewhere.
const PUBLISHED: &str = "assay_published";

/// What this process remembers, and others may change.
pub(super) struct Memory {
    pub(super) tokens: Arc<KnownTokens>,
    pub(super) live: Arc<LiveNumbers>,
}

/// Listens until it is dropped.
pub(super) struct Listener {
    hearing: Arc<Hearing>,
    task: JoinHandle<()>,
}

/// Until when everything is known, in milliseconds after `since`.
struct Hearing {
    since: Instant,
    until: AtomicU64,
}

impl Listener {
    pub(super) fn start(config: Config, connector: MakeRustlsConnect, memory: Memory) -> Self {
        let hearing = Arc::new(Hearing { since: Instant::now(), until: AtomicU64::new(0) });
        let heard = Arc::clone(&hearing);
        let task = tokio::spawn(async move {
            loop {
                let why = listen(&config, &connector, &memory, &heard).await;
                tracing::warn!(
                    "other servers are not heard, so the database is asked for every token: {why}"
                );
                sleep(RECONNECT_AFTER).await;
            }
        });
        Self { hearing, task }
    }

    /// Whether nothing can have been missed.
    pub(super) fn has_heard_everything(&self) -> bool {
        self.hearing.milliseconds(Instant::now()) < self.hearing.until.load(Ordering::Acquire)
    }
}

impl Memory {
    /// Another process has told something.
    fn hear(&self, told: &Notification) {
        if told.channel() == PUBLISHED {
            self.live.have_changed();
        } else {
            self.tokens.end(&Ending::from(told.payload()));
        }
    }

    /// What was told before is lost.
    fn forget_everything(&self) {
        self.tokens.end(&Ending::Everything);
        self.live.have_changed();
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Hearing {
    fn milliseconds(&self, moment: Instant) -> u64 {
        u64::try_from(moment.duration_since(self.since).as_millis()).unwrap_or(u64::MAX)
    }

    /// The server has answered what it was asked at `asked`.
    fn is_good_after(&self, asked: Instant) {
        self.until.store(self.milliseconds(asked + GOOD_FOR), Ordering::Release);
    }
}

/// Listens as long as that is possible; tells why it no longer is.
async fn listen(
    config: &Config,
    connector: &MakeRustlsConnect,
    memory: &Memory,
    hearing: &Hearing,
) -> String {
    match config.connect(connector.clone()).await {
        Ok((client, connection)) => tokio::select! {
            why = hear(connection, memory) => why,
            why = ask(&client, memory, hearing) => why,
        },
        Err(error) => describe(&error),
    }
}

/// Moves everything that the server sends; forgets what it says has changed.
async fn hear<S, T>(mut connection: Connection<S, T>, memory: &Memory) -> String
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(told))) => memory.hear(&told),
            Some(Ok(_notice)) => {}
            Some(Err(error)) => return describe(&error),
            None => return "the connection was closed".to_owned(),
        }
    }
}

/// Begins to listen, and asks again and again whether that is still so.
async fn ask(client: &Client, memory: &Memory, hearing: &Hearing) -> String {
    if let Err(error) = client.batch_execute(LISTEN).await {
        return describe(&error);
    }
    memory.forget_everything();
    loop {
        let asked = Instant::now();
        match timeout(GOOD_FOR, client.check_connection()).await {
            Ok(Ok(())) => hearing.is_good_after(asked),
            Ok(Err(error)) => return describe(&error),
            Err(_) => return "the server does not answer".to_owned(),
        }
        sleep(ASK_EVERY).await;
    }
}
