//! The audit log: what happened is written down with it.

use std::net::IpAddr;

use oauth::Timestamp;
use storage::{
    ActorKind, AuditEntry, AuditEvent, AuditFilter, AuditPerson, ExchangeCode, ExchangeOutcome,
    ListRange, MemberId, NewAuditEntry, NewKeys, ProjectChange, RefreshOutcome, Refusal, Revoke,
    Store,
};

use crate::given::{
    ADDRESS, REFRESHED, at, by_command, by_member, client, client_id, code, exchange, hash,
    keeping, member, new_session, rotating, secret, tokens,
};

async fn log(store: &dyn Store) -> Vec<AuditEntry> {
    store.list_audit_entries(ListRange { page: 1, per_page: 100 }).await.unwrap()
}

/// What happened, the last first, as far back as this.
async fn events(store: &dyn Store, count: usize) -> Vec<AuditEvent> {
    log(store).await.into_iter().take(count).map(|entry| entry.event).collect()
}

pub(crate) async fn an_entry_records_who_did_what_to_whom_when_and_from_where(store: &dyn Store) {
    let member = tokens(store).await;

    let log = log(store).await;

    let happened: Vec<_> = log.iter().rev().map(|entry| (entry.event, entry.by)).collect();
    assert_eq!(
        happened,
        [
            (AuditEvent::MemberAdded, ActorKind::Command),
            (AuditEvent::SignedIn, ActorKind::Member),
            (AuditEvent::ApplicationAdded, ActorKind::Command),
            (AuditEvent::ApplicationAdded, ActorKind::Command),
            (AuditEvent::ConsentAllowed, ActorKind::Member),
            (AuditEvent::CodeExchanged, ActorKind::Client),
        ]
    );
    let exchanged = &log[0];
    assert_eq!((exchanged.at, exchanged.count), (at(1), 1));
    assert_eq!(exchanged.address.as_deref(), Some("192.0.2.7"));
    assert_eq!(exchanged.client_id, Some(client_id("reports")));
    let somebody = exchanged.member.clone().unwrap();
    assert_eq!((somebody.id, somebody.email.as_deref()), (member, Some("ann@example.com")));
    assert!(exchanged.detail.as_deref().unwrap().starts_with("config:read "));
    assert!(log.is_sorted_by(|newer, older| newer.id > older.id));
}

pub(crate) async fn failed_changes_are_not_in_the_audit_log(store: &dyn Store) {
    code(store).await;
    let before = log(store).await;

    let elsewhere =
        ExchangeCode { redirect_uri: "https://elsewhere.example/".into(), ..exchange() };
    store.exchange_code(elsewhere).await.unwrap();
    store.add_client(client("reports"), by_command(1)).await.unwrap_err();
    store.put_client(client("reports"), by_command(1)).await.unwrap();
    store.remove_session(&hash("nobody"), by_member(1)).await.unwrap();

    assert_eq!(log(store).await, before);
}

pub(crate) async fn replay_and_reuse_are_written_down_once(store: &dyn Store) {
    tokens(store).await;
    let count = log(store).await.len();
    for _ in 0..3 {
        assert_eq!(store.exchange_code(exchange()).await, Ok(ExchangeOutcome::AlreadyUsed));
    }

    assert_eq!(events(store, 1).await, [AuditEvent::CodeReplayed]);
    assert_eq!(log(store).await.len(), count + 1);
}

pub(crate) async fn reuse_of_a_refresh_token_is_written_down(store: &dyn Store) {
    tokens(store).await;
    for (spent, next) in [("0", "1"), ("1", "2")] {
        assert_eq!(store.refresh(rotating(spent, next)).await, REFRESHED);
    }
    let before = log(store).await.len();

    let reused = store.refresh(keeping("refresh 0", "access 3", at(3))).await;

    assert_eq!(reused, Ok(RefreshOutcome::Reused));
    assert_eq!(events(store, 1).await, [AuditEvent::RefreshTokenReused]);
    assert_eq!(log(store).await.len(), before + 1, "refreshing itself is not written down");
}

pub(crate) async fn revocations_by_clients_are_in_the_audit_log(store: &dyn Store) {
    let member = tokens(store).await;
    for token in ["access 0", "refresh 0", "refresh 0", "nothing"] {
        let client_id = client_id("reports");
        let revoke = Revoke { token: hash(token), client_id, address: ADDRESS, now: at(2) };
        store.revoke(revoke).await.unwrap();
    }

    let log = log(store).await;

    assert_eq!(log[0].event, AuditEvent::GrantRevoked);
    assert_eq!(log[1].event, AuditEvent::AccessTokenRevoked);
    assert!(log[..2].iter().all(|entry| entry.member.as_ref().unwrap().id == member));
    assert_eq!(log[2].event, AuditEvent::CodeExchanged);
}

