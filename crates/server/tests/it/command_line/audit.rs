//! `assay audit verify` and `assay audit export`.

use std::fs;
use std::process::{Command, Output};

use oauth::{Lifetime, Timestamp};
use serde_json::Value;
use storage::{Act, ActorKind, AuditEvent, AuditStore as _, ListRange, NewAuditEntry, SqliteStore};

use super::binary::{Folder, stderr, stdout};
use super::documents::blocks;
use crate::postgres::{database, now};

/// A folder with data in which something has happened, and an export of its log.
fn exported() -> Folder {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    for name in ["\"Zoë\"\\", "line\u{7f}\u{2028}"] {
        let arguments = ["application", "add", name, "--data", "data", "--redirect-uri"];
        folder.assay(&[&arguments[..], &["https://reports.example/callback"]].concat());
    }
    let export = folder.assay(&["audit", "export", "--data", "data"]);
    assert_eq!(export.status.code(), Some(0), "{}", stderr(&export));
    folder.write("audit.ndjson", &stdout(&export));
    folder
}

fn head(verified: &Output) -> String {
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(verified));
    let verified: Value = serde_json::from_slice(&verified.stdout).unwrap();
    verified["head"]["hash"].as_str().unwrap().to_owned()
}

/// Whatever is asked, the log is not what it was.
fn assert_broken(output: &Output, expected: &str) {
    assert_eq!(output.status.code(), Some(1), "{}", stderr(output));
    assert!(stderr(output).contains(expected), "{}", stderr(output));
}

#[test]
fn the_log_and_its_export_have_one_head() {
    let folder = exported();

    let data = head(&folder.assay(&["audit", "verify", "--json", "--data", "data"]));
    let file = head(&folder.assay(&["audit", "verify", "--json", "--file", "audit.ndjson"]));

    assert_eq!(data, file);
    let again = ["audit", "verify", "--data", "data", "--from", &data];
    assert!(stdout(&folder.assay(&again)).contains(&format!("hash {data}")));
    let shown = stdout(&folder.assay(&["audit", "--json", "--limit", "1", "--data", "data"]));
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["hash"], Value::from(data));
}

#[test]
fn a_part_of_the_log_is_exported_and_checked_alone() {
    let folder = exported();
    folder.write("other.yaml", "");

    let all = stdout(&folder.assay(&["audit", "export", "--since", "1h", "--data", "data"]));
    let lines: Vec<&str> = all.lines().collect();
    folder.write("part.ndjson", &format!("{}\n", lines[1..].join("\n")));

    assert_eq!(all, fs::read_to_string(folder.path("audit.ndjson")).unwrap());
    let verified = folder.assay(&["audit", "verify", "--file", "part.ndjson"]);
    let expected = format!("entries 2 to {} are intact\n", lines.len());
    assert!(stdout(&verified).starts_with(&expected), "{}", stderr(&verified));
}

#[test]
fn an_export_that_was_changed_names_the_first_entry_that_is_not_right() {
    let folder = exported();
    let export = fs::read_to_string(folder.path("audit.ndjson")).unwrap();
    let lines: Vec<&str> = export.lines().collect();
    let without_second = [&lines[..1], &lines[2..]].concat().join("\n");
    let verify = |text: &str| {
        folder.write("tampered.ndjson", text);
        folder.assay(&["audit", "verify", "--file", "tampered.ndjson"])
    };

    assert_broken(&verify(&export.replacen("Zo", "Jo", 1)), "is not as it was sealed");
    assert_broken(&verify(&without_second), "entry 2 is missing: after 1 comes 3");
    assert_broken(&verify("notes\n"), "line 1 is not an entry of an exported audit log: ");
    for last in ["0", "1"] {
        let noted = "0".repeat(63) + last;
        for place in [["--file", "audit.ndjson"], ["--data", "data"]] {
            let verify = [&["audit", "verify", "--from", &noted][..], &place].concat();
            assert_broken(&folder.assay(&verify), "no entry has the hash that was noted");
        }
    }
}

