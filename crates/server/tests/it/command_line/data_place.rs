//! Where the data is, as a file says it: secrets of containers are files.

use super::binary::{Folder, stderr, stdout};

const LIST: [&str; 4] = ["member", "list", "--json", "--database-file"];

#[test]
fn a_file_names_the_database() {
    let folder = Folder::new();
    folder.write("secret", "sqlite:kept/assay.db\n");
    let server = folder.serve(&["--database-file", "secret"]);

    let listed = folder.assay(&[&LIST[..], &["secret"]].concat());

    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
    assert_eq!(stdout(&listed).trim(), "[]");
    assert!(folder.path("kept/assay.db").exists());
    drop(server);
}

#[test]
fn what_a_faulty_file_holds_is_not_shown() {
    let folder = Folder::new();
    folder.write("secret", "mysql://assay:hunter2@db/assay\n");

    let wrong = folder.assay(&[&LIST[..], &["secret"]].concat());
    let missing = folder.assay(&[&LIST[..], &["nowhere"]].concat());

    assert_eq!((wrong.status.code(), missing.status.code()), (Some(2), Some(2)));
    let told = stderr(&wrong);
    assert!(told.contains("--database-file: in `secret`, expected `sqlite:`"), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
    assert!(stderr(&missing).contains("cannot read `nowhere`"), "{}", stderr(&missing));
}