pub(crate) async fn each_change_of_an_application_is_written_down(store: &dyn Store) {
    let reports = client_id("reports");
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    store.add_client_secret(&reports, secret("second"), by_command(1)).await.unwrap();
    store.remove_client_secret(&reports, "secret", by_command(2)).await.unwrap();
    store.disable_client(&reports, by_command(3)).await.unwrap();
    store.disable_client(&reports, by_command(3)).await.unwrap();
    store.enable_client(&reports, by_command(4)).await.unwrap();
    store.remove_client(&reports, by_command(5)).await.unwrap();

    let log = log(store).await;

    let told: Vec<_> =
        log.iter().rev().map(|entry| (entry.event, entry.detail.as_deref())).collect();
    assert_eq!(
        told,
        [
            (AuditEvent::ApplicationAdded, Some("The reports")),
            (AuditEvent::SecretAdded, Some("second")),
            (AuditEvent::SecretRemoved, Some("secret")),
            (AuditEvent::ApplicationDisabled, None),
            (AuditEvent::ApplicationEnabled, None),
            (AuditEvent::ApplicationRemoved, Some("The reports")),
        ]
    );
    assert!(log.iter().all(|entry| entry.client_id == Some(client_id("reports"))));
}

pub(crate) async fn sessions_are_written_down_as_they_start_and_end(store: &dyn Store) {
    let member = member(store).await;
    for id in ["one", "two", "three", "four"] {
        store.add_session(new_session(id, member, 0)).await.unwrap();
    }
    store.end_session(member, "two", by_member(1)).await.unwrap();
    store.end_other_sessions(member, &hash("one"), by_member(2)).await.unwrap();
    store.remove_session(&hash("one"), by_member(3)).await.unwrap();

    let ended = AuditEvent::SessionEnded;
    assert_eq!(
        events(store, 5).await,
        [AuditEvent::SignedOut, ended, ended, ended, AuditEvent::SignedIn]
    );
}

pub(crate) async fn the_end_of_everything_is_written_down(store: &dyn Store) {
    tokens(store).await;

    store.end_everything(NewKeys::default(), at(2)).await.unwrap();

    assert_eq!(events(store, 1).await, [AuditEvent::EverythingEnded]);
}

fn refusal(address: &str, seconds: i64) -> Refusal {
    Refusal {
        event: AuditEvent::ClientRefused,
        member: None,
        client_id: Some(client_id("reports")),
        address: Some(address.parse::<IpAddr>().unwrap()),
        minute: at(seconds),
    }
}

pub(crate) async fn refusals_of_a_minute_are_one_entry(store: &dyn Store) {
    let (here, there) = (refusal("192.0.2.1", 0), refusal("2001:db8::1", 0));
    let nobody = Refusal { client_id: None, address: None, ..here.clone() };
    let later = refusal("192.0.2.1", 60);

    store.count_refusals(vec![(here.clone(), 3), (there, 1), (nobody.clone(), 1)]).await.unwrap();
    store.count_refusals(vec![(here, 4), (nobody, 1), (later, 1)]).await.unwrap();

    let entries = log(store).await.into_iter().rev();
    let mut told: Vec<_> = entries.map(|entry| (entry.at, entry.address, entry.count)).collect();
    told.sort();
    assert_eq!(
        told,
        [
            (at(0), None, 2),
            (at(0), Some("192.0.2.1".to_owned()), 7),
            (at(0), Some("2001:db8::1".to_owned()), 1),
            (at(60), Some("192.0.2.1".to_owned()), 1),
        ]
    );
}

pub(crate) async fn the_log_is_read_page_by_page_the_newest_first(store: &dyn Store) {
    for number in 0..5 {
        let entry = NewAuditEntry {
            event: AuditEvent::ConsentDenied,
            act: by_member(number),
            member: None,
            client_id: None,
            detail: String::new(),
            project: None,
        };
        store.add_audit_entry(entry).await.unwrap();
    }
    let moments = async |page| -> Vec<Timestamp> {
        let entries = store.list_audit_entries(ListRange { page, per_page: 2 }).await.unwrap();
        entries.into_iter().map(|entry| entry.at).collect()
    };

    assert_eq!(moments(1).await, [at(4), at(3)]);
    assert_eq!(moments(3).await, [at(0)]);
    assert_eq!(moments(4).await, []);
}

