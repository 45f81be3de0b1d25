//! What stands between a store and its server, and does not do as the server itself would.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use oauth::Lifetime;
use secrecy::{ExposeSecret as _, SecretString};
use storage::{AuditKeeping, GrantStore as _, MemberStore as _, OpenError, PostgresStore};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use crate::cluster::Database;
use crate::given::{DAY, REFRESHED, all_at_once, at, hash, keeping, member, opens, tokens};

/// Passes everything on.
const GOOD: u8 = 0;

/// Loses what the server tells on its own account, as PgBouncer with `pool_mode = transaction`.
const DEAF: u8 = 1;

/// Lets clients in and does not serve them, as PgBouncer whose pool is full.
const FULL: u8 = 2;

/// `NotificationResponse` and `ReadyForQuery` of the protocol.
const NOTIFICATION: u8 = b'A';
const READY: u8 = b'Z';

/// Stands between a store and its server; what it does with later connections can be changed.
struct Pooler {
    address: SecretString,
    does: Arc<AtomicU8>,
}

impl Pooler {
    async fn before(database: &Database, does: u8) -> Self {
        let address = database.address_over_network("sslmode=disable");
        let (user, server) = address.expose_secret().split_once("@localhost:").unwrap();
        let (port, name) = server.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let (server, does) = (format!("127.0.0.1:{port}"), Arc::new(AtomicU8::new(does)));
        let present = Arc::clone(&does);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                let (asks, hears) = client.into_split();
                let (told, asked) = server.into_split();
                tokio::spawn(pass_up(asks, asked));
                tokio::spawn(pass_on(told, hears, present.load(Ordering::SeqCst)));
            }
        });
        Self { address: format!("{user}@127.0.0.1:{own}/{name}").into(), does }
    }

    fn turns(&self, does: u8) {
        self.does.store(does, Ordering::SeqCst);
    }
}

async fn pass_up(mut client: OwnedReadHalf, mut server: OwnedWriteHalf) {
    // It ends with either side.
    let _passed = copy(&mut client, &mut server).await;
}

/// Passes on the messages of the server that the pooler does not lose.
async fn pass_on(mut server: OwnedReadHalf, mut client: OwnedWriteHalf, does: u8) {
    let mut head = [0; 5];
    while server.read_exact(&mut head).await.is_ok() {
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
        let mut body = vec![0; length as usize - 4];
        server.read_exact(&mut body).await.unwrap();
        if does == DEAF && head[0] == NOTIFICATION {
            continue;
        }
        if client.write_all(&[&head[..], &body].concat()).await.is_err() {
            return;
        }
        if does == FULL && head[0] == READY {
            std::future::pending::<()>().await;
        }
    }
}

async fn serve(address: &SecretString) -> Result<PostgresStore, OpenError> {
    PostgresStore::open_to_serve(address, AuditKeeping::of(Lifetime::from_seconds(DAY))).await
}

#[tokio::test]
async fn no_server_starts_behind_a_pooler_that_keeps_no_sessions() {
    let database = Database::new().await;
    let (good, deaf) =
        (Pooler::before(&database, GOOD).await, Pooler::before(&database, DEAF).await);

    let (served, refused) = (serve(&good.address).await, serve(&deaf.address).await);

    assert!(served.is_ok());
    assert!(matches!(refused.err(), Some(OpenError::SessionsNotKept)));
}

#[tokio::test]
async fn behind_a_pooler_that_keeps_no_sessions_no_token_is_answered_from_memory() {
    let database = Database::new().await;
    let outsider = database.connect().await;
    let pooler = Pooler::before(&database, DEAF).await;
    let store = PostgresStore::open(&pooler.address).await.unwrap();
    tokens(&store).await;

    for number in 0..200 {
        let token = format!("access of {number}");
        assert_eq!(store.refresh(keeping("refresh 0", &token, at(2))).await, REFRESHED);
        assert!(opens(&store, &token).await);

        let remove = "DELETE FROM access_token WHERE hash = $1";
        outsider.execute(remove, &[&hash(&token).as_bytes().as_slice()]).await.unwrap();

        assert!(!opens(&store, &token).await, "{number}");
    }
}

#[tokio::test]
async fn a_pooler_without_a_connection_left_is_told_of_in_time() {
    let database = Database::new().await;
    let pooler = Pooler::before(&database, GOOD).await;
    let store = PostgresStore::open(&pooler.address).await.unwrap();
    let ann = member(&store).await;
    pooler.turns(FULL);

    let since = Instant::now();
    let refused = PostgresStore::open(&pooler.address).await.err().unwrap();
    let looked = all_at_once((0..40).map(|_| store.lookup_member(ann))).await;

    assert!(matches!(refused, OpenError::NoneLeft), "{refused}");
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    let mut told =
        looked.iter().filter_map(|looked| looked.as_ref().err()).map(ToString::to_string);
    assert!(told.any(|told| told.contains("a pooler before it")), "{looked:?}");
}
