//! The key of a request that takes long.

use std::time::Duration;

use app::idempotency::{hold_key, take_key};
use storage::{KeyedRequest, KnownKey};
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

#[tokio::test(start_paused = true)]
async fn a_request_whose_key_another_one_took_renews_nothing_any_more() {
    let server = Server::start();
    let app = &server.app;
    let taken = take_key(app, KEY, REQUEST).await.unwrap();
    let KnownKey::New(lease) = taken else { panic!("{taken:?}") };
    let pass = async |seconds| {
        server.advance_seconds(seconds);
        tokio::time::advance(Duration::from_secs(25)).await;
        // A renewal comes before what follows.
        yield_now().await;
        app.store().is_writable().await.unwrap();
    };

    let work = async {
        server.advance_seconds(61);
        let taken = take_key(app, KEY, REQUEST).await.unwrap();
        let KnownKey::New(other) = taken else { panic!("{taken:?}") };
        pass(1).await;
        app.store().forget_key(other).await.unwrap();
        let (now, given_up_at) = (app.now(), app.now() + oauth::Lifetime::from_seconds(60));
        let again = KeyedRequest { lease, now, given_up_at };
        assert_eq!(app.store().take_key(again).await, Ok(KnownKey::New(lease)));
        for seconds in [31; 2] {
            pass(seconds).await;
        }
        take_key(app, KEY, REQUEST).await
    };
    let after = hold_key(app, lease, work).await;

    assert!(matches!(after, Ok(KnownKey::New(other)) if other != lease), "{after:?}");
}
