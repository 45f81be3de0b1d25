//! Who alone vouches for the address of a member, and what ends once something has proved it.

use domain::ProjectId;
use oauth::CredentialHash;
use storage::{
    Act, AddPasskeyOutcome, AnsweredChallenge, AuditEvent, Authority, ChoosingSession,
    ChosenPassword, Earlier, Identity, IdentityUse, ListRange, MemberId, NewPasskey, NewSession,
    Proof, RoleGrant, SqliteStore, StorageError, Store, TemporaryPassword, Voucher, Webhook,
};

use crate::cluster::Database;
use crate::given::{at, by_command, by_member, hash, new_session};
use crate::released::{database, file, released};
use crate::revisions::{entry, with_project};
use crate::roles::{change, member_with};
use crate::webhooks::webhook;

/// The schema before it was noted who vouches for whom.
const BEFORE: usize = 30;

fn by(member: MemberId) -> Act {
    Act { member: Some(member), ..by_member(1) }
}

fn vouching(id: MemberId, email: &str) -> Voucher {
    Voucher { id, email: Some(email.to_owned()) }
}

async fn voucher(store: &dyn Store, member: MemberId) -> Option<Voucher> {
    store.lookup_member_line(member).await.unwrap().unwrap().vouched_by
}

fn challenge(name: &str) -> AnsweredChallenge {
    AnsweredChallenge { hash: hash(name), expires_at: at(300) }
}

/// A session by the temporary password `given`.
fn by_password(id: &str, member: MemberId) -> NewSession {
    NewSession { proof: Proof::Password("given".to_owned()), ..new_session(id, member, 1) }
}

fn by_identity(id: &str, member: MemberId, replaced: Option<CredentialHash>) -> NewSession {
    let (issuer, subject) = ("https://id.example".to_owned(), "cleo".to_owned());
    let used = IdentityUse { identity: Identity { issuer, subject }, challenge: challenge(id) };
    NewSession { proof: Proof::Identity(used), replaced, ..new_session(id, member, 1) }
}

/// Ann hands Cleo a password.
async fn hand_over(store: &dyn Store, cleo: MemberId, act: Act) {
    let password_hash = "given".to_owned();
    store.reset_password(TemporaryPassword { member: cleo, password_hash, act }).await.unwrap();
}

/// Signs in with the password that was handed over, and adds a passkey there.
async fn use_it(store: &dyn Store, cleo: MemberId) {
    store.add_session(by_password("attacker", cleo)).await.unwrap();
    let passkey = NewPasskey {
        credential_id: b"attacker".to_vec(),
        id: "attacker".to_owned(),
        member: cleo,
        credential: "0 times".to_owned(),
        name: "attacker".to_owned(),
        challenge: challenge("passkey"),
        session: hash("attacker"),
        act: by_member(1),
    };
    assert_eq!(store.add_passkey(passkey).await, Ok(AddPasskeyOutcome::Added));
}

/// Ann, and Cleo, of whose password Ann knows, and with a passkey that is Ann's.
async fn attacked(store: &dyn Store) -> (MemberId, MemberId) {
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    let cleo = member_with(store, "cleo", &[]).await;
    hand_over(store, cleo, by(ann)).await;
    use_it(store, cleo).await;
    (ann, cleo)
}

async fn passkeys(store: &dyn Store, member: MemberId) -> usize {
    store.list_passkeys(member).await.unwrap().len()
}

async fn is_open(store: &dyn Store, session: &str) -> bool {
    store.find_session(&hash(session), at(2)).await.unwrap().is_some()
}

pub(crate) async fn who_hands_over_a_password_vouches_until_an_operator_does(store: &dyn Store) {
    let (ann, cleo) = attacked(store).await;
    let by_ann = voucher(store, cleo).await;

    hand_over(store, cleo, by_command(2)).await;

    assert_eq!(by_ann, Some(vouching(ann, "ann@example.com")));
    assert_eq!(voucher(store, cleo).await, None);
}

