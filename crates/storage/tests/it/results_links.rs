//! Links that show results.

use domain::ProjectId;
use storage::{
    AuditEvent, Authority, NewAuditEntry, NewKeys, NewResultsLink, RESULTS_LINKS_AT_MOST,
    ResultsLink, Store,
};

use crate::given::{DAY, at, by_member, hash, member};
use crate::revisions::with_project;

fn project(id: &str) -> ProjectId {
    id.parse().unwrap()
}

/// A link of project 7 with this id, made so many seconds into the story, good for a week.
pub(crate) fn link(id: &str, seconds: i64) -> ResultsLink {
    ResultsLink {
        id: id.to_owned(),
        project: project("7"),
        campaign: "3001".parse().unwrap(),
        member: None,
        made_by: "ann@example.com".to_owned(),
        made_at: at(seconds),
        expires_at: at(seconds + 7 * DAY),
    }
}

fn entry(event: AuditEvent, seconds: i64) -> NewAuditEntry {
    let (act, detail) = (by_member(seconds), String::new());
    NewAuditEntry { event, act, member: None, client_id: None, detail, project: None }
}

async fn add(store: &dyn Store, link: ResultsLink) -> bool {
    with_project(store, link.project).await;
    let new = NewResultsLink { authority: Authority::Operator, hash: hash(&link.id), link };
    store.add_results_link(new, entry(AuditEvent::ResultsLinkMade, 0)).await.unwrap()
}

async fn ids(store: &dyn Store, of: &str) -> Vec<String> {
    let listed = store.list_results_links(project(of)).await.unwrap();
    listed.into_iter().map(|link| link.id).collect()
}

pub(crate) async fn a_results_link_comes_back_as_it_was_made_and_goes_when_it_is_revoked(
    store: &dyn Store,
) {
    let one = ResultsLink { member: Some(member(store).await), ..link("one", 0) };
    let other = ResultsLink { project: project("8"), ..link("other", 2) };
    assert!(add(store, one.clone()).await && add(store, link("two", 1)).await);
    assert!(add(store, other).await);

    assert_eq!(store.find_results_link(&hash("one")).await, Ok(Some(one)));
    assert_eq!(store.find_results_link(&hash("three")).await, Ok(None));
    assert_eq!(ids(store, "7").await, ["two", "one"]);
    let revoked = || entry(AuditEvent::ResultsLinkRevoked, 3);
    for (of, id, expected) in
        [("8", "one", false), ("7", "o\0e", false), ("7", "one", true), ("7", "one", false)]
    {
        let removed = store.remove_results_link(project(of), id, revoked()).await;
        assert_eq!(removed, Ok(expected), "{of} {id}");
    }

    assert_eq!(store.find_results_link(&hash("one")).await, Ok(None));
    assert_eq!(
        (ids(store, "7").await, ids(store, "8").await),
        (vec!["two".into()], vec!["other".into()])
    );
}

pub(crate) async fn so_many_results_links_of_a_project_work_and_the_end_of_everything_ends_them(
    store: &dyn Store,
) {
    for number in 0..RESULTS_LINKS_AT_MOST {
        assert!(add(store, link(&number.to_string(), 0)).await);
    }

    assert!(!add(store, link("more", 1)).await);
    assert!(add(store, ResultsLink { project: project("8"), ..link("other", 1) }).await);
    assert!(add(store, link("later", 7 * DAY)).await);
    store.end_everything(NewKeys::default(), at(7 * DAY)).await.unwrap();

    assert_eq!(ids(store, "7").await, <[&str; 0]>::default());
    assert_eq!(ids(store, "8").await, <[&str; 0]>::default());
}
