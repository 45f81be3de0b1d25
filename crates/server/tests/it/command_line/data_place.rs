//! Where the data is, as a file says it: secrets of containers are files.

use std::os::unix::fs::symlink;

use super::binary::{Folder, stderr, stdout};

const LIST: [&str; 4] = ["member", "list", "--json", "--database-file"];

#[test]
fn a_variable_that_is_set_to_nothing_is_not_set() {
    let folder = Folder::new();
    let empty = ["ASSAY_DATA", "ASSAY_DATABASE", "ASSAY_DATABASE_FILE"].map(|name| (name, ""));

    let output = folder.assay_where(&empty, &["member", "list"]);

    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("assay-data/assay.db"), "{}", stderr(&output));
}

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

    assert_eq!((wrong.status.code(), missing.status.code()), (Some(1), Some(1)));
    let told = stderr(&wrong);
    assert!(told.contains("--database-file: in `secret`, expected `sqlite:`"), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
    let told = stderr(&missing);
    assert!(told.starts_with("error: cannot read --database-file `nowhere`: "), "{told}");
    assert!(told.contains("hint: write it, or mount the secret there"), "{told}");
    assert!(!told.contains("Usage"), "{told}");
}

#[test]
fn a_file_that_cannot_be_read_is_trouble_of_the_environment_and_no_wrong_flag() {
    let folder = Folder::new();
    // Root may read all but this.
    symlink("round", folder.path("round")).unwrap();

    let by_flag = folder.assay(&["serve", "--database-file", "round"]);
    let by_variable = folder.assay_with("ASSAY_DATABASE_FILE", "round", &["member", "list"]);

    for refused in [by_flag, by_variable] {
        let told = stderr(&refused);
        assert_eq!(refused.status.code(), Some(3), "{told}");
        assert!(told.starts_with("error: cannot read --database-file `round`: "), "{told}");
        assert!(told.contains("hint: "), "{told}");
    }
}

#[test]
fn a_database_that_cannot_be_looked_at_is_not_taken_for_a_missing_one() {
    let folder = Folder::new();
    folder.write("notes.txt", "no folder");

    for command in [&["member", "list"][..], &["tokens", "end-all"], &["backup", "a.backup"]] {
        let refused = folder.assay(&[command, &["--data", "notes.txt"]].concat());

        assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
        let told = "error: cannot look at `notes.txt/assay.db`: ";
        assert!(stderr(&refused).starts_with(told), "{}", stderr(&refused));
    }
    let doctor = folder.assay(&["doctor", "--data", "notes.txt", "--listen", "127.0.0.1:0"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(stdout(&doctor).contains("cannot look at `notes.txt/assay.db`"), "{}", stdout(&doctor));
}
