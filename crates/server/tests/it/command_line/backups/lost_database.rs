//! A database that was lost: no start and no backup takes away what would bring it back.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::event_files::{files_below, refuse_to_serve, with_files_of_events};
use super::json;
use crate::command_line::binary::{Folder, LOG, PROJECT, stderr, stdout};
use crate::command_line::doctor::about;
use crate::postgres::database;

const BACK_UP: [&str; 4] = ["backup", "a.backup", "--data", "data"];

const TAKE_OVER: [&str; 5] = ["restore", "a.backup", "--data", "data", "--take-over"];

/// Backs up, and is refused; the earlier backup stays as it was.
fn refuse_backup(folder: &Folder, code: i32) -> String {
    let before = (fs::read(folder.path("a.backup")).unwrap(), beside(folder));
    let refused = folder.assay(&BACK_UP);
    assert_eq!(refused.status.code(), Some(code), "{}", stderr(&refused));
    assert!((fs::read(folder.path("a.backup")).unwrap(), beside(folder)) == before);
    stderr(&refused)
}

/// The last process that opens a database and ends leaves nothing in its log.
fn move_log_into_file(folder: &Folder, data: &str) {
    let listed = folder.assay(&["member", "list", "--data", data]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
}

fn beside(folder: &Folder) -> usize {
    files_below(&folder.path("a.backup.events")).len()
}

fn event_files(folder: &Folder) -> Vec<(String, String)> {
    let doctor = ["doctor", "--data", "data", "--listen", "127.0.0.1:0", "--json"];
    about(&folder.assay(&doctor), "event files")
}

#[test]
fn neither_a_start_nor_a_backup_stands_in_the_way_of_the_lost_database() {
    let folder = with_files_of_events();
    json(&folder.assay(&[&BACK_UP[..], &["--json"]].concat()));
    let file = folder.path("data/assay.db");

    fs::remove_file(&file).unwrap();
    let of_none = refuse_to_serve(&folder, &["--data", "data"]);
    let is_made = file.exists();
    let backup_of_none = refuse_backup(&folder, 3);
    fs::write(&file, "").unwrap();
    let of_empty = refuse_to_serve(&folder, &["--data", "data"]);
    let is_written = fs::metadata(&file).unwrap().len() > 0;
    let backup_of_empty = refuse_backup(&folder, 3);
    let restored = folder.assay(&TAKE_OVER);

    for refused in [of_none, of_empty] {
        assert!(refused.contains("belongs to another database"), "{refused}");
        assert!(refused.contains("restore with --take-over"), "{refused}");
    }
    assert!(!is_made && !is_written, "a start that fails leaves nothing");
    assert!(backup_of_none.contains("no database at `data/assay.db`"), "{backup_of_none}");
    assert!(backup_of_empty.contains("there is nothing in it yet"), "{backup_of_empty}");
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    folder.serve(&["--data", "data"]);
    assert_eq!(event_files(&folder), [("ok".to_owned(), "all 2 are there".to_owned())]);
}

#[test]
fn a_database_made_anew_takes_the_place_of_no_backup_and_gives_way_to_it() {
    let folder = with_files_of_events();
    json(&folder.assay(&[&BACK_UP[..], &["--json"]].concat()));
    fs::remove_dir_all(folder.path("data")).unwrap();

    let server = folder.serve(&["--data", "data"]);
    let refused = refuse_backup(&folder, 1);
    let beside_it = folder.assay(&TAKE_OVER);
    drop(server);
    let restored = folder.assay(&TAKE_OVER);

    assert!(refused.contains("a.backup` is a backup of another database"), "{refused}");
    assert!(refused.contains("hint: if the database was lost, `assay restore`"), "{refused}");
    assert_eq!(beside_it.status.code(), Some(3));
    assert!(stderr(&beside_it).contains("another process serves"), "{}", stderr(&beside_it));
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    folder.serve(&["--data", "data"]);
    assert_eq!(event_files(&folder), [("ok".to_owned(), "all 2 are there".to_owned())]);
    json(&folder.assay(&[&BACK_UP[..], &["--json"]].concat()));
    assert_eq!(beside(&folder), 2);
}

#[test]
fn a_database_made_anew_beside_the_files_of_another_is_not_backed_up() {
    let folder = with_files_of_events();
    json(&folder.assay(&[&BACK_UP[..], &["--json"]].concat()));
    drop(folder.serve(&["--demo", "--data", "other"]));
    move_log_into_file(&folder, "other");
    fs::rename(folder.path("other/assay.db"), folder.path("data/assay.db")).unwrap();

    let refused = refuse_backup(&folder, 3);
    let elsewhere = folder.assay(&["backup", "b.backup", "--data", "data"]);

    assert!(refused.contains("`data/events` cannot be used"), "{refused}");
    assert!(refused.contains("restore with --take-over"), "{refused}");
    assert_eq!(elsewhere.status.code(), Some(3), "{}", stderr(&elsewhere));
    assert!(!folder.path("b.backup").exists());
}

#[test]
fn a_postgres_database_that_was_only_started_gives_way_to_a_backup() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    drop(folder.serve(&["shop.yaml", "--data", "data"]));
    json(&folder.assay(&[&BACK_UP[..], &["--json"]].concat()));
    let address = database("restored_after_a_start");
    let on_it = ["--database", &address, "--events", "events"];
    drop(folder.serve(&on_it));

    let refused = folder.assay(&[&["backup", "a.backup"][..], &on_it].concat());
    let restored = folder.assay(&[&["restore", "a.backup"][..], &on_it].concat());

    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("a backup of another database"), "{}", stderr(&refused));
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    drop(folder.serve(&on_it));
    json(&folder.assay(&[&["backup", "a.backup", "--json"][..], &on_it].concat()));
}

