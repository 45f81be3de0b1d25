//! Hears what other processes on the database end and publish, on a connection of its own.
//!
//! A process that has missed a notification must not trust its cache. The server delivers every earlier notification on this connection
//! before it answers a query. So a request that checks a token or a member's role first has an empty query sent
//! ([`Listener::hear_everything`]): everything committed before the check began is known when it is answered. One query serves all waiting checks. Publications
//! need not be known at once; for them an answer is valid for a short while ([`Listener::has_heard_everything`]).
//!
//! When there is no answer, the database is asked for everything until the connection is back, and by then all is forgotten. So it is as long as
//! the process does not hear itself (`echo.rs`): a pooler that keeps no sessions loses what others tell.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::{AsyncMessage, Client, Notification};

use super::connections::{Beside, Connections, PATIENCE};
use super::echo::{self, Echo};
use super::errors::describe;
use crate::OpenError;
use crate::access_cache::AccessCache;
use crate::invalidation::Invalidation;
use crate::live_numbers::LiveNumbers;

/// For so long after it was asked an answer of the server is good for what is published, which is promised to be known everywhere within
/// a second. And so long an answer is waited for.
const GOOD_FOR: Duration = Duration::from_millis(700);

/// Several queries fit into the time for which an answer is valid.
const ASK_EVERY: Duration = Duration::from_millis(200);

const RECONNECT_AFTER: Duration = Duration::from_millis(500);

/// How often a process makes sure that it still hears itself: the settings of a pooler may change while it runs.
const CHECK_EVERY: Duration = Duration::from_secs(30);

const LISTEN: &str = "LISTEN assay_ended; LISTEN assay_published; LISTEN assay_echo";

/// The channel for publications; invalidations have another one.
const PUBLISHED: &str = "assay_published";

/// What this process remembers, and others may change.
pub(super) struct Caches {
    pub(super) access: Arc<AccessCache>,
    pub(super) live: Arc<LiveNumbers>,
}

/// Listens until it is dropped.
pub(super) struct Listener {
    hearing: Arc<Hearing>,
    task: JoinHandle<()>,
}

/// The queries and answers on the connection.
struct Hearing {
    /// Until when everything is known that matters a little later, in milliseconds after `since`.
    until: AtomicU64,
    since: Instant,
    /// How many questions were asked.
    asked: AtomicU64,
    /// A check waits for the next.
    is_wanted: Notify,
    answered: watch::Sender<Answered>,
}

/// Which question was answered last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answered {
    /// This one; the next ones will be.
    Question(u64),
    /// No reliable one: there is no connection.
    Nothing,
}

impl Listener {
    pub(super) fn start(connections: Connections, caches: Caches) -> Self {
        let hearing = Arc::new(Hearing::default());
        let heard = Arc::clone(&hearing);
        let task =
            tokio::spawn(async move { go_on_listening(&connections, &caches, &heard).await });
        Self { hearing, task }
    }

    /// Whether nothing can have been missed, but in the last moment.
    pub(super) fn has_heard_everything(&self) -> bool {
        self.hearing.milliseconds(Instant::now()) < self.hearing.until.load(Ordering::Acquire)
    }

    /// Waits until everything is known that was committed before now; says whether it is.
    pub(super) async fn hear_everything(&self) -> bool {
        let mut answered = self.hearing.answered.subscribe();
        // A question that is under way may have been asked before that commit. The next one is not.
        let next = self.hearing.asked.load(Ordering::SeqCst) + 1;
        if *answered.borrow() == Answered::Nothing {
            return false;
        }
        self.hearing.is_wanted.notify_one();
        let is_decided = |answered: &Answered| match answered {
            Answered::Question(number) => *number >= next,
            Answered::Nothing => true,
        };
        let decided = answered.wait_for(is_decided).await;
        decided.is_ok_and(|answered| *answered != Answered::Nothing)
    }
}

impl Caches {
    /// Another process has sent a notification.
    fn hear(&self, told: &Notification) {
        if told.channel() == PUBLISHED {
            self.live.have_changed();
        } else {
            self.access.invalidate(&Invalidation::from(told.payload()));
        }
    }

