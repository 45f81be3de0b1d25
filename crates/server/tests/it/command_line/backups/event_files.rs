//! Files of events in backups.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use domain::ProjectId;
use storage::{EventFile, EventStore as _, MovedEvents, SqliteStore};

use super::json;
use crate::command_line::binary::{Folder, LOG, project_with, stderr, stdout};
use crate::command_line::doctor::about;
use crate::postgres::database;

/// A folder with data of which the events are in files, two of them.
pub(crate) fn with_files_of_events() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", &project_with("results: on"));
    let rows = "visitor,time,variation\nada,2026-11-01,5001\nbob,2026-11-02,5002\n";
    folder.write("exposures.csv", rows);
    let serve = ["shop.yaml", "--data", "data", "--seal-events", "0", "--keep-events", "36500"];
    drop(folder.serve(&serve));
    let import = ["events", "import", "exposures.csv", "--kind", "exposures", "--project", "1000"];
    let imported =
        folder.assay(&[&import[..], &["--data", "data", "--keep-events", "36500"]].concat());
    assert_eq!(
        stdout(&imported),
        "imported 2 rows; those that were there already still count once\n",
        "{}",
        stderr(&imported)
    );
    let log = || fs::read_to_string(folder.path(LOG)).unwrap();
    let server = folder.serve_logging("debug", &serve);
    while !log().contains("events are in files") {
        std::thread::yield_now();
    }
    drop(server);
    folder
}

#[test]
fn files_of_events_are_backed_up_beside_the_database_and_not_forgotten_on_the_way_to_postgres() {
    let folder = with_files_of_events();

    let made = json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    let again = json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    let restored = folder.assay(&["restore", "a.backup", "--data", "other/data"]);

    assert_eq!((&made["event_files"], &again["event_files"]), (&2.into(), &2.into()));
    let doctor = ["doctor", "--data", "data", "--listen", "127.0.0.1:0", "--json"];
    let there = folder.assay(&doctor);
    let elsewhere = folder.assay(&[&doctor[..], &["--events", "nowhere"]].concat());
    assert_eq!(about(&there, "event files"), [("ok".to_owned(), "all 2 are there".to_owned())]);
    let [(state, told)] = &*about(&elsewhere, "event files") else { panic!("{elsewhere:?}") };
    assert!(
        state == "error" && told.starts_with("2 of 2 are missing, such as `nowhere/"),
        "{told}"
    );
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    let forget = ["events", "forget", "bob", "--project", "1000", "--data", "other/data"];
    let told = stdout(&folder.assay(&forget));
    assert!(told.starts_with("deleted 1 event of visitor "), "{told}");
    let told = json(&folder.assay(&[&forget[..], &["--json"]].concat()));
    assert!(told["visitor"].is_string() && told["events"] == 0, "{told}");
    folder.serve(&["--data", "other/data"]);
    let address = database("backup_of_event_files");
    let nowhere = folder.assay(&["restore", "a.backup", "--database", &address]);
    assert!(stderr(&nowhere).contains("--events"), "{}", stderr(&nowhere));
    fs::remove_dir_all(folder.path("a.backup.events")).unwrap();
    let without = folder.assay(&["restore", "a.backup", "--data", "third"]);
    let told = "their folder `a.backup.events` is not there";
    assert!(stderr(&without).contains(told), "{}", stderr(&without));
    assert!(!folder.path("third/assay.db").exists());
}

/// All files below a folder, but what marks it as used.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = |path: PathBuf| if path.is_dir() { files_below(&path) } else { vec![path] };
    paths.flat_map(files).filter(|path| path.extension().is_some()).collect()
}

/// Changes the contents of a file.
fn damage(path: &Path, how: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    how(&mut bytes);
    fs::write(path, bytes).unwrap();
}

