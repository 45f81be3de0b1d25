//! A value that a hand has written past Assay, and that cannot be read, is told with its row: an operator must find it among all others.

use rusqlite::Connection;
use storage::{
    ApiTokenHolder, ApiTokenKinds, ListRange, MemberId, RoleGrant, StorageError, Store,
    WhichApiTokens, WhichProjects,
};

use crate::api_tokens::token;
use crate::cluster::Database;
use crate::given::{by_command, client, sqlite};
use crate::revisions::{project, with_project};
use crate::roles::member_with;

const ALL: ListRange = ListRange { page: 1, per_page: 100 };

const DAMAGE: &str = "\
    UPDATE member_role SET role = 'emperor'; \
    UPDATE api_token SET scope = 'config:read fly'; \
    UPDATE client SET kind = 'weird'; \
    UPDATE project SET managed_by = 'nobody'; ";

/// A row of each table that is damaged; returns the id of the member.
async fn fill(store: &dyn Store) -> MemberId {
    with_project(store, project(7)).await;
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    store.add_api_token(token("deploy", ApiTokenHolder::Member(ann))).await.unwrap();
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    ann
}

fn what<T: std::fmt::Debug>(read: Result<T, StorageError>) -> String {
    let Err(StorageError::Corrupt(what)) = read else { panic!("{read:?}") };
    what
}

async fn each_names_its_row(store: &dyn Store, ann: MemberId) {
    let in_member_role = format!("role of `{ann}` in the table `member_role`");
    assert_eq!(what(store.list_members(None, ALL).await), in_member_role);
    assert_eq!(what(store.lookup_member_line(ann).await), in_member_role);
    let tokens = store.list_api_tokens(WhichApiTokens::All(ApiTokenKinds::Every), ALL).await;
    assert_eq!(what(tokens), "scope of `deploy` in the table `api_token`");
    let clients = store.list_clients(ALL).await;
    assert_eq!(what(clients), "client kind of `reports` in the table `client`");
    let in_project = "manager of `7` in the table `project`";
    assert_eq!(what(store.list_projects(WhichProjects::Any, ALL).await), in_project);
    assert_eq!(what(store.find_project(project(7)).await), in_project);
    assert_eq!(what(store.find_draft(project(7)).await), in_project);
}

#[tokio::test]
async fn a_value_that_cannot_be_read_is_told_with_its_row_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    let ann = fill(&store).await;
    drop(store);
    let outsider = Connection::open(folder.path().join("assay.db")).unwrap();
    let file = "INSERT INTO event_file VALUES (7, '7/a.parquet', 'x', 1, 1, 1, 1, 1, 1)";
    outsider.execute_batch(&format!("{DAMAGE} {file}")).unwrap();

    let store: &dyn Store = &sqlite(folder.path());

    each_names_its_row(store, ann).await;
    let files = what(store.list_event_files(project(7)).await);
    assert!(files.ends_with(" of `7/a.parquet` in the table `event_file`"), "{files}");
}

#[tokio::test]
async fn a_value_that_cannot_be_read_is_told_with_its_row_on_postgres() {
    let database = Database::new().await;
    let store = database.store().await;
    let ann = fill(&store).await;
    database.connect().await.batch_execute(DAMAGE).await.unwrap();

    each_names_its_row(&store, ann).await;
}
