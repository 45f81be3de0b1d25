//! Commands on the database of an earlier Assay, which its server may have open.

use std::fs::{create_dir, read, read_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::binary::{Folder, stderr, stdout};
use super::doctor::about;

/// Takes all steps but the last one, and marks the file as ours.
const MAKE: &str = "
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for step in sys.argv[2:]:
    database.executescript(open(step).read())
database.execute('PRAGMA application_id = 0x41737361')
database.execute(f'PRAGMA user_version = {len(sys.argv) - 2}')
";

/// A database in `data`, as the Assay before the last step left it.
fn older() -> Folder {
    let folder = Folder::new();
    create_dir(folder.path("data")).unwrap();
    let steps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../storage/migrations/sqlite");
    let mut steps: Vec<PathBuf> =
        read_dir(steps).unwrap().map(|step| step.unwrap().path()).collect();
    steps.sort();
    steps.pop();
    let mut python = Command::new("python3");
    python.args(["-c", MAKE]).arg(folder.path("data/assay.db")).args(steps);
    assert!(python.status().unwrap().success());
    folder
}

#[test]
fn commands_refuse_a_database_that_an_earlier_server_may_have_open() {
    let folder = older();
    let before = read(folder.path("data/assay.db")).unwrap();

    for command in [&["member", "list"][..], &["member", "add", "ada@shop.example"]] {
        let refused = folder.assay(&[command, &["--data", "data"]].concat());

        let told = stderr(&refused);
        assert_eq!(refused.status.code(), Some(3), "{told}");
        assert!(told.contains("a server of an earlier Assay may be running on it"), "{told}");
        assert!(told.contains("hint: start `assay serve` of this version first"), "{told}");
        assert!(read(folder.path("data/assay.db")).unwrap() == before, "{command:?}");
    }
}

#[test]
fn a_server_migrates_it_and_so_does_what_has_to_be_done_before() {
    let (served, ended) = (older(), older());

    let mut running = served.serve(&["--data", "data"]);
    running.log_until("the database is migrated: schema");
    running.log_until("the database is migrated to schema");
    drop(running);
    let end_all = ended.assay(&["tokens", "end-all", "--data", "data"]);

    assert_eq!(end_all.status.code(), Some(0), "{}", stderr(&end_all));
    for folder in [served, ended] {
        let listed = folder.assay(&["member", "list", "--json", "--data", "data"]);
        assert_eq!(stdout(&listed).trim(), "[]", "{}", stderr(&listed));
        let flags = ["--data", "data", "--listen", "127.0.0.1:0", "--json"];
        let looked = folder.assay(&[&["doctor"], &flags[..]].concat());
        assert_eq!(about(&looked, "database")[0].1, "takes writes");
    }
}
