//! `assay backup` and `assay restore`.

pub(crate) mod event_files;
mod lost_database;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Child;
use std::sync::mpsc;

use notify::{RecursiveMode, Watcher as _};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::binary::{Folder, stderr, stdout};
use crate::postgres::database;

fn json(output: &std::process::Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_running_server_is_backed_up_and_another_goes_on_from_there() {
    let folder = Folder::new();
    let server = folder.serve(&["--demo", "--data", "data"]);
    let email = server.ready["member"]["email"].as_str().unwrap().to_owned();

    let made = json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    drop(server);
    let restored = folder.assay(&["restore", "a.backup", "--data", "other/data"]);

    // The demo's visitors may have come to a thousand rows by then, which is written as `1,000`.
    let told = stdout(&restored).replace(',', "");
    assert!(told.starts_with(&format!("restored {} rows\nended 0 ", made["rows"])), "{told}");
    let again = folder.assay(&["member", "add", &email, "--data", "other/data"]);
    assert!(stderr(&again).contains("already"), "{}", stderr(&again));
    let permissions =
        |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (permissions("a.backup"), permissions("other/data"), permissions("other/data/assay.db")),
        (0o600, 0o700, 0o600)
    );
    folder.serve(&["--data", "other/data"]);
}

#[test]
fn a_backup_takes_the_place_of_a_backup_only() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let backup = |to: &str| folder.assay(&["backup", to, "--data", "data"]);
    fs::create_dir(folder.path("disk")).unwrap();
    symlink("disk/a.backup", folder.path("a.backup")).unwrap();

    for _ in ["new", "again"] {
        assert_eq!(backup("a.backup").status.code(), Some(0));
        assert!(folder.path("a.backup").is_symlink(), "the link stays one");
    }
    let half = fs::metadata(folder.path("a.backup")).unwrap().len() / 2;
    let damaged = fs::File::options().write(true).open(folder.path("a.backup")).unwrap();
    damaged.set_len(half).unwrap();
    assert_eq!(backup("a.backup").status.code(), Some(0), "a damaged one is replaced, too");
    for (to, told) in [
        ("data/assay.db", "is not a backup"),
        ("/dev/null", "is not a regular file"),
        ("data", "is not a regular file"),
        ("-", "cannot be streamed"),
    ] {
        let refused = backup(to);
        assert_eq!(refused.status.code(), Some(1), "{to}");
        assert!(stderr(&refused).contains(told), "{}", stderr(&refused));
    }
    folder.serve(&["--data", "data"]);
}

/// The names in a folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A backup that has begun its file, and waits for this lock.
struct Begun {
    child: Child,
    _files_of_events: fs::File,
}

impl Begun {
    fn start(folder: &Folder) -> Self {
        fs::create_dir_all(folder.path("data/events")).unwrap();
        let lock = fs::File::create(folder.path("data/events/.lock")).unwrap();
        lock.lock().unwrap();
        let (sender, told) = mpsc::channel();
        let mut watcher = notify::recommended_watcher(sender).unwrap();
        watcher.watch(&folder.path(""), RecursiveMode::NonRecursive).unwrap();
        let child = folder.start(&["backup", "a.backup", "--data", "data"]);
        let is_begun = |path: &PathBuf| path.to_string_lossy().contains(".assay-backup-");
        while !told.recv().unwrap().unwrap().paths.iter().any(is_begun) {}
        Self { child, _files_of_events: lock }
    }

    fn end(mut self, signal: Signal) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap().code()
    }
}

#[test]
fn an_interrupted_backup_leaves_nothing_behind() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let before = names(&folder);

    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        assert_eq!(Begun::start(&folder).end(signal), Some(code), "{signal:?}");
        assert_eq!(names(&folder), before, "{signal:?}");
    }
}

#[test]
fn what_a_backup_left_that_was_killed_goes_with_the_next() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let before = names(&folder);
    let running = Begun::start(&folder);
    let kept = names(&folder);
    folder.write(".assay-backup-killed", "half of it");

    let other = folder.assay(&["backup", "other.backup", "--data", "data", "--events", "none"]);

    assert_eq!(other.status.code(), Some(0), "{}", stderr(&other));
    assert_eq!(kept.len(), before.len() + 1);
    let both = names(&folder);
    // Under another name, if the other backup saw its file before it was locked.
    let running_file = |name: &&String| name.starts_with(".assay-backup-");
    assert_eq!(both.iter().filter(running_file).count(), 1, "one that runs goes on: {both:?}");
    assert!(!both.contains(&".assay-backup-killed".to_owned()), "{both:?}");
    assert_eq!(both.len(), kept.len() + 1, "{both:?}");
    assert_eq!(running.end(Signal::KILL), None);
    let again = folder.assay(&["backup", "other.backup", "--data", "data"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(names(&folder).len(), before.len() + 1, "{:?}", names(&folder));
}

#[test]
fn a_file_moves_to_postgres_and_back() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let address = database("moves");

    let made = json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    let there = ["restore", "a.backup", "--keep-tokens", "--take-over", "--json", "--database"];
    let restored = json(&folder.assay(&[&there[..], &[&address]].concat()));
    json(&folder.assay(&["backup", "b.backup", "--json", "--database", &address]));
    let back = ["restore", "b.backup", "--data", "back", "--json"];
    let back = json(&folder.assay(&back));

    assert_eq!((&restored["rows"], &back["rows"]), (&made["rows"], &made["rows"]));
    assert!(restored["ended"].is_null() && back["ended"]["families"] == 0);
    let server = folder.serve(&["--database", &address]);
    assert!(server.url("/").starts_with("http://127.0.0.1"));
}

#[test]
fn a_database_with_data_is_left_alone() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    folder.assay(&["backup", "a.backup", "--data", "data"]);

    let refused = folder.assay(&["restore", "a.backup", "--data", "data"]);

    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(
        stderr(&refused),
        "error: the database is not empty: there are rows in `member`\n  hint: name an empty or new one with --data or --database\n"
    );
}

#[test]
fn restoring_a_file_that_is_no_backup_leaves_nothing() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    folder.assay(&["backup", "a.backup", "--data", "data"]);
    let whole = fs::read(folder.path("a.backup")).unwrap();
    fs::write(folder.path("cut.backup"), &whole[..whole.len() / 2]).unwrap();
    folder.write("notes.txt", "these are notes");
    for (file, expected) in [
        ("cut.backup", "the backup is damaged: "),
        ("notes.txt", "it is not a backup made by Assay"),
        ("nowhere", "cannot read backup `nowhere`: "),
    ] {
        let refused = folder.assay(&["restore", file, "--data", "other"]);

        assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(expected), "{}", stderr(&refused));
        assert!(!folder.path("other").exists());
    }
}

#[test]
fn no_backup_is_made_of_what_is_not_there_or_where_it_cannot_be() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    for arguments in
        [["backup", "a.backup", "--data", "dtaa"], ["backup", "missing/a.backup", "--data", "data"]]
    {
        let refused = folder.assay(&arguments);

        assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    }
    assert!(!folder.path("a.backup").exists() && !folder.path("dtaa").exists());
}