/// An entry by this member, or by an operator.
fn said(event: AuditEvent, member: Option<MemberId>, seconds: i64, detail: &str) -> NewAuditEntry {
    let act = if member.is_some() { by_member(seconds) } else { by_command(seconds) };
    NewAuditEntry { event, act, member, client_id: None, detail: detail.to_owned(), project: None }
}

/// The details of what is found, the last first; and their number is counted.
async fn found(store: &dyn Store, filter: AuditFilter) -> Vec<String> {
    let all = ListRange { page: 1, per_page: 100 };
    let entries = store.search_audit_entries(filter.clone(), all).await.unwrap();
    let first = ListRange { page: 1, per_page: 1 };
    let first = store.search_audit_entries(filter.clone(), first).await.unwrap();
    assert_eq!(first.first(), entries.first());
    assert_eq!(store.count_audit_entries(filter).await.unwrap(), entries.len() as u64);
    entries.into_iter().map(|entry| entry.detail.unwrap_or_default()).collect()
}

pub(crate) async fn a_search_finds_what_a_person_did_and_what_was_done_about_them(
    store: &dyn Store,
) {
    let ann = member(store).await;
    let other = format!("{ann}1").parse().unwrap();
    for entry in [
        said(AuditEvent::PasskeyAdded, Some(ann), 1, "her key"),
        said(AuditEvent::PasskeyAdded, Some(other), 2, "his key"),
        said(AuditEvent::PasswordChanged, Some(other), 3, &format!("member {ann}: by an admin")),
        said(AuditEvent::PasswordChanged, Some(ann), 4, &format!("member {other}: by Ann")),
        said(AuditEvent::MemberRemoved, None, 5, "a_n@example.com: viewer"),
        said(AuditEvent::MemberRemoved, None, 6, "ann@example.com: viewer"),
    ] {
        store.add_audit_entry(entry).await.unwrap();
    }
    let of = |id, email: Option<&str>| AuditFilter {
        person: Some(AuditPerson { id, email: email.map(str::to_owned) }),
        since: Some(at(1)),
        ..AuditFilter::default()
    };

    let about_ann = format!("member {ann}: by an admin");
    let by_ann = format!("member {other}: by Ann");
    assert_eq!(
        found(store, of(Some(ann), Some("Ann@Example.com"))).await,
        ["ann@example.com: viewer", &by_ann, &about_ann, "her key"]
    );
    assert_eq!(found(store, of(Some(other), None)).await, [&by_ann, &about_ann, "his key"]);
    assert_eq!(found(store, of(None, Some("a_n@example.com"))).await, ["a_n@example.com: viewer"]);
    assert_eq!(found(store, of(None, Some("%"))).await, Vec::<String>::new());
}

pub(crate) async fn a_search_is_narrowed_by_project_event_and_time(store: &dyn Store) {
    let change = |id: &str| {
        let (entity, change) = ("draft".to_owned(), String::new());
        Some(ProjectChange { id: id.parse().unwrap(), entity, change, request_id: String::new() })
    };
    for (seconds, project) in [(1, "1000"), (2, "1001"), (3, "1000")] {
        let entry = said(AuditEvent::DraftChanged, None, seconds, &format!("at {seconds}"));
        let entry = NewAuditEntry { project: change(project), ..entry };
        store.add_audit_entry(entry).await.unwrap();
    }
    store.add_audit_entry(said(AuditEvent::EverythingEnded, None, 4, "at 4")).await.unwrap();
    let shop = AuditFilter { project: Some("1000".parse().unwrap()), ..AuditFilter::default() };
    let ended = AuditFilter { event: Some(AuditEvent::EverythingEnded), ..AuditFilter::default() };
    let span = AuditFilter { since: Some(at(2)), until: Some(at(4)), ..AuditFilter::default() };

    assert_eq!(found(store, shop.clone()).await, ["at 3", "at 1"]);
    assert_eq!(found(store, ended).await, ["at 4"]);
    assert_eq!(found(store, span.clone()).await, ["at 3", "at 2"]);
    assert_eq!(found(store, AuditFilter { project: shop.project, ..span }).await, ["at 3"]);
    assert_eq!(found(store, AuditFilter::default()).await.len(), 4);
}
