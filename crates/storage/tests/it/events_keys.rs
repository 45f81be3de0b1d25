//! Public keys with which servers and apps add events.

use domain::ProjectId;
use oauth::Timestamp;
use storage::{
    ActingCredential, AuditEvent, Authority, EventsKey, NewEventsKey, NewProject, StorageError,
    Store,
};

use crate::given::{at, hash, member};
use crate::revisions::{draft_of, entry};

fn key(text: &str, made_at: Timestamp) -> EventsKey {
    EventsKey { key: text.to_owned(), made_at }
}

async fn set(
    store: &dyn Store,
    project: ProjectId,
    authority: Authority,
    key: EventsKey,
) -> Result<(), StorageError> {
    let new = NewEventsKey { authority, project, key };
    store.set_events_key(new, entry(AuditEvent::EventsKeyMade, project.get())).await
}

pub(crate) async fn a_project_has_one_events_key_and_a_new_one_takes_its_place(store: &dyn Store) {
    let projects = [1000, 1001].map(|number| ProjectId::new(number).unwrap());
    for (id, name) in projects.into_iter().zip(["shop", "blog"]) {
        let entry = entry(AuditEvent::ProjectAdded, id.get());
        let draft = draft_of(id.get(), name);
        store.add_project(NewProject { id, draft, entry }).await.unwrap();
    }
    let [shop, blog] = projects;
    assert_eq!(store.find_events_key(shop).await, Ok(None));

    set(store, shop, Authority::Operator, key("one", at(1))).await.unwrap();
    set(store, blog, Authority::Operator, key("other", at(2))).await.unwrap();
    set(store, shop, Authority::Operator, key("two", at(3))).await.unwrap();

    assert_eq!(store.find_events_key(shop).await, Ok(Some(key("two", at(3)))));
    for (key, project) in [("one", None), ("two", Some(shop)), ("other", Some(blog))] {
        assert_eq!(store.find_project_of_events_key(key).await, Ok(project), "{key}");
    }
    let gone = ActingCredential::AccessToken(hash("a token that has ended"));
    let ended = Authority::Member(member(store).await, gone);
    let refused = set(store, shop, ended, key("three", at(4))).await;
    assert_eq!(refused, Err(StorageError::SignedOut));
    let removed = || entry(AuditEvent::EventsKeyRemoved, 1000);
    assert_eq!(store.remove_events_key(shop, removed()).await, Ok(true));
    assert_eq!(store.remove_events_key(shop, removed()).await, Ok(false));
    assert_eq!(store.find_events_key(shop).await, Ok(None));
    assert_eq!(store.find_project_of_events_key("two").await, Ok(None));
    assert_eq!(store.find_events_key(blog).await, Ok(Some(key("other", at(2)))));
}
