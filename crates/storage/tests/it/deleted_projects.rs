//! A deleted project: nothing of it is left but its id, which stays taken.

use oauth::Timestamp;
use rusqlite::Connection;
use storage::{
    ApiTokenHolder, AuditEvent, Authority, DraftDocument, EventsKey, Invitation, InvitationLimit,
    ListRange, ManagedBy, NewEvents, NewEventsKey, NewInvitation, NewProject, NewResultsLink,
    PostgresStore, Precondition, ProjectDeletion, PublishOutcome, ResultsLink, Role, RoleGrant,
    SnippetEncoding, SnippetLoad, SqliteStore, StorageError, Store, StoredPreviewLink, Webhook,
    WhichProjects,
};

use crate::api_tokens::{EVERY, token};
use crate::given::{all_at_once, at, hash};
use crate::invitations::invitation;
use crate::released::{database, file, released};
use crate::revisions::{draft, draft_of, entry, project, publication, publish};
use crate::webhooks::webhook;
use crate::{preview_links, results_links};

/// A role in project 1.
fn role() -> RoleGrant {
    RoleGrant { project: Some(project(1)), role: Role::Editor, is_code_allowed: false }
}

fn deletion(project_id: u64, draft_version: i64) -> ProjectDeletion {
    let entry = entry(AuditEvent::ProjectDeleted, project_id);
    ProjectDeletion { project_id: project(project_id), draft_version, entry }
}

async fn delete(store: &dyn Store, project_id: u64) {
    let head = store.find_project(project(project_id)).await.unwrap().unwrap();
    let deleted = store.delete_project(deletion(project_id, head.draft_version)).await;
    assert_eq!(deleted, Ok(Some(Vec::new())));
}

fn new(id: u64, draft: DraftDocument) -> NewProject {
    NewProject { id: project(id), draft, entry: entry(AuditEvent::ProjectAdded, id) }
}

async fn keys(store: &dyn Store) -> Vec<String> {
    let all =
        store.list_projects(WhichProjects::Any, ListRange { page: 1, per_page: 9 }).await.unwrap();
    all.into_iter().map(|project| project.key).collect()
}

pub(crate) async fn a_deleted_project_is_live_no_more_and_others_stay(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    publish(store, publication(2, "b", "b")).await;
    assert_eq!(store.live_number(project(1), at(5)).await, Ok(Some(1)));
    assert_eq!(store.was_deleted(project(1), at(5)).await, Ok(false));

    delete(store, 1).await;

    assert_eq!(store.live_number(project(1), at(5)).await, Ok(None));
    assert_eq!(store.was_deleted(project(1), at(5)).await, Ok(true));
    assert_eq!(store.find_snippet(project(1), "hash of a").await, Ok(None));
    let identity = SnippetEncoding::Identity;
    assert_eq!(store.read_snippet(project(1), "hash of a", identity).await, Ok(None));
    assert_eq!(store.find_draft(project(1)).await, Ok(None));
    assert_eq!(keys(store).await, ["shop2"]);
    assert_eq!(store.live_number(project(2), at(5)).await, Ok(Some(1)));
    assert_eq!(store.was_deleted(project(2), at(5)).await, Ok(false));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 1 }).await.unwrap();
    assert_eq!(log[0].event, AuditEvent::ProjectDeleted);
}

pub(crate) async fn no_project_gets_the_id_of_a_deleted_one_and_its_key_is_free(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    delete(store, 1).await;

    let added = store.add_project(new(1, draft("b"))).await;
    let published = store.publish_revision(publication(1, "b", "b")).await;

    assert_eq!(added, Err(StorageError::Conflict));
    assert_eq!(published, Ok(PublishOutcome::DraftChanged));
    assert_eq!(keys(store).await, [""; 0]);
    store.add_project(new(3, draft_of(1, "b"))).await.unwrap();
    assert_eq!(keys(store).await, ["shop1"]);
}

pub(crate) async fn a_project_that_is_not_as_it_was_seen_is_not_deleted(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    let mut of_file = publication(2, "b", "b");
    of_file.managed_by = ManagedBy::File;
    publish(store, of_file).await;

    for (project_id, version) in [(1, 2), (2, 1), (3, 1)] {
        assert_eq!(store.delete_project(deletion(project_id, version)).await, Ok(None));
    }

    assert_eq!(keys(store).await, ["shop1", "shop2"]);
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 9 }).await.unwrap();
    assert!(log.iter().all(|entry| entry.event == AuditEvent::RevisionPublished));
}

