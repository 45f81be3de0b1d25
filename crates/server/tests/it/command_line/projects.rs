//! The projects of a running server from a terminal: `assay project`.

use serde_json::Value;

use super::binary::{stderr, stdout};
use super::remote::{Desk, shop};

/// A project in which nothing runs, so that it can be archived.
fn quiet() -> String {
    shop().replace("status: running", "status: paused")
}

async fn desk() -> Desk {
    let desk = Desk::start().await;
    desk.folder.write("shop.yaml", &quiet());
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    desk
}

#[tokio::test]
async fn an_owner_archives_a_project_and_deletes_it_for_good() {
    let desk = desk().await;
    let shown = desk.stdout_of(&["project", "list"]);
    assert!(shown.contains("2000  shop  revision 1 is live  Shop\n"), "{shown}");
    let delete = ["project", "delete", "2000", "--permanently"];
    let early = desk.run(&[&delete[..], &["shop"]].concat());
    assert_eq!(early.status.code(), Some(1), "it is not archived: {}", stderr(&early));

    let archived = desk.stdout_of(&["project", "archive", "shop"]);

    assert_eq!(archived, "archived `shop` in its draft: publish it\n");
    let shown = desk.stdout_of(&["project", "list"]);
    assert!(shown.contains("2000  shop  archived  Shop\n"), "{shown}");
    assert_eq!(desk.run(&[&delete[..], &["other"]].concat()).status.code(), Some(1), "a slip");
    assert_eq!(
        desk.stdout_of(&["project", "restore", "2000"]),
        "restored `shop` in its draft: publish it\n"
    );
    desk.stdout_of(&["project", "archive", "2000"]);
    assert_eq!(desk.stdout_of(&[&delete[..], &["shop"]].concat()), "deleted `shop` for good\n");
    let left = desk.stdout_of(&["project", "list", "--json"]);
    let left: Vec<Value> = serde_json::from_str(&left).unwrap();
    assert!(left.iter().all(|project| project["id"] != "2000"), "{left:?}");
    let again = desk.run(&["project", "archive", "shop"]);
    assert_eq!((again.status.code(), stdout(&again)), (Some(1), String::new()));
    assert!(stderr(&again).contains("the server has no project `shop`"), "{}", stderr(&again));
}

#[tokio::test]
async fn a_pipeline_does_not_restore_a_project_that_a_member_archived() {
    let desk = desk().await;
    desk.stdout_of(&["project", "archive", "shop"]);

    assert_eq!(desk.stdout_of(&["diff", "shop.yaml"]), "no differences\n");
    desk.folder.write("shop.yaml", &quiet().replace("key: shop,", "key: shop, archived: false,"));
    let restoring = desk.stdout_of(&["apply", "shop.yaml"]);

    assert!(restoring.contains("archived: true → false"), "{restoring}");
}
