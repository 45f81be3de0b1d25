//! What another process publishes on the same PostgreSQL.

use std::time::{Duration, Instant};

use oauth::Timestamp;
use storage::PostgresStore;
use tokio_postgres::Client;

use crate::cluster::Database;
use crate::given::at;
use crate::revisions::{live, publication, publish};

const OTHERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
    WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// Comes back when the process answers from memory, whatever time it is: it has begun to hear what others publish.
async fn wait_until_it_hears(store: &PostgresStore, outsider: &Client) {
    for number in 1.. {
        let now = at(number);
        let before = live(store, 1, now).await;
        outsider
            .batch_execute("UPDATE project SET live_revision = live_revision + 1")
            .await
            .unwrap();
        let after = live(store, 1, Timestamp::from_milliseconds(now.as_milliseconds() + 500)).await;
        outsider
            .batch_execute("UPDATE project SET live_revision = live_revision - 1")
            .await
            .unwrap();
        if before == after {
            return;
        }
    }
}

/// Whether a process that is asked a second later at the latest knows that this revision is live. Its clock goes on.
async fn knows_within_a_second(store: &PostgresStore, number: u32) -> bool {
    let start = Instant::now();
    loop {
        let elapsed = start.elapsed();
        let milliseconds = i64::try_from(elapsed.as_millis()).unwrap();
        let now = Timestamp::from_milliseconds(at(1_000_000).as_milliseconds() + milliseconds);
        let knows = live(store, 1, now).await == Some(number);
        if knows || elapsed >= Duration::from_secs(1) {
            return knows;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn what_one_process_publishes_is_live_in_another_within_a_second() {
    let database = Database::new().await;
    let (one, other) = (database.store().await, database.store().await);
    publish(&one, publication(1, "first", "a")).await;
    wait_until_it_hears(&other, &database.connect().await).await;

    for number in 0..20 {
        let published = publish(&one, publication(1, &number.to_string(), "a")).await;
        assert!(knows_within_a_second(&other, published.number).await, "{published:?}");
    }
}

#[tokio::test]
async fn what_is_published_while_connections_break_is_live_within_a_second() {
    let database = Database::new().await;
    let outsider = database.connect().await;
    let store = database.store().await;
    publish(&store, publication(1, "first", "a")).await;
    wait_until_it_hears(&store, &outsider).await;

    outsider.execute(OTHERS, &[]).await.unwrap();
    let other = database.store().await;
    let published = publish(&other, publication(1, "second", "a")).await;

    assert!(knows_within_a_second(&store, published.number).await);
    wait_until_it_hears(&store, &outsider).await;
}