pub(crate) async fn what_comes_for_a_deleted_project_is_not_kept(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    publish(store, publication(2, "b", "b")).await;
    delete(store, 1).await;
    let load = |id| SnippetLoad {
        project: project(id),
        origin: "https://shop.example".to_owned(),
        at: at(5),
    };

    let logged = store
        .log_events(NewEvents {
            project: project(1),
            received_at: at(5),
            last_at: at(5),
            events: 1,
            body: b"[]".to_vec(),
        })
        .await;
    store.record_loads(vec![load(1), load(2)]).await.unwrap();
    let live = Precondition { live: Some(1), draft: None };
    let late = storage::Publication { precondition: live, ..publication(1, "c", "c") };

    assert!(logged.is_err());
    assert_eq!(store.list_installations(project(1)).await.unwrap(), []);
    assert_eq!(store.list_installations(project(2)).await.unwrap().len(), 1, "others are noted");
    assert_eq!(store.publish_revision(late).await, Ok(PublishOutcome::DraftChanged));
}

/// Adds one of the things that a project has beside its document.
async fn add_one(store: &dyn Store, kind: usize, id: &str) -> Result<(), StorageError> {
    let (authority, of) = (Authority::Operator, project(1));
    let entry = |event| entry(event, 1);
    match kind {
        0 => {
            let webhook = Webhook { project: of, ..webhook(id) };
            store.add_webhook((authority, webhook), entry(AuditEvent::WebhookAdded)).await.map(drop)
        }
        1 => {
            let link = ResultsLink { project: of, ..results_links::link(id, 0) };
            let new = NewResultsLink { authority, hash: hash(id), link };
            store.add_results_link(new, entry(AuditEvent::ResultsLinkMade)).await.map(drop)
        }
        2 => {
            let link = StoredPreviewLink { project: of, ..preview_links::link(id, 0) };
            store.add_preview_link(link, entry(AuditEvent::PreviewLinkMade)).await.map(drop)
        }
        3 => {
            let key = EventsKey { key: id.to_owned(), made_at: at(0) };
            let new = NewEventsKey { authority, project: of, key };
            store.set_events_key(new, entry(AuditEvent::EventsKeyMade)).await
        }
        4 => {
            let invitation = Invitation { role: role(), ..invitation(id, 0) };
            let limit = InvitationLimit::OfProject;
            let new = NewInvitation { authority, limit, hash: hash(id), invitation };
            store.add_invitation(new, entry(AuditEvent::InvitationMade)).await.map(drop)
        }
        _ => {
            let (signature, roles) = (id.to_owned(), vec![role()]);
            let holder = ApiTokenHolder::Service { signature, roles };
            store.add_api_token(token(id, holder)).await.map(drop)
        }
    }
}

const KINDS: usize = 6;

async fn assert_nothing_is_left(store: &dyn Store) {
    let page = ListRange { page: 1, per_page: 100 };
    assert_eq!(store.list_webhooks(project(1)).await, Ok(vec![]));
    assert_eq!(store.list_results_links(project(1)).await, Ok(vec![]));
    assert_eq!(store.list_preview_links(project(1)).await, Ok(vec![]));
    assert_eq!(store.find_events_key(project(1)).await, Ok(None));
    assert_eq!(store.list_invitations(None, page).await, Ok(vec![]));
    assert_eq!(store.list_api_tokens(EVERY, page).await, Ok(vec![]));
}

pub(crate) async fn nothing_is_added_to_a_deleted_project(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    delete(store, 1).await;

    for kind in 0..KINDS {
        let added = add_one(store, kind, "late").await;
        assert_eq!(added, Err(StorageError::NoSuchProject), "{kind}");
    }

    assert_nothing_is_left(store).await;
}

pub(crate) async fn nothing_that_is_added_while_a_project_is_deleted_is_left(store: &dyn Store) {
    publish(store, publication(1, "a", "a")).await;
    let deletion = || deletion(1, 1);

    let outcomes = all_at_once((0..=4 * KINDS).map(async |number| {
        if number == 2 * KINDS {
            return store.delete_project(deletion()).await.map(drop);
        }
        add_one(store, number % KINDS, &format!("n{number}")).await
    }))
    .await;

    assert!(outcomes.iter().all(|one| matches!(one, Ok(()) | Err(StorageError::NoSuchProject))));
    assert_nothing_is_left(store).await;
}

/// What a store of today's schema has beside that of `tests/released`: of the project 1000, of the other one, and of the server.
const MORE: &str = "
    INSERT INTO idempotent_answer (hash, request, answer, expires_at) VALUES
        (X'01', X'01', '{\"status\":201,\"body\":\"{\\\"project_id\\\":\\\"1000\\\"}\"}', 1900000000000),
        (X'02', X'02', '{\"headers\":[[\"location\",\"https://a.example/v1/projects/1000\"]]}', 1900000000000),
        (X'03', X'03', '{\"headers\":[[\"location\",\"https://a.example/v1/projects/1000/pages/7\"]]}', 1900000000000),
        (X'04', X'04', '{\"headers\":[[\"location\",\"https://a.example/v1/projects/10001\"]]}', 1900000000000);
    INSERT INTO member_role (member, project, role, code) VALUES (3, 1000, 'viewer', 0);
    INSERT INTO member (email, password_hash, is_service, created_at) VALUES ('both', '', 1, 1799999000000);
    INSERT INTO member_role (member, project, role, code) VALUES (4, 1000, 'viewer', 0), (4, 1001, 'viewer', 0);
    INSERT INTO api_token (id, hash, member, name, scope, made_by, made_at, expires_at) VALUES
        ('both', X'0404', 4, 'both', 'config:read', 'ann@example.com', 1799999000000, 1806000000000);";

