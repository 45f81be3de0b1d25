//! `assay events` on files.

use super::binary::{Folder, PROJECT, stderr, stdout};

fn served() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", &PROJECT.replace("project: {", "project: {results: on, "));
    drop(folder.serve(&["shop.yaml", "--data", "data", "--keep-events", "36500"]));
    folder
}

#[test]
fn nothing_is_exported_of_a_project_that_is_not_there() {
    let folder = served();

    let export = ["events", "export", "--project", "99", "--out", "export", "--data", "data"];
    let refused = folder.assay(&export);

    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    let told = "there is no project with this id";
    assert!(stderr(&refused).contains(told), "{}", stderr(&refused));
    assert!(!folder.path("export").exists());
}