#[test]
fn damaged_events_are_not_restored_unless_they_are_left_out_and_the_next_backup_mends_them() {
    let folder = with_files_of_events();
    let backup = ["backup", "a.backup", "--data", "data", "--json"];
    let restore = ["restore", "a.backup", "--data", "other"];
    json(&folder.assay(&backup));
    let beside = folder.path("a.backup.events");
    let [cut, gone] = &files_below(&beside)[..] else { panic!("two files") };
    let refuse = |count: usize| {
        let refused = folder.assay(&restore);
        assert_eq!(refused.status.code(), Some(1));
        let told =
            format!("are damaged or missing ({count}), such as `a.backup.events/project=1000/");
        assert!(stderr(&refused).contains(&told), "{}", stderr(&refused));
        assert!(!folder.path("other").exists());
    };

    damage(cut, |bytes| bytes[9] ^= 1);
    refuse(1);
    damage(cut, |bytes| bytes.truncate(bytes.len() / 2));
    fs::remove_file(gone).unwrap();
    refuse(2);
    let without = folder.assay(&[&restore[..], &["--without-damaged-events"]].concat());
    json(&folder.assay(&backup));
    let mended = folder.assay(&["restore", "a.backup", "--data", "third"]);

    assert!(
        stdout(&without).contains("\nleft out 2 files of events, damaged"),
        "{}",
        stderr(&without)
    );
    assert_eq!(mended.status.code(), Some(0), "{}", stderr(&mended));
    assert_eq!(files_below(&folder.path("third/events")).len(), 2);
}

#[test]
fn a_file_of_events_that_is_damaged_at_the_server_is_told_and_takes_no_copys_place() {
    let folder = with_files_of_events();
    let backup = |to: &str| folder.assay(&["backup", to, "--data", "data"]);
    backup("earlier.backup");
    damage(&files_below(&folder.path("data/events"))[0], |bytes| bytes[9] ^= 1);

    let new = backup("new.backup");
    let again = backup("earlier.backup");
    let export = ["events", "export", "--project", "1000", "--out", "out", "--data", "data"];
    let exported = folder.assay(&export);

    assert_eq!(new.status.code(), Some(3));
    assert!(stderr(&new).contains("not whole in the backup (1)"), "{}", stderr(&new));
    assert_eq!(files_below(&folder.path("new.backup.events")).len(), 1);
    assert!(stderr(&exported).contains("the file is damaged"), "{}", stderr(&exported));
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    let restored = folder.assay(&["restore", "earlier.backup", "--data", "other"]);
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    let rest = ["restore", "new.backup", "--data", "third", "--without-damaged-events"];
    assert_eq!(folder.assay(&rest).status.code(), Some(0));
    let mut server = folder.serve(&["--data", "third"]);
    server.log_until("1 of 2 files of events are not in `third/events`");
    let once_more = folder.assay(&["backup", "third.backup", "--data", "third"]);
    assert_eq!(once_more.status.code(), Some(3), "{}", stderr(&once_more));
    assert!(stdout(&once_more).contains("and 1 file of events"), "{}", stdout(&once_more));
}

#[test]
fn a_refused_restore_copies_no_events_beside_a_database_in_use() {
    let folder = with_files_of_events();
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    drop(folder.serve(&["--demo", "--data", "other"]));

    let refused = folder.assay(&["restore", "a.backup", "--data", "other"]);

    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("the database is not empty"), "{}", stderr(&refused));
    assert_eq!(files_below(&folder.path("other/events")), [""; 0].map(PathBuf::from));
}

#[test]
fn a_backup_that_is_older_than_the_files_of_events_is_not_restored_beside_them() {
    let folder = with_files_of_events();
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    // The database is lost, and its folder has a file that came after the backup.
    fs::remove_file(folder.path("data/assay.db")).unwrap();
    let events = folder.path("data/events");
    let known = files_below(&events)[0].strip_prefix(&events).unwrap().to_owned();
    let newer = known.with_file_name("newer.parquet");
    fs::copy(events.join(&known), events.join(&newer)).unwrap();

    let refused = folder.assay(&["restore", "a.backup", "--data", "data", "--take-over"]);
    let elsewhere = folder.assay(&["restore", "a.backup", "--data", "data", "--events", "new"]);

    assert_eq!(refused.status.code(), Some(1));
    let told = "has files of events that the backup does not list (1), which Assay would remove";
    assert!(stderr(&refused).contains(told), "{}", stderr(&refused));
    assert!(stdout(&elsewhere).starts_with("restored "), "{}", stderr(&elsewhere));
    assert!(events.join(&newer).exists() && folder.path("new").join(&known).exists());
}

