//! The folder of all files: whose it is, and what in it is left over.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;

use lake::{Folder, Wanted, copy_file, is_whole, write_file};
use tempfile::tempdir;

use crate::given::{DAY, purchase, read};

#[test]
fn only_files_that_a_crash_left_are_removed() {
    let place = tempdir().unwrap();
    let folder = Folder::open(place.path(), "ours").unwrap();
    let listed = write_file(place.path(), "1000", DAY, vec![purchase(1, 1)]).unwrap();
    let unlisted = write_file(place.path(), "1001", DAY, vec![purchase(2, 2)]).unwrap();
    let half = place.path().join("project=1000/day=2026-11-22/.writing-Ab3x");
    let notes = place.path().join("project=1000/day=2026-11-22/notes.txt");
    fs::write(&half, "PAR1").unwrap();
    fs::write(&notes, "mine").unwrap();

    let lock = folder.lock().unwrap();
    let removed = folder.remove_left_over(&lock, &HashSet::from([listed.name.clone()])).unwrap();

    assert_eq!(removed, 2);
    assert!(!half.exists() && notes.exists());
    assert!(!place.path().join(unlisted.name).parent().unwrap().exists(), "an empty day");
    assert_eq!(read(&place.path().join(&listed.name), &Wanted::all()), [purchase(1, 1)]);
}

#[test]
fn a_folder_has_one_owner() {
    let place = tempdir().unwrap();
    let path = place.path().join("events");
    Folder::open(&path, "ours").unwrap();

    Folder::open(&path, "ours").unwrap();
    let refused = Folder::open(&path, "theirs").unwrap_err();

    let told = "its file `.assay` says that it belongs to another database";
    assert_eq!(refused.to_string(), told);
    assert_eq!(Folder::owner(&path).unwrap().as_deref(), Some("ours"));
    assert_eq!(Folder::owner(place.path()).unwrap(), None);
}

#[test]
fn a_folder_is_given_up_by_its_owner_alone() {
    let place = tempdir().unwrap();
    Folder::open(place.path(), "ours").unwrap();

    Folder::give_up(place.path(), "theirs").unwrap();
    let refused = [Some("theirs"), None].map(|owner| Folder::check_owner(place.path(), owner));
    Folder::check_owner(place.path(), Some("ours")).unwrap();
    Folder::give_up(place.path(), "ours").unwrap();

    assert!(refused.iter().all(Result::is_err));
    Folder::check_owner(place.path(), None).unwrap();
    Folder::open(place.path(), "theirs").unwrap();
}

#[test]
fn one_at_a_time_changes_a_folder() {
    let place = tempdir().unwrap();
    let one = Folder::open(place.path(), "ours").unwrap();
    let other = Folder::open(place.path(), "ours").unwrap();

    let lock = one.try_lock().unwrap();

    assert!(lock.is_some() && other.try_lock().unwrap().is_none());
    drop(lock);
    assert!(other.try_lock().unwrap().is_some());
}

#[test]
fn a_file_that_is_gone_already_is_removed() {
    let place = tempdir().unwrap();
    let folder = Folder::open(place.path(), "ours").unwrap();
    let file = write_file(place.path(), "1000", DAY, vec![purchase(1, 1)]).unwrap();

    folder.remove(&file.name).unwrap();
    folder.remove(&file.name).unwrap();

    assert!(!place.path().join("project=1000/day=2026-11-22").exists());
}

#[test]
fn what_is_beside_the_folder_is_not_removed() {
    let place = tempdir().unwrap();
    let folder = Folder::open(&place.path().join("events"), "ours").unwrap();
    let notes = place.path().join("notes.txt");
    fs::write(&notes, "mine").unwrap();

    for name in ["../notes.txt", notes.to_str().unwrap()] {
        assert_eq!(folder.remove(name).unwrap_err().kind(), ErrorKind::InvalidInput);
    }

    assert!(notes.exists());
}

#[test]
fn a_copy_is_what_was_written_and_a_damaged_one_is_replaced() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    let file = write_file(from.path(), "1000", DAY, vec![purchase(1, 1)]).unwrap();
    let (source, copy) = (from.path().join(&file.name), to.path().join(&file.name));
    let whole = fs::read(&source).unwrap();
    let mut changed = whole.clone();
    changed[1] ^= 1;
    assert!(!is_whole(to.path(), &file.name).unwrap());
    assert!(copy_file(from.path(), to.path(), &file.name).unwrap());
    assert!(is_whole(to.path(), &file.name).unwrap());

    for damaged in [&whole[..whole.len() / 2], &changed[..], &[]] {
        fs::write(&copy, damaged).unwrap();
        assert!(!is_whole(to.path(), &file.name).unwrap());
        assert!(copy_file(from.path(), to.path(), &file.name).unwrap());
        assert_eq!(fs::read(&copy).unwrap(), whole);
    }

    fs::write(&source, &changed).unwrap();
    assert!(copy_file(from.path(), to.path(), &file.name).unwrap());
    assert_eq!(fs::read(&copy).unwrap(), whole, "a copy that is whole stays");
    fs::remove_file(&copy).unwrap();
    assert!(!copy_file(from.path(), to.path(), &file.name).unwrap());
    assert_eq!(fs::read_dir(copy.parent().unwrap()).unwrap().count(), 0);
}