#[tokio::test]
async fn a_server_whose_files_of_events_are_lost_delivers_snippets_and_says_what_is_to_be_done() {
    let folder = with_files_of_events();
    json(&folder.assay(&[&BACK_UP[..], &["--json"]].concat()));
    let events = folder.path("data/events");
    let serve = async || {
        let server = folder.serve_logging("info", &["--data", "data"]);
        let snippet = reqwest::get(server.url("/js/1000.js")).await.unwrap();
        assert_eq!(snippet.status().as_u16(), 200);
        let log = folder.log_of(server);
        fs::remove_file(folder.path(LOG)).unwrap();
        log
    };

    fs::remove_dir_all(&events).unwrap();
    let log = serve().await;
    let errors: Vec<_> = log.lines().filter(|line| line.contains("ERROR")).collect();
    let [told] = errors[..] else { panic!("one error: {log}") };
    for words in [
        "2 of 2 files of events are not in `data/events`",
        "2 events of project 1000, of 2026-11-01 and 2026-11-02",
        "new events are kept in the database until then",
        "mount their disk, or name their folder with --events",
        "from the folder beside a backup",
        "`assay events give-up`",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let missing = folder.assay(&["backup", "b.backup", "--data", "data"]);
    assert_eq!(missing.status.code(), Some(3), "{}", stderr(&missing));
    assert!(stderr(&missing).contains("`assay events give-up`"), "{}", stderr(&missing));
    assert!(folder.path("b.backup").exists(), "all but the files is in it");
    let there = folder.path("a.backup.events");
    for file in files_below(&there) {
        let back = events.join(file.strip_prefix(&there).unwrap());
        fs::create_dir_all(back.parent().unwrap()).unwrap();
        fs::copy(file, back).unwrap();
    }
    let log = serve().await;
    assert!(!log.contains("ERROR"), "{log}");
    let all = [("ok".to_owned(), "all 2 are there".to_owned())];
    assert_eq!(event_files(&folder), all);
}

#[tokio::test]
async fn files_of_events_that_may_only_be_out_of_reach_are_kept_and_keep_no_server_from_starting() {
    let folder = with_files_of_events();
    let project = folder.path("data/events/project=1000");
    let away = folder.path("away");
    let give_up = || {
        let refused =
            folder.assay(&["events", "give-up", "--project", "1000", "--data", "data", "--yes"]);
        (refused.status.code(), stderr(&refused))
    };
    fs::rename(&project, &away).unwrap();

    let (code, told) = give_up();
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("its disk may not be mounted"), "{told}");
    // A link to itself leads nowhere.
    symlink("project=1000", &project).unwrap();
    let (code, told) = give_up();
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("cannot be read"), "{told}");
    let server = folder.serve(&["--data", "data"]);
    let snippet = reqwest::get(server.url("/js/1000.js")).await.unwrap();
    assert_eq!(snippet.status().as_u16(), 200);
    drop(server);
    fs::remove_file(&project).unwrap();
    fs::rename(&away, &project).unwrap();

    assert_eq!(event_files(&folder), [("ok".to_owned(), "all 2 are there".to_owned())]);
}

#[test]
fn lost_files_of_events_are_given_up_once_the_operator_has_seen_what_goes() {
    let folder = with_files_of_events();
    let [first, second] = &files_below(&folder.path("data/events"))[..] else { panic!("two") };
    let name = |path: &Path| {
        let name = path.strip_prefix(folder.path("data/events")).unwrap();
        name.to_str().unwrap().to_owned()
    };
    let give_up = |more: &[&str]| {
        let give_up = ["events", "give-up", "--project", "1000", "--data", "data"];
        folder.assay(&[&give_up[..], more].concat())
    };
    let day = if name(first).contains("2026-11-01") { "2026-11-01" } else { "2026-11-02" };

    let nothing = give_up(&["--yes"]);
    let whole = give_up(&["--yes", &name(first)]);
    let unknown = give_up(&["--yes", "project=1000/day=2026-11-01/00.parquet"]);
    fs::remove_file(first).unwrap();
    let unasked = give_up(&[]);
    let gone = give_up(&["--yes", "--json"]);
    fs::write(second, "cut off").unwrap();
    let told = stdout(&give_up(&["--yes", &name(second)]));

    assert_eq!(stdout(&nothing), "no file of events of project 1000 is lost\n");
    for (refused, why) in [(whole, "is there and whole"), (unknown, "has no file of events")] {
        assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
    assert_eq!(unasked.status.code(), Some(1));
    let asked = format!("1 file of events of project 1000 is lost:\n  {day}: 1 event\n");
    assert!(stderr(&unasked).starts_with(&asked), "{}", stderr(&unasked));
    assert!(stderr(&unasked).contains("`--yes` gives them up"), "{}", stderr(&unasked));
    let days = serde_json::json!([{"day": day, "events": 1}]);
    let expected = serde_json::json!({"files": [name(first)], "days": days, "events": 1});
    assert_eq!(json(&gone), expected);
    assert!(told.starts_with("gave up 1 file with 1 event of project 1000: "), "{told}");
    assert_eq!(event_files(&folder), []);
    let again = json(&folder.assay(&["backup", "b.backup", "--data", "data", "--json"]));
    assert_eq!(again["event_files"], 0);
}