#[test]
fn a_restore_that_fails_takes_back_the_events_that_it_has_copied_and_no_others() {
    let folder = with_files_of_events();
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    let backed_up = files_below(&folder.path("a.backup.events"));
    let kept = backed_up[0].strip_prefix(folder.path("a.backup.events")).unwrap();
    let kept = folder.path("other/events").join(kept);
    fs::create_dir_all(kept.parent().unwrap()).unwrap();
    fs::copy(&backed_up[0], &kept).unwrap();
    // Where the database has to be, there is something else.
    fs::create_dir_all(folder.path("other/assay.db-wal")).unwrap();

    let failed = folder.assay(&["restore", "a.backup", "--data", "other"]);
    let elsewhere = ["restore", "a.backup", "--data", "other", "--events", "new"];
    let again = folder.assay(&elsewhere);

    assert_eq!((failed.status.code(), again.status.code()), (Some(3), Some(3)));
    assert_eq!(files_below(&folder.path("other/events")), [kept]);
    assert!(!folder.path("new").exists());
    fs::remove_dir(folder.path("other/assay.db-wal")).unwrap();
    assert_eq!(folder.assay(&elsewhere).status.code(), Some(0));
    assert_eq!(files_below(&folder.path("new")).len(), backed_up.len());
}

#[test]
fn data_that_is_restored_with_its_events_is_its_owners_alone() {
    let folder = with_files_of_events();
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));

    json(&folder.assay(&["restore", "a.backup", "--data", "other", "--json"]));

    let mode = fs::metadata(folder.path("other")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_refused_restore_into_postgres_copies_no_events() {
    let (folder, address) = (with_files_of_events(), database("refused_restore"));
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    drop(folder.serve(&["--demo", "--database", &address]));

    let into = ["restore", "a.backup", "--database", &address, "--events", "events"];
    let refused = folder.assay(&into);

    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("the database is not empty"), "{}", stderr(&refused));
    assert!(!folder.path("events").exists());
}

/// Serves until the end, which has to come at once.
pub(super) fn refuse_to_serve(folder: &Folder, arguments: &[&str]) -> String {
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let refused = folder.assay(&[&serve[..], arguments].concat());
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    stderr(&refused)
}

#[test]
fn a_restored_copy_leaves_the_files_of_its_original_alone() {
    let folder = with_files_of_events();
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    let before = files_below(&folder.path("data/events"));

    let beside = ["restore", "a.backup", "--data", "other", "--events", "data/events"];
    let into_it = folder.assay(&beside);
    json(&folder.assay(&["restore", "a.backup", "--data", "other", "--json"]));
    // What the original has sealed since the backup is on no list of the copy.
    let newer = before[0].with_file_name("newer.parquet");
    fs::copy(&before[0], &newer).unwrap();
    let on_it = refuse_to_serve(&folder, &["--data", "other", "--events", "data/events"]);

    assert_eq!(into_it.status.code(), Some(1));
    let told = "`data/events` has the files of events of another database";
    assert!(stderr(&into_it).contains(told), "{}", stderr(&into_it));
    assert!(
        on_it.contains("its file `.assay` says that it belongs to another database"),
        "{on_it}"
    );
    assert!(newer.exists());
    assert_eq!(files_below(&folder.path("data/events")).len(), before.len() + 1);
    drop(folder.serve(&["--data", "other"]));
}

#[test]
fn a_restored_database_takes_the_place_of_one_that_is_gone() {
    let folder = with_files_of_events();
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    fs::remove_file(folder.path("data/assay.db")).unwrap();

    let restored = folder.assay(&["restore", "a.backup", "--data", "data", "--take-over"]);

    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    drop(folder.serve(&["--data", "data", "--keep-events", "36500"]));
    assert_eq!(files_below(&folder.path("data/events")).len(), 2);
}