pub(crate) async fn whom_a_taken_account_vouched_for_the_one_who_took_it_vouches_for(
    store: &dyn Store,
) {
    let (ann, cleo) = attacked(store).await;
    let olga = member_with(store, "olga", &[RoleGrant::OWNER]).await;
    let dora = member_with(store, "dora", &[]).await;
    hand_over(store, dora, by(cleo)).await;

    hand_over(store, cleo, by(olga)).await;

    assert_eq!(voucher(store, cleo).await, Some(vouching(olga, "olga@example.com")));
    assert_eq!(voucher(store, dora).await, Some(vouching(ann, "ann@example.com")));
}

pub(crate) async fn a_reset_of_ones_own_password_leaves_who_vouches(store: &dyn Store) {
    let (ann, cleo) = attacked(store).await;

    hand_over(store, cleo, by(cleo)).await;

    assert_eq!(voucher(store, cleo).await, Some(vouching(ann, "ann@example.com")));
}

pub(crate) async fn the_first_identity_ends_what_another_person_may_have_made(store: &dyn Store) {
    let (_, cleo) = attacked(store).await;

    let earlier = store.add_session(by_identity("cleo", cleo, None)).await;
    let again = store.add_session(by_password("attacker again", cleo)).await;

    assert_eq!((earlier, again), (Ok(Earlier::Ended), Err(StorageError::Conflict)));
    assert!(is_open(store, "cleo").await && !is_open(store, "attacker").await);
    assert_eq!((passkeys(store, cleo).await, voucher(store, cleo).await), (0, None));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 4 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event).collect();
    let [signed_in, ended] = [AuditEvent::SignedInByProvider, AuditEvent::SessionEnded];
    let [passkey, password] = [AuditEvent::PasskeyRemoved, AuditEvent::PasswordChanged];
    assert_eq!(events, [signed_in, passkey, ended, password]);
}

pub(crate) async fn a_later_sign_in_with_the_identity_ends_nothing(store: &dyn Store) {
    let (_, cleo) = attacked(store).await;
    store.add_session(by_identity("first", cleo, None)).await.unwrap();

    let later = store.add_session(by_identity("second", cleo, None)).await;

    assert_eq!(later, Ok(Earlier::Kept));
    assert!(is_open(store, "first").await);
}

pub(crate) async fn an_identity_ends_nothing_of_a_member_for_whom_no_other_vouches(
    store: &dyn Store,
) {
    let cleo = member_with(store, "cleo", &[]).await;
    store.add_session(new_session("before", cleo, 1)).await.unwrap();

    let earlier = store.add_session(by_identity("cleo", cleo, None)).await;

    assert_eq!(earlier, Ok(Earlier::Kept));
    assert!(is_open(store, "before").await);
}

pub(crate) async fn who_is_signed_in_keeps_the_password_at_the_first_identity(store: &dyn Store) {
    let (ann, cleo) = attacked(store).await;

    let earlier = store.add_session(by_identity("cleo", cleo, Some(hash("attacker")))).await;

    assert_eq!(earlier, Ok(Earlier::Kept));
    assert_eq!(voucher(store, cleo).await, Some(vouching(ann, "ann@example.com")));
    store.add_session(by_password("with the password", cleo)).await.unwrap();
}

pub(crate) async fn the_session_of_another_member_keeps_no_password(store: &dyn Store) {
    let (ann, cleo) = attacked(store).await;
    store.add_session(new_session("ann", ann, 1)).await.unwrap();

    let earlier = store.add_session(by_identity("cleo", cleo, Some(hash("ann")))).await;

    assert_eq!(earlier, Ok(Earlier::Ended));
}

pub(crate) async fn a_reset_by_another_than_who_vouches_removes_passkeys(store: &dyn Store) {
    let (ann, cleo) = attacked(store).await;

    hand_over(store, cleo, by(ann)).await;
    let after_ann = passkeys(store, cleo).await;
    hand_over(store, cleo, by_command(2)).await;

    assert_eq!((after_ann, passkeys(store, cleo).await), (1, 0));
}

