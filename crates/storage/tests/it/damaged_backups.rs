//! Whatever has become of a backup is noticed before anything is restored.

use std::fs;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};
use storage::RestoreError;

use crate::backups::BackupFolder;
use crate::released::{file, released};

/// How far apart the places are that are damaged: enough of them to hit everything, few enough for a test.
const EVERY: usize = 7;

fn backed_up() -> BackupFolder {
    let place = BackupFolder::new();
    let (schema, content) = released().pop().unwrap();
    drop(file(&place.path(), schema, &content));
    place.back_up();
    place
}

fn unpacked(place: &BackupFolder) -> String {
    let mut text = String::new();
    let bytes = fs::read(place.backup()).unwrap();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    text
}

/// Writes lines as a backup with a digest that is right.
fn pack(place: &BackupFolder, lines: &[&str]) {
    let content = format!("{}\n", lines.join("\n"));
    let digest = hex::encode(Sha256::digest(&content));
    pack_text(place, &format!("{content}{{\"sha256\":\"{digest}\"}}\n"));
}

fn pack_text(place: &BackupFolder, text: &str) {
    let mut out = GzEncoder::new(fs::File::create(place.backup()).unwrap(), Compression::fast());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap();
}

/// What a restore to a file that is not there says; the file is not there afterwards either.
fn refused(place: &BackupFolder) -> RestoreError {
    let elsewhere = tempfile::tempdir().unwrap();
    let error = place.restore(&elsewhere.path().join("assay.db")).err().unwrap();
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "{error}");
    error
}

#[test]
fn a_backup_that_was_cut_anywhere_is_refused() {
    let place = backed_up();
    let whole = fs::read(place.backup()).unwrap();
    for length in (0..whole.len()).step_by(EVERY) {
        fs::write(place.backup(), &whole[..length]).unwrap();

        let error = refused(&place);

        let expected = matches!(error, RestoreError::Damaged(_) | RestoreError::NotABackup);
        assert!(expected, "{length}: {error}");
    }
}

#[test]
fn a_backup_in_which_a_bit_has_changed_is_refused_or_means_the_same() {
    let place = backed_up();
    let (whole, text) = (fs::read(place.backup()).unwrap(), unpacked(&place));
    for number in (0..whole.len()).step_by(EVERY) {
        let mut changed = whole.clone();
        changed[number] ^= 1 << (number % 8);
        fs::write(place.backup(), &changed).unwrap();

        match place.check() {
            Ok(_) => assert_eq!(unpacked(&place), text, "{number}"),
            Err(RestoreError::Damaged(_) | RestoreError::NotABackup) => {}
            Err(error) => panic!("{number}: {error}"),
        }
    }
}

#[test]
fn a_row_that_was_taken_out_changed_or_moved_is_noticed() {
    let place = backed_up();
    let text = unpacked(&place);
    let lines: Vec<&str> = text.lines().collect();
    let changed = text.replace("ann@example.com", "eve@example.com");
    let mut moved = lines.clone();
    moved.swap(1, 2);
    let moved = format!("{}\n", moved.join("\n"));
    let without = format!("{}\n", [&lines[..1], &lines[2..]].concat().join("\n"));
    for text in [changed, moved, without, format!("{text}more\n")] {
        pack_text(&place, &text);

        let error = refused(&place);

        assert!(matches!(error, RestoreError::Damaged(_)), "{error}");
    }
}

#[test]
fn rows_that_do_not_belong_there_are_refused_whatever_the_digest_says() {
    let place = backed_up();
    let text = unpacked(&place);
    let lines: Vec<&str> = text.lines().collect();
    let (header, rows) = (lines[0], &lines[1..lines.len() - 1]);
    for header in [
        header.replace("\"email\"", "\"email, password_hash\""),
        header.replace("\"name\":\"member\"", "\"name\":\"member; DROP TABLE member\""),
        header.replace("\"name\":\"session\"", "\"name\":\"invoice\""),
    ] {
        pack(&place, &[&[header.as_str()], rows].concat());

        let error = refused(&place);

        assert_eq!(
            error.to_string(),
            "the backup is damaged: its tables are not those of its schema"
        );
    }
    let (no_row, wrong_type) = ("{}", r#"["one","ann@example.com","$argon2id$ann",0]"#);
    for row in [no_row, wrong_type] {
        pack(&place, &[&[header, row], &rows[1..]].concat());

        assert_eq!(refused(&place).to_string(), "the backup is damaged: row 1 of `member` is none");
    }
    let orphan = rows.iter().map(|row| row.replace("ann@example.com", "bob@example.com"));
    let twice: Vec<String> = orphan.collect();
    let twice: Vec<&str> = twice.iter().map(String::as_str).collect();
    pack(&place, &[&[header], &twice[..]].concat());
    assert!(matches!(refused(&place), RestoreError::Storage(_)), "an address is taken once");
}

#[test]
fn what_a_newer_assay_made_is_refused() {
    let place = backed_up();
    let text = unpacked(&place);
    let lines: Vec<&str> = text.lines().collect();
    let steps = released().len();
    let newer_schema = lines[0].replace(&format!("\"schema\":{steps}"), "\"schema\":1000");
    let newer_format = lines[0].replace("\"version\":1", "\"version\":2");
    for (header, expected) in [
        (
            newer_schema,
            format!("the backup was made by a newer Assay (schema 1000, this one knows {steps})"),
        ),
        (newer_format, "the backup has a newer format (2, this Assay knows 1)".to_owned()),
    ] {
        pack(&place, &[&[header.as_str()], &lines[1..lines.len() - 1]].concat());

        assert_eq!(refused(&place).to_string(), expected);
    }
}

#[test]
fn a_file_that_is_no_backup_is_refused() {
    let place = backed_up();
    let database = fs::read(place.path()).unwrap();
    for bytes in [&b""[..], b"these are notes", &database] {
        fs::write(place.backup(), bytes).unwrap();
        assert!(matches!(refused(&place), RestoreError::NotABackup));
    }
    pack_text(&place, "{\"format\":\"something else\"}\n");
    assert!(matches!(refused(&place), RestoreError::NotABackup));
}
