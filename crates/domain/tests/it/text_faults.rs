//! Texts that are no document at all, or not one that we take.

use insta::assert_snapshot;

use crate::documents::{faults, faults_of_text, parse_named};

#[test]
fn an_empty_text_is_no_document() {
    assert_snapshot!(faults_of_text(""), @"demo.yaml:1:1: error: the document is empty");
    assert_snapshot!(faults_of_text("# nothing\n"), @"demo.yaml:1:1: error: the document is empty");
    assert_snapshot!(faults_of_text("null"), @"demo.yaml:1:1: error: this is nothing, expected an object");
}

#[test]
fn a_document_is_an_object_with_a_version_and_a_project() {
    assert_snapshot!(faults_of_text("[]"), @"demo.yaml:1:1: error: this is a list, expected an object");
    assert_snapshot!(faults_of_text("{}"), @r"
    demo.yaml:1:1: error: the field `version` is missing
    demo.yaml:1:1: error: the field `project` is missing
    ");
    assert_snapshot!(faults_of_text("version: 2\nproject: demo"), @r"
    demo.yaml:1:10: error: version: unknown version, expected 1
    demo.yaml:2:10: error: project: this is a text, expected an object
    ");
}

#[test]
fn a_text_that_is_no_yaml_is_refused_where_it_stops_to_be_yaml() {
    assert_snapshot!(faults("pages:\n  - key: home: yes\n"), @"demo.yaml:4:14: error: pages[0]: not readable as YAML: mapping values are not allowed in this context");
    assert_snapshot!(faults("pages: [{key: home}\n"), @"demo.yaml:4:1: error: pages[1]: not readable as YAML: while parsing a flow sequence, expected ',' or ']'");
    assert_snapshot!(faults("pages:\n\t- key: home\n"), @"demo.yaml:4:1: error: pages: not readable as YAML: a tab is in front of this line, which takes spaces alone");
    assert_snapshot!(faults("pages:\n  - key: home\n  \tname: Home\n"), @"demo.yaml:5:3: error: pages[0].key: not readable as YAML: a tab is in front of this line, which takes spaces alone");
}

#[test]
fn a_comment_that_was_probably_meant_as_a_value_is_told() {
    let meant = "attributes:
  - key: color
    name: Main #color
  - key: plan
    name: #plan
";
    assert_snapshot!(faults(meant), @"
    demo.yaml:5:11: warning: attributes[0].name: `#color` is a comment in YAML, and no part of the value
      hint: put the value in quotes, or a space after the `#` of a remark
    demo.yaml:7:5: warning: attributes[1].name: `#plan` is a comment in YAML, and no part of the value
      hint: put the value in quotes, or a space after the `#` of a remark
    ");
    let remarks = "attributes: # those of the shop
  - key: color # of the theme
    name: Main#color ## not `Main`
  - key: plan
    name: 'Main #plan'  #
";
    assert_snapshot!(faults(remarks), @"");
}

#[test]
fn many_comments_hide_no_error() {
    let comments = "  - key: b #b\n".repeat(150);
    let document = format!("attributes:\n{comments}pages: []\npages: []\n");
    let told = faults(&document);

    assert!(told.contains("error: pages: the field is there twice"), "{told}");
}

#[test]
fn a_text_in_braces_that_is_no_json_is_read_as_yaml() {
    assert_snapshot!(faults_of_text("{version: 1, project: {key: demo}, pages: [],}"), @"");
}

#[test]
fn a_file_with_the_extension_json_holds_json() {
    let faults = parse_named("demo.json", "{\"version\": 1,\n \"project\": {key: demo}}");

    assert_snapshot!(faults.unwrap_err()[0], @"demo.json:2:14: error: not readable as JSON: expected a text in double quotes");
}

#[test]
fn json_may_escape_any_character() {
    let name = r#"{"version": 1, "project": {"key": "demo", "name": "\ud83d\ude00 \u00e9 \/ \""}}"#;
    let parsed = parse_named("demo.json", name).unwrap();

    assert_eq!(parsed.project.name.as_deref(), Some("😀 é / \""));
}

#[test]
fn a_field_is_there_once() {
    assert_snapshot!(faults("pages: []\naudiences: []\npages: []\n"), @"demo.yaml:5:1: error: pages: the field is there twice");
    let json = r#"{"version": 1, "project": {"key": "demo", "key": "other"}}"#;
    assert_snapshot!(faults_of_text(json), @"demo.yaml:1:43: error: project.key: the field is there twice");
}

#[test]
fn yaml_that_hides_what_it_means_is_refused() {
    assert_snapshot!(faults("pages: &pages []\ngroups: *pages\n"), @"demo.yaml:4:9: error: groups: aliases are not supported, write the value out");
    assert_snapshot!(faults("pages: !!set {}\n"), @r"
    demo.yaml:3:8: error: pages: tags are not supported, a quoted value is a text
    demo.yaml:3:8: error: pages: this is an object, expected a list
    ");
    assert_snapshot!(faults("pages: []\n---\nversion: 1\n"), @"demo.yaml:4:1: error: a second document starts here, a file holds one");
    assert_snapshot!(faults("? [pages]\n: []\n"), @"demo.yaml:3:3: error: the name of a field must be a text");
}

#[test]
fn a_document_has_a_size() {
    assert_snapshot!(faults(&" ".repeat(5_000_000)), @"demo.yaml:1:1: error: the document has 5000032 bytes, expected 4194304 at most");
    assert_snapshot!(faults(&format!("pages: {}", "[".repeat(40))), @"demo.yaml:3:39: error: pages[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: more than 32 lists and objects inside each other");
    assert_snapshot!(faults(&format!("pages: [{}]", "0,".repeat(600_000))), @"demo.yaml:3:999999: error: pages[499995]: the document holds more than 500000 values");
}

#[test]
fn of_many_faults_the_first_hundred_are_shown() {
    let faults = faults(&format!("pages: [{}]", "0, ".repeat(300)));

    assert_eq!(faults.lines().count(), 101);
    assert_snapshot!(faults.lines().last().unwrap(), @"demo.yaml:1:1: error: 200 more errors are not shown");
}

#[test]
fn a_message_does_not_quote_without_end() {
    let faults = faults(&format!("\"{}\": 1", "x".repeat(100_000)));

    assert!(faults.chars().count() < 1000, "{faults}");
}