pub(crate) async fn a_password_chosen_by_a_mailed_link_proves_the_address(store: &dyn Store) {
    let (_, cleo) = attacked(store).await;
    let proof = Proof::Password("own".to_owned());
    let session = NewSession { proof, ..new_session("cleo", cleo, 2) };

    let chosen = ChosenPassword {
        member: cleo,
        before: "given".to_owned(),
        after: "own".to_owned(),
        removed_passkeys: Vec::new(),
        session: ChoosingSession::Only(Box::new(session)),
        act: by_member(2),
    };
    store.choose_password(chosen).await.unwrap();

    assert_eq!((passkeys(store, cleo).await, voucher(store, cleo).await), (0, None));
}

pub(crate) async fn webhooks_of_a_removed_member_are_switched_off(store: &dyn Store) {
    let ann = member_with(store, "ann", &[]).await;
    let bob = member_with(store, "bob", &[]).await;
    let project: ProjectId = webhook("any").project;
    with_project(store, project).await;
    for (id, member) in [("anns", Some(ann)), ("bobs", Some(bob)), ("command", None)] {
        let made = Webhook { member, ..webhook(id) };
        let entry = entry(AuditEvent::WebhookAdded, 1);
        assert_eq!(store.add_webhook((Authority::Operator, made), entry).await, Ok(true));
    }

    store.change_roles(change(ann, &[], None)).await.unwrap();

    let of = async |id: &str| store.find_webhook(id).await.unwrap().unwrap();
    let off = of("anns").await;
    let because = off.off_because.map(storage::OffBecause::as_str);
    assert_eq!((off.is_enabled, because, off.version), (false, Some("member_removed"), 2));
    assert!(of("bobs").await.is_enabled && of("command").await.is_enabled);
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 2 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event).collect();
    assert_eq!(events, [AuditEvent::WebhookSwitchedOff, AuditEvent::MemberRemoved]);
    assert_eq!(log[0].project.as_ref().map(|about| &*about.entity), Some("webhook anns"));
}

/// Ann, who is 1, invited Bob, who is 2, who accepted; Bob invited Ann to a project, who accepted as the member who she was. Bob added a webhook.
const TOLD: &str = "\
    INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count, entity) VALUES
    (1, 'invitation.made', 'member', 1, '', '', 'b_b@example.com: viewer (c0ffee)', 1, ''),
    (2, 'invitation.made', 'member', 2, '', '', 'ann@example.com: viewer in 1000 (beef)', 1, ''),
    (3, 'member.added', 'member', 2, '', '', 'b_b@example.com: viewer', 1, ''),
    (3, 'invitation.accepted', 'member', 2, '', '', 'b_b@example.com: viewer (c0ffee), invited by ann', 1, ''),
    (4, 'invitation.accepted', 'member', 1, '', '', 'ann@example.com: viewer in 1000 (beef), invited by bob', 1, ''),
    (5, 'webhook.added', 'member', 2, '', '', '', 1, 'webhook aa11')";

/// What the steps after [`BEFORE`] make of that.
async fn the_log_tells(store: &dyn Store) {
    let members = store.list_members(None, ListRange { page: 1, per_page: 9 }).await.unwrap();
    let told: Vec<_> = members
        .iter()
        .map(|one| (one.id.to_string(), one.vouched_by.as_ref().map(|by| by.id.to_string())))
        .collect();
    let of = |id: &str| told.iter().find(|(known, _)| known == id).unwrap().1.clone();
    assert_eq!((of("1"), of("2")), (None, Some("1".to_owned())));
    let webhook = store.find_webhook("aa11").await.unwrap().unwrap();
    assert_eq!(webhook.member.map(|member| member.to_string()), Some("2".to_owned()));
}

fn before() -> String {
    released().into_iter().find(|(schema, _)| *schema == BEFORE).unwrap().1
}

#[tokio::test]
async fn the_log_of_an_older_file_tells_who_vouches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");
    file(&path, BEFORE, &before()).execute_batch(TOLD).unwrap();

    the_log_tells(&SqliteStore::open(&path).unwrap()).await;
}

#[tokio::test]
async fn the_log_of_an_older_postgres_database_tells_who_vouches() {
    let database: Database = database(BEFORE, &before()).await;
    database.connect().await.batch_execute(TOLD).await.unwrap();

    the_log_tells(&storage::PostgresStore::open(&database.address()).await.unwrap()).await;
}
