//! The command line with `--database postgres://…`.

use serde_json::Value;

use super::{database, variable};
use crate::command_line::binary::{Folder, stderr, stdout};

#[test]
fn commands_work_on_the_database_of_a_running_server() {
    let folder = Folder::new();
    let address = database("commands");
    let _server = folder.serve(&["--demo", "--database", &address]);

    let member =
        folder.assay(&["member", "add", "ada@example.com", "--json", "--database", &address]);
    let ended = folder.assay(&["tokens", "end-all", "--json", "--database", &address]);

    let member: Value = serde_json::from_str(&stdout(&member)).unwrap();
    assert_eq!(member["email"], "ada@example.com");
    let ended: Value = serde_json::from_str(&stdout(&ended)).unwrap();
    assert_eq!(ended["families"], 0);
    assert!(!folder.path("assay-data").exists());
}

#[test]
fn a_failed_connection_is_reported_without_the_address() {
    let folder = Folder::new();
    let over_network = variable("ASSAY_TEST_POSTGRES_OVER_NETWORK");
    let wrong_password = format!("{}/postgres", over_network.replace("assay-tests", "hunter2"));
    let no_database = format!("{over_network}/nowhere");
    for (address, code, expected) in [
        (wrong_password.as_str(), 3, "password authentication failed"),
        (no_database.as_str(), 3, "database \"nowhere\" does not exist"),
        ("postgres://ann:hunter2@127.0.0.1:1/assay", 3, "refused"),
        ("postgres://ann:hunter2@host:hunter2/assay", 3, "expected `postgres://USER"),
        ("postgre://ann:hunter2@host/assay", 2, "expected `sqlite:`"),
    ] {
        let output = folder.assay(&["serve", "--listen", "127.0.0.1:0", "--database", address]);

        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(expected), "{said}");
        assert!(!said.contains("hunter2") && !said.contains("assay-tests"), "{said}");
    }
}

#[test]
fn doctor_finds_what_keeps_a_server_from_starting() {
    let folder = Folder::new();
    let address = database("without_writes");
    let address = |setting: &str| format!("{address}?options=-c%20{setting}");
    for (setting, told, cure) in [
        ("default_transaction_read_only%3Don", "the database is read-only", "name the primary"),
        ("search_path%3Dnowhere", "there is no schema to make tables in", "`CREATE SCHEMA"),
    ] {
        let address = address(setting);

        let looked = folder.assay(&["doctor", "--listen", "127.0.0.1:0", "--database", &address]);
        let started = folder.assay(&["serve", "--listen", "127.0.0.1:0", "--database", &address]);

        assert_eq!((looked.status.code(), started.status.code()), (Some(1), Some(3)));
        for said in [stdout(&looked), stderr(&started)] {
            assert!(said.contains(told) && said.contains(cure), "{said}");
        }
    }
}

#[test]
fn an_address_in_the_environment_is_shown_by_no_help() {
    let folder = Folder::new();

    let output =
        folder.assay_with("ASSAY_DATABASE", "postgres://a:hunter2@b/c", &["serve", "--help"]);

    assert!(stdout(&output).contains("ASSAY_DATABASE"));
    assert!(!stdout(&output).contains("hunter2"));
}
