//! Damage of what is stored: of the file, of files of events, of documents.

use std::fs;
use std::process::Output;

use serde_json::Value;

use super::{about, cure, states};
use crate::command_line::backups::event_files::{files_below, with_files_of_events};
use crate::command_line::binary::{Folder, PROJECT, stderr, stdout};

/// As large as SQLite makes them.
const PAGE: usize = 4_096;

fn doctor(folder: &Folder) -> Output {
    folder.assay(&["doctor", "--data", "data", "--listen", "127.0.0.1:0", "--json"])
}

/// A folder with a published project.
fn published() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    drop(folder.serve(&["shop.yaml", "--data", "data"]));
    // The last process that opens a database and ends leaves nothing in its log.
    let listed = folder.assay(&["member", "list", "--data", "data"]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
    folder
}

/// All places where a text is.
fn places(bytes: &[u8], text: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(text.len()).enumerate();
    windows.filter(|(_, window)| *window == text).map(|(place, _)| place).collect()
}

#[test]
fn a_page_of_the_file_that_nothing_else_reads_is_looked_at() {
    let folder = published();
    let path = folder.path("data/assay.db");
    let mut file = fs::read(&path).unwrap();
    let in_a_snippet = places(&file, b"querySelector")[0];
    let page = in_a_snippet / PAGE * PAGE;
    file[page..page + PAGE].fill(0xff);
    fs::write(&path, file).unwrap();

    let looked = doctor(&folder);

    let [(state, told)] = &*about(&looked, "database") else { panic!("{}", stdout(&looked)) };
    assert!(state == "error" && told.starts_with("a part of the file is damaged: "), "{told}");
    assert!(cure(&looked, "database").contains("restore` the newest backup"));
}

#[test]
fn a_document_that_cannot_be_read_is_told_with_its_first_fault() {
    let folder = published();
    let path = folder.path("data/assay.db");
    let mut file = fs::read(&path).unwrap();
    for place in places(&file, b"\"weight\":5000") {
        file[place..].iter_mut().zip(b"\"weight\":true").for_each(|(byte, new)| *byte = *new);
    }
    fs::write(&path, file).unwrap();

    let looked = doctor(&folder);

    let found = about(&looked, "documents");
    assert_eq!(found.len(), 2, "{}", stdout(&looked));
    for ((state, told), which) in found.iter().zip(["the draft", "revision 1"]) {
        let beginning = format!("{which} of project 1000 cannot be read: ");
        assert!(state == "error" && told.starts_with(&beginning), "{told}");
        assert!(told.contains(" at `/campaigns/0/experiments/0/variations/0/weight`"), "{told}");
    }
    assert!(cure(&looked, "documents").contains("`assay apply`"));
    assert_eq!(states(&looked, "database"), ["ok"], "{}", stdout(&looked));
}

#[test]
fn files_of_events_that_are_cut_are_told() {
    let folder = with_files_of_events();
    let [cut, gone] = &files_below(&folder.path("data/events"))[..] else { panic!("two files") };
    let length = fs::metadata(cut).unwrap().len();
    for left in [0, length - 1] {
        fs::File::options().write(true).open(cut).unwrap().set_len(left).unwrap();

        let looked = doctor(&folder);

        let [(state, told)] = &*about(&looked, "event files") else { panic!("{looked:?}") };
        assert!(state == "error" && told.starts_with("1 of 2 are missing or damaged, "), "{told}");
        assert!(told.ends_with(&format!("which has {left} of {length} bytes")), "{told}");
        assert!(cure(&looked, "event files").contains("from a backup"));
    }
    fs::remove_file(gone).unwrap();
    let [(_, told)] = &*about(&doctor(&folder), "event files") else { panic!("one finding") };
    assert!(told.starts_with("2 of 2 are missing or damaged, "), "{told}");
}

#[tokio::test]
async fn a_database_with_a_damaged_page_says_what_is_to_be_done_and_is_not_backed_up() {
    let folder = published();
    let added = ["token", "add", "ci", "--service", "--role", "viewer", "--data", "data"];
    let token =
        stdout(&folder.assay(&[&added[..], &["--scope", "config:read", "--json"]].concat()));
    let token: Value = serde_json::from_str(&token).unwrap();
    let path = folder.path("data/assay.db");
    let mut file = fs::read(&path).unwrap();
    for place in places(&file, b"\"weight\":5000") {
        let page = place / PAGE * PAGE;
        file[page..page + PAGE].fill(0xff);
    }
    fs::write(&path, file).unwrap();

    let server = folder.serve_logging("info", &["--data", "data"]);
    let request = reqwest::Client::new().get(server.url("/v1/projects/1000/document"));
    let answer = request.bearer_auth(token["token"].as_str().unwrap()).send().await.unwrap();
    let (status, waits) = (answer.status().as_u16(), answer.headers().contains_key("retry-after"));
    let problem: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    let log = folder.log_of(server);
    let refused = folder.assay(&["backup", "a.backup", "--data", "data"]);

    assert_eq!((status, &problem["code"], waits), (500, &Value::from("database_damaged"), false));
    for command in ["`assay doctor`", "`assay restore`"] {
        assert!(log.contains(command), "{log}");
        assert!(stderr(&refused).contains(command), "{}", stderr(&refused));
    }
    assert_eq!(refused.status.code(), Some(3));
    assert!(stderr(&refused).contains(".recover`"), "{}", stderr(&refused));
    let left = fs::read_dir(folder.path("")).unwrap().map(|file| file.unwrap().file_name());
    let left = left.filter(|name| name.to_string_lossy().contains("backup"));
    assert_eq!(left.collect::<Vec<_>>(), [""; 0], "nothing is half made");
}
