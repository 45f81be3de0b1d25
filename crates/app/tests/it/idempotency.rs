//! The key of a request that takes long.

use std::time::Duration;

use app::idempotency::{hold_key, take_key};
use storage::KnownKey;
use tokio::task::yield_now;

use crate::server::Server;

const KEY: [u8; 32] = [1; 32];

const REQUEST: [u8; 32] = [2; 32];

#[tokio::test(start_paused = true)]
async fn a_request_has_its_key_for_as_long_as_it_takes() {
    let server = Server::start();
    let app = &server.app;
    let taken = take_key(app, KEY, REQUEST).await.unwrap();
    let KnownKey::New(lease) = taken else { panic!("{taken:?}") };

    let work = async {
        for seconds in [25; 10] {
            server.advance_seconds(seconds);
            tokio::time::advance(Duration::from_secs(25)).await;
            // The lease is renewed first.
            yield_now().await;
            assert_eq!(take_key(app, KEY, REQUEST).await, Ok(KnownKey::InProgress));
        }
    };
    hold_key(app, lease, work).await;

    server.advance_seconds(60);
    let again = take_key(app, KEY, REQUEST).await;
    assert!(matches!(again, Ok(KnownKey::New(other)) if other != lease), "{again:?}");
}