    /// Earlier notifications are lost.
    fn forget_everything(&self) {
        self.access.invalidate(&Invalidation::Everything);
        self.live.have_changed();
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Default for Hearing {
    fn default() -> Self {
        Self {
            until: AtomicU64::new(0),
            since: Instant::now(),
            asked: AtomicU64::new(0),
            is_wanted: Notify::new(),
            answered: watch::Sender::new(Answered::Nothing),
        }
    }
}

impl Hearing {
    /// A question is about to be asked.
    fn begin_question(&self) -> u64 {
        self.asked.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn milliseconds(&self, moment: Instant) -> u64 {
        u64::try_from(moment.duration_since(self.since).as_millis()).unwrap_or(u64::MAX)
    }

    /// The server has answered the query sent at `asked`.
    fn is_good_after(&self, asked: Instant) {
        self.until.store(self.milliseconds(asked + GOOD_FOR), Ordering::Release);
    }
}

/// Whether a process would hear others on these connections. A standby takes no `LISTEN`: what is read there is asked for each time.
pub(super) async fn check(connections: &Connections) -> Result<(), OpenError> {
    let echo = Echo::default();
    let (client, connection) = connect(connections).await?;
    let checked = tokio::select! {
        why = hear(connection, None, &echo) => Err(OpenError::Engine(why)),
        begun = begin(&client, connections, &echo) => begun,
    };
    match checked {
        Err(OpenError::ReadOnly) => Ok(()),
        checked => checked,
    }
}

/// Listens again whenever a connection has ended. Each reason is logged once until others are heard again: while a database is away, this
/// fails twice a second.
async fn go_on_listening(connections: &Connections, caches: &Caches, hearing: &Hearing) {
    let mut logged = None;
    loop {
        let why = listen(connections, caches, hearing).await;
        let was_heard = hearing.answered.send_replace(Answered::Nothing) != Answered::Nothing;
        if was_heard || logged.as_ref() != Some(&why) {
            tracing::warn!(
                "other servers are not heard, so the database is asked for every token: {why}"
            );
        }
        logged = Some(why);
        tokio::time::sleep(RECONNECT_AFTER).await;
    }
}

/// Listens as long as the connection lasts; returns why it ended.
async fn listen(connections: &Connections, caches: &Caches, hearing: &Hearing) -> String {
    let echo = Echo::default();
    match connect(connections).await {
        Ok((client, connection)) => tokio::select! {
            why = hear(connection, Some(caches), &echo) => why,
            why = go_on(&client, connections, (caches, hearing, &echo)) => why,
        },
        Err(error) => error.to_string(),
    }
}

async fn connect(connections: &Connections) -> Result<(Client, Beside), OpenError> {
    let connected = timeout(PATIENCE, connections.connect_beside()).await;
    Ok(connected.map_err(|_| OpenError::Silent)??)
}

/// Reads everything that the server sends; removes invalidated entries from the caches.
async fn hear(mut connection: Beside, caches: Option<&Caches>, echo: &Echo) -> String {
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(told))) if told.channel() == echo::CHANNEL => {
                echo.hear(&told);
            }
            Some(Ok(AsyncMessage::Notification(told))) => {
                if let Some(caches) = caches {
                    caches.hear(&told);
                }
            }
            Some(Ok(_notice)) => {}
            Some(Err(error)) => return describe(&error),
            None => return "the connection was closed".to_owned(),
        }
    }
}

/// Begins to listen; an error where nothing would be heard.
async fn begin(client: &Client, connections: &Connections, echo: &Echo) -> Result<(), OpenError> {
    match timeout(PATIENCE, client.batch_execute(LISTEN)).await {
        Err(_) => return Err(OpenError::Silent),
        Ok(Err(error)) if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => {
            return Err(OpenError::ReadOnly);
        }
        Ok(begun) => begun?,
    }
    let telling = connections.get().await;
    let telling = telling.map_err(|error| OpenError::Engine(error.to_string()))?;
    echo.check(client, &telling).await
}

/// Begins to listen, and asks again and again whether that is still so.
async fn go_on(
    client: &Client,
    connections: &Connections,
    (caches, hearing, echo): (&Caches, &Hearing, &Echo),
) -> String {
    if let Err(error) = begin(client, connections, echo).await {
        return error.to_string();
    }
    caches.forget_everything();
    let mut checked = Instant::now();
    loop {
        if let Err(why) = ask(client, hearing).await {
            return why;
        }
        if checked.elapsed() > CHECK_EVERY {
            checked = Instant::now();
            if let Err(error @ OpenError::SessionsNotKept) =
                check_again(client, connections, echo).await
            {
                return error.to_string();
            }
        }
        // Soon enough also when no check asks.
        let _in_time = timeout(ASK_EVERY, hearing.is_wanted.notified()).await;
    }
}

/// Asks whether the server is there, and so hears all that was told before.
async fn ask(client: &Client, hearing: &Hearing) -> Result<(), String> {
    let (number, asked) = (hearing.begin_question(), Instant::now());
    match timeout(GOOD_FOR, client.check_connection()).await {
        Ok(Ok(())) => {
            hearing.is_good_after(asked);
            hearing.answered.send_replace(Answered::Question(number));
            Ok(())
        }
        Ok(Err(error)) => Err(describe(&error)),
        Err(_) => Err("the server does not answer".to_owned()),
    }
}

/// Whether the process still hears itself; nothing is asked meanwhile (see `echo.rs`). That all connections are in use says nothing about it,
/// and no caller waits for one of them here.
async fn check_again(
    client: &Client,
    connections: &Connections,
    echo: &Echo,
) -> Result<(), OpenError> {
    match timeout(ASK_EVERY, connections.get()).await {
        Ok(Ok(telling)) => echo.check(client, &telling).await,
        Ok(Err(_)) | Err(_) => Ok(()),
    }
}
