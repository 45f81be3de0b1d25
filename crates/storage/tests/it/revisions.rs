//! The revisions of projects, and how they go live.

use domain::ProjectId;
use oauth::Timestamp;
use storage::{
    ActorKind, AuditEvent, DraftChanges, DraftDocument, DraftUpdate, ListRange, ManagedBy,
    NewAuditEntry, NewProject, NewRevision, Precondition, ProjectChange, Publication,
    PublishOutcome, Revision, RevisionLine, RoleGrant, SnippetEncoding, Store,
};

use crate::given::{all_at_once, at, by_command};

pub(crate) fn project(number: u64) -> ProjectId {
    ProjectId::new(number).unwrap()
}

/// Whatever a story adds to a project, the project is there.
pub(crate) async fn with_project(store: &dyn Store, id: ProjectId) {
    if store.find_project(id).await.unwrap().is_none() {
        let (draft, entry) = (draft_of(id.get(), "a"), entry(AuditEvent::ProjectAdded, id.get()));
        store.add_project(NewProject { id, draft, entry }).await.unwrap();
    }
}

/// The same for all projects in which these roles are.
pub(crate) async fn with_projects_of(store: &dyn Store, roles: &[RoleGrant]) {
    for project in roles.iter().filter_map(|role| role.project) {
        with_project(store, project).await;
    }
}

/// What the log is to tell about something that is done to a project.
pub(crate) fn entry(event: AuditEvent, project_id: u64) -> NewAuditEntry {
    NewAuditEntry {
        event,
        act: by_command(5),
        member: None,
        client_id: None,
        detail: "Hero".to_owned(),
        project: Some(ProjectChange {
            id: project(project_id),
            entity: "project".to_owned(),
            change: "[]".to_owned(),
            request_id: "r1".to_owned(),
        }),
    }
}

/// The draft of one of several projects, each of which has a key of its own.
pub(crate) fn draft_of(project_id: u64, name: &str) -> DraftDocument {
    DraftDocument { key: format!("shop{project_id}"), ..draft(name) }
}

/// A draft that is told apart by its name.
pub(crate) fn draft(name: &str) -> DraftDocument {
    DraftDocument {
        key: "shop".to_owned(),
        name: Some("Shop".to_owned()),
        is_archived: false,
        document: format!("{{\"name\":\"{name}\"}}"),
        changes: DraftChanges { at: at(5), by: "ann@example.com".to_owned(), changes: Vec::new() },
    }
}

/// A revision whose document and snippet are told apart by their names, of which the document becomes the draft, too.
pub(crate) fn publication(project_id: u64, document: &str, snippet: &str) -> Publication {
    Publication {
        revision: NewRevision {
            project_id: project(project_id),
            document: draft(document).document,
            document_hash: format!("hash of {document}"),
            snippet_hash: format!("hash of {snippet}"),
            javascript: format!("{snippet}();"),
            brotli: vec![0, 1, 255],
            gzip: vec![],
            author: "ann@example.com".to_owned(),
            message: "Hero".to_owned(),
            restored_from: None,
            created_at: at(5),
            moments: vec![],
        },
        precondition: Precondition::default(),
        settled: vec![],
        draft: DraftUpdate::Replace(draft_of(project_id, document)),
        managed_by: ManagedBy::Store,
        announcements: vec![],
        entry: entry(AuditEvent::RevisionPublished, project_id),
    }
}

pub(crate) async fn publish(store: &dyn Store, publication: Publication) -> Revision {
    let outcome = store.publish_revision(publication).await.unwrap();
    let PublishOutcome::Published(revision) = outcome else { panic!("{outcome:?}") };
    *revision
}

pub(crate) async fn revisions_are_numbered_within_their_project(store: &dyn Store) {
    assert_eq!(publish(store, publication(1, "a", "a")).await.number, 1);
    assert_eq!(publish(store, publication(1, "b", "b")).await.number, 2);
    assert_eq!(publish(store, publication(2, "a", "a")).await.number, 1);

    let live = store.live_revision(project(1)).await.unwrap().unwrap();
    assert_eq!((live.number, live.document.as_str()), (2, "{\"name\":\"b\"}"));
    assert_eq!(store.live_revision(project(3)).await, Ok(None));
}