#[test]
fn a_backup_is_not_served_and_its_folder_has_to_be_beside_it() {
    let folder = with_files_of_events();
    json(&folder.assay(&["backup", "two.backup", "--data", "data", "--json"]));
    fs::rename(folder.path("two.backup"), folder.path("2026.backup")).unwrap();
    let restore = ["restore", "2026.backup", "--data", "other"];

    let renamed = folder.assay(&restore);
    let on_it = folder.assay(&[&restore[..], &["--events", "two.backup.events"]].concat());
    let served = refuse_to_serve(&folder, &["--data", "data", "--events", "two.backup.events"]);
    fs::rename(folder.path("two.backup.events"), folder.path("2026.backup.events")).unwrap();
    let itself = ["restore", "2026.backup", "--data", "other", "--events", "2026.backup.events"];
    let itself = folder.assay(&itself);
    let together = folder.assay(&restore);

    let told = "their folder `2026.backup.events` is not there";
    assert!(stderr(&renamed).contains(told), "{}", stderr(&renamed));
    assert!(stderr(&on_it).contains("has the files of events of a backup"), "{}", stderr(&on_it));
    assert!(served.contains("belongs to a backup"), "{served}");
    assert!(stderr(&itself).contains("of this backup"), "{}", stderr(&itself));
    assert_eq!(together.status.code(), Some(0), "{}", stderr(&together));
    assert_eq!(files_below(&folder.path("2026.backup.events")).len(), 2);
}

#[test]
fn a_copy_that_another_tool_made_leaves_the_files_of_its_original_alone() {
    let folder = with_files_of_events();
    fs::create_dir(folder.path("other")).unwrap();
    fs::copy(folder.path("data/assay.db"), folder.path("other/assay.db")).unwrap();

    let ended = folder.assay(&["tokens", "end-all", "--as-copy", "--data", "other"]);
    let refused = refuse_to_serve(&folder, &["--data", "other", "--events", "data/events"]);

    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    assert!(refused.contains("belongs to another database"), "{refused}");
    drop(folder.serve(&["--data", "data"]));
}

#[test]
fn a_server_on_postgres_does_not_start_without_the_folder_of_its_files() {
    let (folder, address) = (with_files_of_events(), database("served_without_its_folder"));
    json(&folder.assay(&["backup", "a.backup", "--data", "data", "--json"]));
    let into = ["restore", "a.backup", "--database", &address, "--events", "events"];
    assert_eq!(folder.assay(&into).status.code(), Some(0));

    let refused = refuse_to_serve(&folder, &["--database", &address]);

    assert!(refused.contains("`--events` names their folder"), "{refused}");
    drop(folder.serve(&["--database", &address, "--events", "events"]));
}

#[tokio::test]
async fn a_backup_that_lists_a_file_elsewhere_is_not_restored() {
    let folder = with_files_of_events();
    folder.write("notes.txt", "mine");
    let store = SqliteStore::open(&folder.path("data/assay.db")).unwrap();
    let project: ProjectId = "1000".parse().unwrap();
    let [first, ..] = &*store.list_event_files(project).await.unwrap() else { panic!("no file") };
    let elsewhere = EventFile { name: "../../notes.txt".to_owned(), ..first.clone() };
    let moved = MovedEvents { to_files: vec![elsewhere], ..MovedEvents::of(project) };
    store.move_events(moved).await.unwrap();

    folder.assay(&["backup", "a.backup", "--data", "data"]);
    let restored =
        folder.assay(&["restore", "a.backup", "--data", "other/data", "--without-damaged-events"]);

    assert_eq!(restored.status.code(), Some(1));
    assert!(stderr(&restored).contains("lists \"../../notes.txt\" among"), "{restored:?}");
    assert!(!folder.path("other").exists(), "nothing is made");
}
