//! Identities of members at an OpenID Connect provider.

use storage::{
    AnsweredChallenge, AuditEvent, Authority, ChoosePasswordOutcome, ChoosingSession,
    ChosenPassword, Identity, IdentityUse, ListRange, MemberId, NewMember, NewSession, Proof,
    StorageError, Store, TemporaryPassword,
};

use crate::given::{PASSWORD_HASH, at, by_command, by_member, hash, member, new_session};

fn identity(subject: &str) -> Identity {
    Identity { issuer: "https://id.example".to_owned(), subject: subject.to_owned() }
}

/// A sign-in of a member with this identity, in answer to the question of that name, which names the session, too.
fn sign_in(member: MemberId, subject: &str, question: &str) -> NewSession {
    let challenge = AnsweredChallenge { hash: hash(question), expires_at: at(300) };
    let proof = Proof::Identity(IdentityUse { identity: identity(subject), challenge });
    NewSession { proof, ..new_session(question, member, 1) }
}

async fn bob(store: &dyn Store) -> MemberId {
    let bob = NewMember {
        email: "bob@example.com".to_owned(),
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: by_command(0),
    };
    store.add_member(bob, Authority::Operator).await.unwrap()
}

async fn holder(store: &dyn Store, subject: &str) -> Option<MemberId> {
    let found = store.find_member_by_identity(&identity(subject)).await.unwrap();
    found.map(|member| member.id)
}

pub(crate) async fn the_first_sign_in_links_an_identity_for_good(store: &dyn Store) {
    let ann = member(store).await;
    assert_eq!(holder(store, "1").await, None);

    store.add_session(sign_in(ann, "1", "first")).await.unwrap();
    store.add_session(sign_in(ann, "1", "second")).await.unwrap();

    assert_eq!(holder(store, "1").await, Some(ann));
    assert!(store.find_session(&hash("second"), at(2)).await.unwrap().is_some());
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 1 }).await.unwrap();
    assert_eq!(log[0].event, AuditEvent::SignedInByProvider);
}

pub(crate) async fn an_identity_is_one_members_and_a_member_is_one_person(store: &dyn Store) {
    let (ann, bob) = (member(store).await, bob(store).await);
    store.add_session(sign_in(ann, "1", "ann")).await.unwrap();

    let as_bob = store.add_session(sign_in(bob, "1", "not bob")).await;
    let another = store.add_session(sign_in(ann, "2", "not ann")).await;

    assert_eq!((as_bob, another), (Err(StorageError::Conflict), Err(StorageError::Conflict)));
    assert_eq!((holder(store, "1").await, holder(store, "2").await), (Some(ann), None));
    assert!(store.find_session(&hash("not bob"), at(2)).await.unwrap().is_none());
}

pub(crate) async fn an_answer_of_a_provider_signs_in_once(store: &dyn Store) {
    let ann = member(store).await;
    store.add_session(sign_in(ann, "1", "question")).await.unwrap();

    let again = NewSession {
        hash: hash("another session"),
        id: "another".to_owned(),
        ..sign_in(ann, "1", "question")
    };

    assert_eq!(store.add_session(again).await, Err(StorageError::Conflict));
    assert!(store.find_session(&hash("another session"), at(2)).await.unwrap().is_none());
}

pub(crate) async fn a_reset_lets_a_member_link_another_identity(store: &dyn Store) {
    let ann = member(store).await;
    store.add_session(sign_in(ann, "1", "before")).await.unwrap();
    let reset =
        TemporaryPassword { member: ann, password_hash: "new".to_owned(), act: by_command(2) };

    store.reset_password(reset).await.unwrap();
    store.add_session(sign_in(ann, "2", "after")).await.unwrap();

    assert_eq!((holder(store, "1").await, holder(store, "2").await), (None, Some(ann)));
}

/// As after a reset: an attacker who knew the forgotten password may have linked an identity of their own.
pub(crate) async fn a_forgotten_password_ends_the_link_to_an_identity(store: &dyn Store) {
    let ann = member(store).await;
    store.add_session(sign_in(ann, "1", "before")).await.unwrap();
    let proof = Proof::Password("own".to_owned());
    let session = NewSession { proof, ..new_session("only", ann, 2) };
    let chosen = ChosenPassword {
        member: ann,
        before: PASSWORD_HASH.to_owned(),
        after: "own".to_owned(),
        removed_passkeys: Vec::new(),
        session: ChoosingSession::Only(Box::new(session)),
        act: by_member(2),
    };

    let outcome = store.choose_password(chosen).await;
    let linked = holder(store, "1").await;
    store.add_session(sign_in(ann, "2", "after")).await.unwrap();

    assert_eq!((outcome, linked), (Ok(ChoosePasswordOutcome::Chosen), None));
    assert_eq!(holder(store, "2").await, Some(ann));
}
