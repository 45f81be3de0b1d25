//! A server that does not answer: what it locks stays locked, or nothing comes back any more though the connection stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use secrecy::ExposeSecret as _;
use storage::{
    AuthorizationCodeStore as _, MemberStore as _, PasskeyStore as _, PostgresStore,
    SessionStore as _, StorageError,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use crate::cluster::Database;
use crate::given::{all_at_once, by_command, code, exchange, member, new_session};
use crate::members::temporary;

/// The edge gives up after 30 seconds, and blames the client.
const IN_TIME: Duration = Duration::from_secs(25);

fn is_told(answer: &Result<impl Sized, StorageError>) -> bool {
    matches!(answer, Err(StorageError::Unavailable(_) | StorageError::Busy))
}

#[tokio::test]
async fn a_wait_for_a_lock_ends_in_time() {
    let database = Database::new().await;
    let store = database.store().await;
    let member = code(&store).await;
    let outsider = database.connect().await;
    outsider
        .batch_execute("BEGIN; LOCK TABLE member, authorization_code, audit_entry")
        .await
        .unwrap();

    let since = Instant::now();
    let sign_in = async { is_told(&store.add_session(new_session("session", member, 1)).await) };
    let exchanged = async { is_told(&store.exchange_code(exchange()).await) };
    let looked = async { is_told(&store.lookup_member(member).await) };
    let told = tokio::join!(sign_in, exchanged, looked);

    assert_eq!(told, (true, true, true));
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
    outsider.batch_execute("ROLLBACK").await.unwrap();
    store.add_session(new_session("session", member, 1)).await.unwrap();
}

/// Stands between a store and its server. What a stalled connection holds stays where it is; later connections are served again.
struct Proxy {
    port: u16,
    /// Connections of an earlier round hear nothing any more.
    round: Arc<AtomicU32>,
}

impl Proxy {
    async fn before(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let round = Arc::new(AtomicU32::new(0));
        let current = Arc::clone(&round);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                let (client, server) = (client.into_split(), server.into_split());
                tokio::spawn(pass_on(client.0, server.1, Arc::clone(&current)));
                tokio::spawn(pass_on(server.0, client.1, Arc::clone(&current)));
            }
        });
        Self { port, round }
    }

    fn forget_all_connections(&self) {
        self.round.fetch_add(1, Ordering::SeqCst);
    }
}

/// Passes on what comes, until a new round begins; then neither side hears or is told anything.
async fn pass_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, current: Arc<AtomicU32>) {
    let round = current.load(Ordering::SeqCst);
    let mut buffer = [0; 4_096];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if current.load(Ordering::SeqCst) != round {
            std::future::pending::<()>().await;
        }
        to.write_all(&buffer[..length]).await.unwrap();
    }
}

#[tokio::test]
async fn a_postgres_that_hangs_is_told_of_in_time_and_its_connections_are_replaced() {
    let database = Database::new().await;
    let address = database.address_over_network("sslmode=disable");
    let (user, server) = address.expose_secret().split_once("@localhost:").unwrap();
    let (port, name) = server.split_once('/').unwrap();
    let proxy = Proxy::before(format!("127.0.0.1:{port}")).await;
    let address = format!("{user}@127.0.0.1:{}/{name}", proxy.port);
    let store = PostgresStore::open(&address.into()).await.unwrap();
    let ann = member(&store).await;

    proxy.forget_all_connections();
    let since = Instant::now();
    let hanging = store.reset_password(temporary(ann, "given")).await;

    assert!(is_told(&hanging), "{hanging:?}");
    assert!(since.elapsed() < IN_TIME, "{:?}", since.elapsed());
    let again = all_at_once((0..40).map(|_| store.lookup_member(ann))).await;
    assert!(again.iter().all(Result::is_ok), "{again:?}");
    store.remove_passkeys(ann, by_command(1)).await.unwrap();
}
