//! Whether a process hears on its listening connection what it tells itself on another one.
//!
//! A pooler that lends connections of the server for a transaction only (PgBouncer's `pool_mode = transaction`) takes `LISTEN` like any
//! statement, and loses what comes afterwards: what others revoke would go on working here. Nothing tells of that, so it is tried. While
//! the process waits for its own notification it asks nothing on the listening connection: such a pooler has lent it none then, so that no
//! notification finds its way by chance.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_postgres::{Client, Notification, SimpleQueryMessage};

use super::connections::{Connection, PATIENCE};
use super::query::run;
use crate::OpenError;

/// The channel for what a process tells itself. All processes hear it.
pub(super) const CHANNEL: &str = "assay_echo";

/// A notification takes milliseconds. No server is refused because the database is busy.
const HEARD_WITHIN: Duration = Duration::from_secs(5);

/// The process that serves the connection, and a text that no other process sends.
const IDENTITY_QUERY: &str =
    "SELECT pg_backend_pid(), md5(random()::text || clock_timestamp()::text)";

/// What is heard of ourselves on one listening connection.
#[derive(Default)]
pub(super) struct Echo {
    /// The server's process behind the connection: another one later means that the connection is shared.
    process: OnceLock<String>,
    expected: Mutex<String>,
    /// The process that told it.
    heard: watch::Sender<Option<i32>>,
}

impl Echo {
    /// A notification has come on the channel: ours, or that of another process of Assay.
    pub(super) fn hear(&self, told: &Notification) {
        if told.payload() == *self.expected.lock().unwrap_or_else(PoisonError::into_inner) {
            self.heard.send_replace(Some(told.process_id()));
        }
    }

    /// Tells ourselves something on another connection, and waits until it is heard on the listening one.
    pub(super) async fn check(
        &self,
        listening: &Client,
        telling: &Connection,
    ) -> Result<(), OpenError> {
        let answer = timeout(PATIENCE, connection_identity(listening)).await;
        let (process, text) = answer.map_err(|_| OpenError::Silent)??;
        if *self.process.get_or_init(|| process.clone()) != process {
            return Err(OpenError::SessionsNotKept);
        }
        let mut heard = self.heard.subscribe();
        self.heard.send_replace(None);
        self.expected.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&text);
        // No prepared statement: poolers of this kind lose these, too.
        let tell = format!("NOTIFY {CHANNEL}, '{text}'");
        let told = run(&telling.database, &tell).await;
        told.map_err(|error| OpenError::Engine(error.to_string()))?;
        match timeout(HEARD_WITHIN, heard.wait_for(Option::is_some)).await {
            // One process of the server for two connections that are both open: they share it.
            Ok(Ok(by)) if by.is_some_and(|by| by.to_string() != process) => Ok(()),
            _ => Err(OpenError::SessionsNotKept),
        }
    }
}

async fn connection_identity(listening: &Client) -> Result<(String, String), OpenError> {
    let answer = listening.simple_query(IDENTITY_QUERY).await?;
    let found = answer.iter().find_map(|message| {
        let SimpleQueryMessage::Row(row) = message else { return None };
        Some((row.get(0)?.to_owned(), row.get(1)?.to_owned()))
    });
    found.ok_or_else(|| OpenError::Engine("the server does not say who it is".to_owned()))
}