/// What is left of the project 1000 is asked table by table, of all that have a project.
const TABLES_OF_PROJECTS_ON_SQLITE: &str = "\
    SELECT tables.name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns \
    WHERE tables.type = 'table' AND columns.name = 'project' AND tables.name <> 'audit_entry'";

const TABLES_OF_PROJECTS_ON_POSTGRES: &str = "\
    SELECT table_name::text FROM information_schema.columns \
    WHERE table_schema = 'public' AND column_name = 'project' AND table_name <> 'audit_entry'";

/// Rows that are about the project by other names.
const OTHER_ROWS: &str = "\
    SELECT (SELECT COUNT(*) FROM project WHERE id = 1000) + (SELECT COUNT(*) FROM webhook_delivery) \
        + (SELECT COUNT(*) FROM earlier_webhook_attempt)";

const ANSWERS: &str = "SELECT COUNT(*) FROM idempotent_answer";

async fn delete_the_shop(store: &dyn Store) {
    let shop = project(1000);
    let files = store.delete_project(deletion(1000, 5)).await.unwrap();
    assert_eq!(files, Some(vec!["project=1000/day=2027-01-15/00.parquet".to_owned()]));
    assert_eq!(store.was_deleted(shop, Timestamp::from_milliseconds(0)).await, Ok(true));
    assert!(!store.has_project(shop).await.unwrap());
    let page = ListRange { page: 1, per_page: 9 };
    let tokens = store.list_api_tokens(EVERY, page).await.unwrap();
    let names: Vec<_> = tokens.iter().map(|token| token.name.as_str()).collect();
    assert_eq!(names, ["both"], "a service that has a role elsewhere keeps its token");
    assert!(store.find_session(&hash("session"), at(0)).await.unwrap().is_some());
    let events: Vec<_> =
        store.list_audit_entries(page).await.unwrap().iter().map(|one| one.event).collect();
    assert_eq!(events[..2], [AuditEvent::ProjectDeleted, AuditEvent::ApiTokenRemoved]);
}

#[tokio::test]
async fn no_row_of_a_deleted_project_is_left_in_a_file() {
    let (schema, content) = released().pop().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");
    drop(file(&path, schema, &(content + MORE)));
    let store = SqliteStore::open(&path).unwrap();

    delete_the_shop(&store).await;

    let outsider = Connection::open(&path).unwrap();
    let mut tables = outsider.prepare(TABLES_OF_PROJECTS_ON_SQLITE).unwrap();
    let tables: Vec<String> =
        tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(tables.len() >= 16, "{tables:?}");
    let count = |sql: &str| outsider.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    for table in tables {
        let left = count(&format!("SELECT COUNT(*) FROM {table} WHERE project = 1000"));
        assert_eq!(left, 0, "{table}");
    }
    assert_eq!((count(OTHER_ROWS), count(ANSWERS)), (0, 2));
}

#[tokio::test]
async fn no_row_of_a_deleted_project_is_left_in_a_postgres_database() {
    let (schema, content) = released().pop().unwrap();
    let database = database(schema, &(content + MORE)).await;
    let store = PostgresStore::open(&database.address()).await.unwrap();

    delete_the_shop(&store).await;

    let outsider = database.connect().await;
    let tables = outsider.query(TABLES_OF_PROJECTS_ON_POSTGRES, &[]).await.unwrap();
    assert!(tables.len() >= 16, "{tables:?}");
    let count = async |sql: &str| outsider.query_one(sql, &[]).await.unwrap().get::<_, i64>(0);
    for table in tables.iter().map(|row| row.get::<_, String>(0)) {
        let left = count(&format!("SELECT COUNT(*) FROM {table} WHERE project = 1000")).await;
        assert_eq!(left, 0, "{table}");
    }
    assert_eq!((count(OTHER_ROWS).await, count(ANSWERS).await), (0, 2));
}

#[tokio::test]
async fn another_process_on_postgres_hears_that_a_project_is_deleted() {
    let database = crate::cluster::Database::new().await;
    let (one, other) = (database.store().await, database.store().await);
    let (one, other): (&dyn Store, &dyn Store) = (&one, &other);
    let member = "7".parse().unwrap();
    other.find_roles(member, at(5)).await.unwrap();
    publish(one, publication(1, "a", "a")).await;
    assert_eq!(other.live_number(project(1), at(5)).await, Ok(Some(1)));

    delete(one, 1).await;

    // Roles are told once all is heard that was committed before. A process that hears nothing reads again a second later.
    other.find_roles(member, at(6)).await.unwrap();
    assert_eq!(other.live_number(project(1), at(6)).await, Ok(None));
    assert_eq!(other.was_deleted(project(1), at(6)).await, Ok(true));
}
