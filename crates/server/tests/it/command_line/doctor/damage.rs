//! Damage of what is stored: of the file, of files of events, of documents.

use std::fs;
use std::process::Output;

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
