//! What stories start from, with everything filled in that does not matter to them.

use std::future::{Future, poll_fn};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use oauth::{
    Client, ClientId, ClientKind, ClientOrigin, ClientSecret, CredentialHash, Lifetime,
    RedirectUri, ScopeSet, Timestamp,
};
use storage::{
    AccessGrant, Act, ActorKind, AuditKeeping, Authority, Consent, ExchangeCode, ExchangeOutcome,
    MemberId, NewAuthorizationCode, NewMember, NewSession, Proof, Refresh, RefreshOutcome,
    Rotation, SqliteStore, Store,
};

pub(crate) const REDIRECT_URI: &str = "https://reports.example/cb";

pub(crate) const HOUR: i64 = 3_600;
pub(crate) const DAY: i64 = 24 * HOUR;

/// So many seconds into the story.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_milliseconds(1_800_000_000_000) + Lifetime::from_seconds(seconds)
}

pub(crate) fn sqlite(folder: &Path) -> SqliteStore {
    let audit = AuditKeeping::of(Lifetime::from_seconds(400 * DAY));
    SqliteStore::open_to_serve(&folder.join("assay.db"), audit).unwrap()
}

/// Ends a store as a process ends: all of it is in its file, and none of its threads is at work. Dropped alone, it ends some time later.
pub(crate) fn close(store: SqliteStore) {
    let file = store.file();
    SqliteStore::settle(&file).unwrap();
    drop(store);
    while Arc::strong_count(&file) > 1 {
        thread::yield_now();
    }
}

/// Entries of the audit log are kept for a month by a clock that is believed once it has been steady for so long.
pub(crate) const fn keeping_a_month(clock_steady_for: Duration) -> AuditKeeping {
    AuditKeeping { kept_for: Lifetime::from_seconds(30 * DAY), clock_steady_for }
}

/// The hash of a credential, told apart by its name.
pub(crate) fn hash(name: &str) -> CredentialHash {
    oauth::hash(name).unwrap()
}

pub(crate) fn client_id(name: &str) -> ClientId {
    name.parse().unwrap()
}

pub(crate) fn client(name: &str) -> Client {
    Client {
        client_id: client_id(name),
        name: format!("The {name}"),
        kind: ClientKind::Confidential,
        redirect_uris: vec![RedirectUri::parse(REDIRECT_URI).unwrap()],
        secrets: vec![secret("secret")],
        scope: None,
        origin: ClientOrigin::Command,
        disabled_at: None,
    }
}

/// A secret that was never used, with itself as its id.
pub(crate) fn secret(text: &str) -> ClientSecret {
    ClientSecret {
        id: text.to_owned(),
        hash: hash(text),
        note: format!("the {text}"),
        created_at: at(0),
        last_used_at: None,
    }
}

/// The hash of every member's password.
pub(crate) const PASSWORD_HASH: &str = "$argon2id$…";

/// The address of every caller.
pub(crate) const ADDRESS: Option<IpAddr> = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)));

/// An act of an operator at the terminal.
pub(crate) fn by_command(seconds: i64) -> Act {
    Act { by: ActorKind::Command, member: None, address: None, at: at(seconds) }
}

/// A member does something in a browser.
pub(crate) fn by_member(seconds: i64) -> Act {
    Act { by: ActorKind::Member, member: None, address: ADDRESS, at: at(seconds) }
}

/// A session that starts so many seconds into the story, with its id.
pub(crate) fn new_session(id: &str, member: MemberId, seconds: i64) -> NewSession {
    NewSession {
        hash: hash(id),
        id: id.to_owned(),
        member,
        proof: Proof::Password(PASSWORD_HASH.to_owned()),
        browser: "Firefox on Linux".to_owned(),
        replaced: None,
        act: by_member(seconds),
    }
}

pub(crate) async fn member(store: &dyn Store) -> MemberId {
    let member = NewMember {
        email: "ann@example.com".to_owned(),
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: by_command(0),
    };
    store.add_member(member, Authority::Operator).await.unwrap()
}