pub(crate) async fn publishing_the_same_again_changes_nothing(store: &dyn Store) {
    let first = publish(store, publication(1, "a", "a")).await;
    let mut again = publication(1, "a", "a");
    again.revision.created_at = at(9);

    let outcome = store.publish_revision(again).await;

    assert_eq!(outcome, Ok(PublishOutcome::Unchanged(Box::new(first.clone()))));
    assert_eq!(store.live_revision(project(1)).await, Ok(Some(first)));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 9 }).await.unwrap();
    assert_eq!(log.len(), 1);
}

pub(crate) async fn any_difference_is_a_new_revision(store: &dyn Store) {
    assert_eq!(publish(store, publication(1, "a", "a")).await.number, 1);
    assert_eq!(publish(store, publication(1, "a", "newer runtime")).await.number, 2);
    assert_eq!(publish(store, publication(1, "paused campaign", "newer runtime")).await.number, 3);
    assert_eq!(publish(store, publication(1, "a", "a")).await.number, 4);

    let newest = store.live_revision(project(1)).await.unwrap().unwrap();
    assert_eq!(newest.number, 4);
}

pub(crate) async fn old_revisions_stay_as_they_were(store: &dyn Store) {
    let mut restored = publication(1, "a", "a");
    restored.revision.restored_from = Some(7);
    let published = publish(store, restored).await;
    publish(store, publication(1, "b", "b")).await;

    let found = store.lookup_revision(project(1), 1).await.unwrap().unwrap();

    assert_eq!(found, published);
    let line = RevisionLine::from(&published);
    assert_eq!(store.lookup_revision_line(project(1), 1).await, Ok(Some(line)));
    assert_eq!(store.lookup_revision_document(project(1), 1).await, Ok(Some(published.document)));
    assert_eq!(found.javascript, "a();");
    assert_eq!(found.brotli, [0, 1, 255]);
    assert_eq!((found.created_at, found.restored_from), (at(5), Some(7)));
    assert_eq!(store.lookup_revision(project(1), 3).await, Ok(None));
    assert_eq!(store.lookup_revision_line(project(1), 3).await, Ok(None));
    assert_eq!(store.lookup_revision_document(project(1), 3).await, Ok(None));
}

pub(crate) async fn a_snippet_is_read_in_the_encoding_that_is_asked_for(store: &dyn Store) {
    let mut first = publication(1, "a", "a");
    first.revision.javascript = "größer();".to_owned();
    let published = publish(store, first).await;
    publish(store, publication(1, "b", "b")).await;
    let read = |project_id, hash: &'static str, encoding| async move {
        store.read_snippet(project(project_id), hash, encoding).await.unwrap()
    };

    let identity = read(1, "hash of a", SnippetEncoding::Identity).await;
    let brotli = read(1, "hash of a", SnippetEncoding::Brotli).await;
    let gzip = read(1, "hash of a", SnippetEncoding::Gzip).await;
    let lengths = store.find_snippet(project(1), "hash of a").await.unwrap().unwrap();

    assert_eq!(identity.as_deref(), Some("größer();".as_bytes()));
    assert_eq!((brotli.unwrap(), gzip.unwrap()), (published.brotli, published.gzip));
    assert_eq!((lengths.identity, lengths.brotli, lengths.gzip), (11, 3, 0));
    for (project_id, hash) in [(1, "hash of c"), (2, "hash of a"), (1, "hash\0of a")] {
        assert_eq!(read(project_id, hash, SnippetEncoding::Gzip).await, None);
        assert_eq!(store.find_snippet(project(project_id), hash).await, Ok(None));
    }
}

pub(crate) async fn what_was_published_is_live_at_once(store: &dyn Store) {
    assert_eq!(live(store, 1, at(0)).await, None);

    for number in 1..=5 {
        publish(store, publication(1, &number.to_string(), "a")).await;
        assert_eq!(live(store, 1, at(0)).await, Some(number));
    }
    assert_eq!(live(store, 2, at(0)).await, None);
}