#[test]
fn the_program_in_the_documents_agrees() {
    let folder = exported();
    let program = blocks("python").into_iter().find(|block| block.contains("prev_hash")).unwrap();
    folder.write("verify.py", &program);
    let run = |file: &str| {
        let program = folder.path("verify.py");
        Command::new("python3").arg(program).arg(folder.path(file)).output().unwrap()
    };

    let verified = run("audit.ndjson");

    let ours = head(&folder.assay(&["audit", "verify", "--json", "--data", "data"]));
    assert!(stdout(&verified).ends_with(&format!("{ours}\n")), "{}", stderr(&verified));
    let export = fs::read_to_string(folder.path("audit.ndjson")).unwrap();
    folder.write("tampered.ndjson", &export.replacen("\"count\":1", "\"count\":2", 1));
    assert!(stderr(&run("tampered.ndjson")).contains("broken at entry 1"));
    folder.write("empty.ndjson", "");
    let nothing = run("empty.ndjson");
    assert_eq!(stdout(&nothing), "there are no entries\n", "{}", stderr(&nothing));
}

#[test]
fn a_postgres_log_is_sealed_while_a_server_runs() {
    let folder = Folder::new();
    let address = database("sealed");
    let _server = folder.serve(&["--demo", "--database", &address]);

    folder.assay(&["member", "add", "ann@example.com", "--database", &address]);
    let first = head(&folder.assay(&["audit", "verify", "--json", "--database", &address]));
    folder.assay(&["member", "add", "bob@example.com", "--database", &address]);
    let verify = ["audit", "verify", "--json", "--database", &address, "--from", &first];
    let second = head(&folder.assay(&verify));

    assert_ne!(first, second);
}

fn store(folder: &Folder) -> SqliteStore {
    SqliteStore::open(&folder.path("data/assay.db")).unwrap()
}

/// An entry of this moment, without a seal.
async fn db_has_an_entry(folder: &Folder, at: Timestamp) {
    let act = Act { by: ActorKind::Command, member: None, address: None, at };
    let (event, detail) = (AuditEvent::MemberAdded, "for no known reason".to_owned());
    let entry = NewAuditEntry { event, act, member: None, client_id: None, detail, project: None };
    store(folder).add_audit_entry(entry).await.unwrap();
}

/// The seals of all entries, the newest first.
async fn seals(folder: &Folder) -> Vec<Option<i64>> {
    let page = ListRange { page: 1, per_page: 100 };
    let entries = store(folder).list_audit_entries(page).await.unwrap();
    entries.iter().map(|entry| entry.seal.as_ref().map(|seal| seal.number)).collect()
}

#[tokio::test]
async fn verifying_never_seals_and_an_entry_that_should_have_a_seal_is_a_fault() {
    for seconds in [-1_000, 1_000_000] {
        let folder = exported();
        let at = now() + Lifetime::from_seconds(seconds);
        db_has_an_entry(&folder, at).await;
        let before = seals(&folder).await;

        for command in [&["audit"][..], &["audit", "export"], &["audit", "verify"]] {
            folder.assay(&[command, &["--data", "data"]].concat());
        }
        let verified = folder.assay(&["audit", "verify", "--data", "data"]);

        assert_broken(&verified, "has no seal");
        assert_eq!(seals(&folder).await, before);
        folder.assay(&["member", "add", "bob@example.com", "--data", "data"]);
        assert_broken(&folder.assay(&["audit", "verify", "--data", "data"]), "has no seal");
    }
}

#[tokio::test]
async fn an_entry_of_a_clock_that_was_ahead_is_no_forgery_unless_it_was_far_ahead() {
    for (seconds, expected) in
        [(3_600, None), (2 * 86_400, Some("is more than a day ahead of the clock"))]
    {
        let folder = exported();
        let at = now() + Lifetime::from_seconds(seconds);
        db_has_an_entry(&folder, at).await;

        let verified = folder.assay(&["audit", "verify", "--data", "data"]);

        match expected {
            None => assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified)),
            Some(expected) => assert_broken(&verified, expected),
        }
    }
}

#[tokio::test]
async fn what_a_command_does_is_sealed_when_it_is_done() {
    let folder = exported();

    folder.assay(&["member", "add", "bob@example.com", "--data", "data"]);

    assert!(seals(&folder).await.iter().all(Option::is_some), "{:?}", seals(&folder).await);
}