/// A member, the clients `reports` and `other`, and a fresh code `code` that lets `reports` do everything.
pub(crate) async fn code(store: &dyn Store) -> MemberId {
    let member = consenting_member(store).await;
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    store.add_client(client("other"), by_command(0)).await.unwrap();
    store.add_authorization_code(new_code("code", member)).await.unwrap();
    member
}

/// A member with a session in which they can allow things.
pub(crate) async fn consenting_member(store: &dyn Store) -> MemberId {
    let member = member(store).await;
    store.add_session(new_session(CONSENTING, member, 0)).await.unwrap();
    member
}

/// The session in which a member allows everything.
pub(crate) const CONSENTING: &str = "the browser that allows";

pub(crate) fn new_code(code: &str, member: MemberId) -> NewAuthorizationCode {
    NewAuthorizationCode {
        hash: hash(code),
        client_id: client_id("reports"),
        member,
        redirect_uri: REDIRECT_URI.to_owned(),
        scope: ScopeSet::ALL,
        names_scope: true,
        code_challenge: None,
        consent: Consent::Given(ADDRESS),
        session: hash(CONSENTING),
        now: at(0),
    }
}

/// The right exchange of the code `code`, for the tokens `access 0` and `refresh 0`.
pub(crate) fn exchange() -> ExchangeCode {
    ExchangeCode {
        code: hash("code"),
        client_id: client_id("reports"),
        redirect_uri: REDIRECT_URI.to_owned(),
        code_challenge: None,
        access_token: hash("access 0"),
        refresh_token: hash("refresh 0"),
        address: ADDRESS,
        now: at(1),
    }
}

/// All of the above, and the code is exchanged.
pub(crate) async fn tokens(store: &dyn Store) -> MemberId {
    let member = code(store).await;
    let outcome = store.exchange_code(exchange()).await;
    assert_eq!(outcome, Ok(ExchangeOutcome::Exchanged(ScopeSet::ALL)));
    member
}

/// A refresh by a client that keeps its token.
pub(crate) fn keeping(refresh_token: &str, access_token: &str, now: Timestamp) -> Refresh {
    Refresh {
        refresh_token: hash(refresh_token),
        client_id: client_id("reports"),
        access_token: hash(access_token),
        rotation: Rotation::Keep,
        scope: None,
        widest_scope: ScopeSet::ALL,
        at_once_since: None,
        address: ADDRESS,
        now,
    }
}

/// A refresh that replaces the token `refresh …` named `spent`, for the tokens `refresh …` and `access …` named `next`.
pub(crate) fn rotating(spent: &str, next: &str) -> Refresh {
    let rotation = Rotation::Replace(hash(&format!("refresh {next}")));
    let refresh = keeping(&format!("refresh {spent}"), &format!("access {next}"), at(2));
    Refresh { rotation, ..refresh }
}

pub(crate) const REFRESHED: Result<RefreshOutcome, storage::StorageError> =
    Ok(RefreshOutcome::Refreshed(ScopeSet::ALL));

/// What the access token with this name allows a moment later.
pub(crate) async fn grant(store: &dyn Store, access_token: &str) -> Option<AccessGrant> {
    store.find_access_token(&hash(access_token), at(3)).await.unwrap()
}

/// Whether the access token with this name opens anything.
pub(crate) async fn opens(store: &dyn Store, access_token: &str) -> bool {
    grant(store, access_token).await.is_some()
}

/// Starts all before it waits for any.
pub(crate) async fn all_at_once<T>(
    futures: impl Iterator<Item = impl Future<Output = T>>,
) -> Vec<T> {
    let mut futures: Vec<Pin<Box<_>>> = futures.map(Box::pin).collect();
    let mut results: Vec<Option<T>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, result) in futures.iter_mut().zip(&mut results) {
            if result.is_none()
                && let Poll::Ready(value) = future.as_mut().poll(context)
            {
                *result = Some(value);
            }
        }
        if results.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    results.into_iter().flatten().collect()
}