/// The number of the live revision, as a process knows it at that moment.
pub(crate) async fn live(store: &dyn Store, id: u64, now: Timestamp) -> Option<u32> {
    store.live_number(project(id), now).await.unwrap()
}

pub(crate) async fn revisions_are_listed_page_by_page_the_newest_first(store: &dyn Store) {
    for name in ["a", "b", "c"] {
        publish(store, publication(1, name, name)).await;
    }

    let lines = store.list_revisions(project(1), ListRange { page: 1, per_page: 2 }).await.unwrap();

    assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(lines[0].document_hash.as_deref(), Some("hash of c"));
    assert_eq!((lines[0].brotli_bytes, lines[0].created_at), (3, at(5)));
    let rest = store.list_revisions(project(1), ListRange { page: 2, per_page: 2 }).await.unwrap();
    assert_eq!(rest.len(), 1);
    assert_eq!(
        store.list_revisions(project(2), ListRange { page: 1, per_page: 2 }).await,
        Ok(vec![])
    );
}

pub(crate) async fn nothing_goes_live_that_was_made_from_something_else(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    let before = store.find_draft(project(1)).await;
    let with = |live, draft| Publication {
        precondition: Precondition { live, draft },
        ..publication(1, "b", "b")
    };

    let other_live = store.publish_revision(with(Some(0), None)).await;
    let other_draft = store.publish_revision(with(Some(1), Some(7))).await;

    assert_eq!(other_live, Ok(PublishOutcome::LiveChanged));
    assert_eq!(other_draft, Ok(PublishOutcome::DraftChanged));
    assert_eq!(store.find_draft(project(1)).await, before);
    assert_eq!(store.live_revision(project(1)).await.unwrap().unwrap().number, 1);

    let head = store.find_project(project(1)).await.unwrap().unwrap();
    assert_eq!(publish(store, with(Some(1), Some(head.draft_version))).await.number, 2);
}

pub(crate) async fn the_draft_stays_or_follows_as_the_publication_says(store: &dyn Store) {
    let nowhere = Publication { draft: DraftUpdate::Keep, ..publication(1, "a", "a") };
    assert_eq!(store.publish_revision(nowhere).await, Ok(PublishOutcome::DraftChanged));

    publish(store, publication(1, "a", "a")).await;
    let kept = Publication { draft: DraftUpdate::Keep, ..publication(1, "b", "b") };
    publish(store, kept).await;
    assert_eq!(store.find_draft(project(1)).await.unwrap().unwrap().document, draft("a").document);

    let by_file = Publication { managed_by: ManagedBy::File, ..publication(1, "c", "c") };
    publish(store, by_file).await;
    let followed = store.find_draft(project(1)).await.unwrap().unwrap();
    assert_eq!(followed.document, draft("c").document);
    assert_eq!(followed.head.managed_by, ManagedBy::File);
}

pub(crate) async fn a_publication_is_in_the_log_with_its_number(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;

    let log = store.list_audit_entries(ListRange { page: 1, per_page: 9 }).await.unwrap();

    assert_eq!((log[0].event, log[0].by), (AuditEvent::RevisionPublished, ActorKind::Command));
    let change = log[0].project.clone().unwrap();
    assert_eq!((change.id, change.entity.as_str()), (project(1), "revision 1"));
    assert_eq!((change.change.as_str(), change.request_id.as_str()), ("[]", "r1"));
}

pub(crate) async fn of_twelve_publications_from_one_basis_one_goes_live(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    let names: Vec<String> = (0..12).map(|number| format!("b{number}")).collect();
    let publications = names.iter().map(|name| {
        let precondition = Precondition { live: Some(1), draft: None };
        store.publish_revision(Publication { precondition, ..publication(1, name, name) })
    });

    let outcomes = all_at_once(publications).await;

    let published = outcomes.iter().filter(|outcome| {
        matches!(outcome, Ok(PublishOutcome::Published(revision)) if revision.number == 2)
    });
    assert_eq!(published.count(), 1);
    let refused = outcomes.iter().filter(|outcome| **outcome == Ok(PublishOutcome::LiveChanged));
    assert_eq!(refused.count(), 11);
}
