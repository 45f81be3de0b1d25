//! A few connections, each used by one operation at a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::{
    ClientWrapper, Hook, HookError, Manager, ManagerConfig, Object, Pool, PoolError,
    RecyclingMethod, Runtime, Status, Timeouts,
};
use secrecy::SecretString;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::listener::{Caches, Listener};
use super::query::ANSWERED_WITHIN;
use super::{tls, url};
use crate::{DatabaseLoad, OpenError, StorageError, traced};

/// Each is a process of the server, which commits for all of them at once. A hundred are a server's usual limit, for all of our
/// processes together.
const CONNECTIONS_AT_MOST: usize = 16;

/// How many operations run or wait: some hundred milliseconds' worth. A request that comes then is refused at once.
const WAITING_AT_MOST: usize = 4_096;

/// A server that does not answer for so long is as good as gone.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// PgBouncer lets a client in that has to wait for a connection to the server, and answers nothing until there is one.
const NOT_PREPARED: &str =
    "a new connection is not served: the server, or a pooler before it, may have none left";

/// What was answered has to be on disk, whatever the server's settings say. What they say beyond that stays. Nothing of ours takes
/// long, and what we rely on is this isolation: a statement that waited for another sees what that one did. One that waits for a lock, or
/// for a server that is too busy, is told so in good time (see `query.rs`).
const SETTINGS: &str = "\
    SET application_name = 'assay'; \
    SET default_transaction_isolation = 'read committed'; \
    SET statement_timeout = '8s'; \
    SET lock_timeout = '5s'; \
    SET idle_in_transaction_session_timeout = '30s'; \
    SELECT set_config('synchronous_commit', 'on', FALSE) \
    WHERE current_setting('synchronous_commit') = 'off'";

/// What reads from a connection that is none of these.
pub(super) type Beside =
    tokio_postgres::Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

#[derive(Clone)]
pub(super) struct Connections {
    pool: Pool,
    silence: Arc<Silence>,
    admitted: Arc<Semaphore>,
    config: Config,
    connector: MakeRustlsConnect,
}

/// A connection, while it is used.
pub(super) struct Connection {
    pub(super) database: Object,
    lent: Instant,
    silence: Arc<Silence>,
    _admission: OwnedSemaphorePermit,
}

/// When the server, or something on the way to it, was last found not to answer. Of connections that were made before, it is unknown
/// whether they ever will: others are made in their place.
#[derive(Default)]
struct Silence(Mutex<Option<Instant>>);

impl Silence {
    fn note(&self, at: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    fn is_after(&self, made: Instant) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|at| made < at)
    }
}

/// Who gave up waiting leaves a connection behind that may never answer again.
impl Drop for Connection {
    fn drop(&mut self) {
        if self.lent.elapsed() >= ANSWERED_WITHIN {
            self.silence.note(Instant::now());
        }
    }
}

impl Connections {
    /// Opens no connection yet: they are opened on demand, and kept.
    pub(super) fn new(address: &SecretString) -> Result<Self, OpenError> {
        let (mut config, protection) = url::read(address)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        config.tcp_user_timeout(PATIENCE);
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let connector = tls::connector(&protection)?;
        let manager = Manager::from_config(config.clone(), connector.clone(), recycling);
        let timeouts =
            Timeouts { wait: Some(PATIENCE), create: Some(PATIENCE), recycle: Some(PATIENCE) };
        let silence = Arc::new(Silence::default());
        let heard = Arc::clone(&silence);
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS_AT_MOST)
            .timeouts(timeouts)
            .runtime(Runtime::Tokio1)
            .post_create(Hook::async_fn(|database, _| Box::pin(prepare(database))))
            .pre_recycle(Hook::sync_fn(move |_, metrics| {
                if heard.is_after(metrics.created) {
                    return Err(HookError::message("it may never answer again"));
                }
                Ok(())
            }))
            .build()
            .expect("a pool with timeouts has a runtime");
        let admitted = Arc::new(Semaphore::new(WAITING_AT_MOST));
        Ok(Self { pool, silence, admitted, config, connector })
    }

    /// A connection for an operation, as soon as one is free.
    pub(super) async fn get(&self) -> Result<Connection, StorageError> {
        traced::within(traced::of_wait_for_connection(), self.get_in_turn()).await
    }

    async fn get_in_turn(&self) -> Result<Connection, StorageError> {
        let admission = Arc::clone(&self.admitted).try_acquire_owned();
        let admission = admission.map_err(|_| StorageError::Busy)?;
        let database = self.pool.get().await?;
        let (lent, silence) = (Instant::now(), Arc::clone(&self.silence));
        Ok(Connection { database, lent, silence, _admission: admission })
    }

    pub(super) fn load(&self) -> DatabaseLoad {
        let Status { max_size, size, available, waiting } = self.pool.status();
        DatabaseLoad { in_use: size.saturating_sub(available), at_most: max_size, waiting }
    }

    /// Hears, on a connection beside these, what other processes end and publish.
    pub(super) fn listen(&self, caches: Caches) -> Listener {
        Listener::start(self.clone(), caches)
    }

    /// A connection beside these.
    pub(super) async fn connect_beside(&self) -> Result<(Client, Beside), tokio_postgres::Error> {
        self.config.connect(self.connector.clone()).await
    }

    /// The first connection; says why there is none.
    pub(super) async fn open(&self) -> Result<Object, OpenError> {
        self.pool.get().await.map_err(|error| match error {
            PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
                error.into()
            }
            PoolError::Timeout(_) => OpenError::Silent,
            PoolError::PostCreateHook(HookError::Message(_)) => OpenError::NoneLeft,
            PoolError::Closed | PoolError::NoRuntimeSpecified => {
                OpenError::Engine(error.to_string())
            }
        })
    }
}

/// Puts our settings in force on a new connection. The pool limits the time of connecting alone.
async fn prepare(database: &mut ClientWrapper) -> Result<(), HookError> {
    match timeout(PATIENCE, database.batch_execute(SETTINGS)).await {
        Ok(done) => done.map_err(HookError::Backend),
        Err(_) => Err(HookError::message(NOT_PREPARED)),
    }
}
