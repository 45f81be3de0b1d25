//! Documents that are in memory read as their text does.

use std::sync::Arc;

use domain::{NoFiles, SharedDocument, Source, parse, parse_shared, parse_value};
use serde_json::{Value, json};

use crate::documents::{EVERYTHING, parse_named};

fn faults(document: &Value) -> Vec<String> {
    let faults = match parse_value(document) {
        Ok((_, warnings)) => warnings,
        Err(faults) => faults,
    };
    let shared = match SharedDocument::of(document.clone()).and_then(|one| parse_shared(&one)) {
        Ok((_, warnings)) => warnings,
        Err(faults) => faults,
    };
    assert_eq!(shared, faults);
    assert!(faults.iter().all(|fault| fault.place.is_none()));
    faults.iter().map(|fault| format!("{} {fault}", fault.pointer)).collect()
}

#[test]
fn a_written_project_reads_as_the_same_project() {
    let project = parse_named("demo.yaml", EVERYTHING).unwrap().project;

    let (read, warnings) = parse_value(&serde_json::to_value(&project).unwrap()).unwrap();

    assert_eq!(read, project);
    assert_eq!(warnings, []);
}

#[test]
fn faults_are_those_of_the_text_without_its_places() {
    let document = json!({
        "version": 1,
        "project": {"key": "demo", "colour": "red"},
        "pages": [{"key": "home", "metadata": {"a/b": []}}, {"key": "home"}],
        "campaigns": [{"key": "a", "type": "ab_test", "pages": ["hoem"], "experiments": []}, 7],
    });

    let text = document.to_string();
    let of_text = parse(&Source { name: "demo.json", text: &text, files: &NoFiles }).unwrap_err();

    let of_text = of_text.into_iter().map(|fault| fault.at(None));
    let of_text: Vec<String> = of_text.map(|fault| format!("{} {fault}", fault.pointer)).collect();
    assert_eq!(faults(&document), of_text);
    assert!(of_text.len() > 5 && of_text[1].starts_with("/pages/0/metadata/a~1b error"));
}

#[test]
fn a_value_has_limits_and_no_files() {
    let deep = (0..40).fold(json!([]), |inside, _| json!([inside]));
    let file =
        json!({"version": 1, "project": {"key": "a", "snippet": {"javascript": {"file": "a.js"}}}});

    assert_eq!(faults(&deep), [" error: more than 32 lists and objects inside each other"]);
    assert_eq!(
        faults(&json!("x".repeat(5_000_000))),
        [" error: the texts of the document have more than 4194304 bytes"]
    );
    assert_eq!(
        faults(&json!(vec![0; 500_000])),
        [" error: the document holds more than 500000 values"]
    );
    assert_eq!(
        faults(&file),
        [
            "/project/snippet/javascript/file error: project.snippet.javascript.file: cannot read `a.js`: this document may not refer to files"
        ]
    );
}

#[test]
fn an_edited_document_shares_what_was_left_alone_and_is_that_of_its_project() {
    let earlier = parse_named("demo.yaml", EVERYTHING).unwrap().project;
    let before = SharedDocument::of_project(&earlier);
    let mut edited = before.clone();
    edited.resource_mut("campaigns", 1).unwrap()["name"] = json!("Another");
    edited.value_mut("project").unwrap()["name"] = json!("Another");
    edited.push("pages", json!({"key": "another", "conditions": []}));

    let (mut project, _) = parse_shared(&edited).unwrap();
    project.share_campaigns_with(&earlier);
    let after = SharedDocument::of_project_beside(&project, (&earlier, &before));

    assert_eq!(json!(after), json!(SharedDocument::of_project(&project)));
    assert_ne!(json!(after), json!(edited), "defaults are written out");
    let shared = before.list("campaigns").iter().zip(after.list("campaigns"));
    let shared: Vec<bool> = shared.map(|(before, after)| Arc::ptr_eq(before, after)).collect();
    assert_eq!(shared.iter().filter(|is_shared| !**is_shared).count(), 1);
    assert!(!shared[1] && shared.len() > 2);
    assert_ne!(before.list("campaigns")[1]["name"], "Another");
}
