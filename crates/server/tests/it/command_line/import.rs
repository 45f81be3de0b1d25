//! `assay import`.

use serde_json::{Value, json};

use super::binary::{Folder, stderr, stdout};

/// Code and an expression that the compiler refuses among what it takes.
fn export() -> Value {
    let page = |id: u64, pattern: &str| {
        let url = json!({"type": "url", "match_type": "regex", "value": pattern});
        json!({"id": id, "project_id": 1000, "name": format!("Page {id}"), "conditions": json!([url]).to_string()})
    };
    let experiment = |id: u64, page: u64, code: &str| {
        let change = json!({"type": "custom_code", "value": code, "id": "a", "dependencies": []});
        let actions = json!([{"page_id": page, "changes": [change]}]);
        json!({
            "id": id, "project_id": 1000, "campaign_id": id + 100, "name": format!("Experiment {id}"), "type": "a/b",
            "status": "running", "page_ids": [page], "audience_conditions": "everyone",
            "variations": [
                {"variation_id": id + 200, "name": "Original", "weight": 5000, "actions": []},
                {"variation_id": id + 300, "name": "Other", "weight": 5000, "actions": actions},
            ],
        })
    };
    json!({
        "projects": [{"id": 1000, "name": "Shop", "platform": "web", "status": "active"}],
        "pages": [page(1, "^https://shop\\.example/"), page(2, "(a+)+$")],
        "experiments": [
            experiment(11, 1, "document.title = 'x';"),
            experiment(12, 1, "if (a {"),
            experiment(13, 2, "document.title = 'y';"),
        ],
    })
}

fn imported() -> (Folder, Value) {
    let folder = Folder::new();
    folder.write("export.json", &export().to_string());
    let arguments = ["import", "export.json", "-o", "shop.yaml", "--report", "json"];
    let output = folder.assay(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let report = serde_json::from_str(&stderr(&output)).unwrap();
    (folder, report)
}

#[test]
fn an_export_is_imported_checked_and_compiled() {
    let (folder, _) = imported();

    let check = folder.assay(&["check", "shop.yaml"]);
    assert_eq!(
        stdout(&check),
        "shop.yaml: project `shop` with 3 campaigns is valid, and not started: `experiment_12`, `experiment_13`\n"
    );
    let compile = folder.assay(&["compile", "shop.yaml"]);
    assert_eq!(compile.status.code(), Some(0), "{}", stderr(&compile));
    assert!(stdout(&compile).contains("document.title"));
}

#[test]
fn visitors_keep_their_variations() {
    let (folder, _) = imported();

    // The share that MurmurHash3 gives for the visitor's id and the experiment's id `11`, seed 1: below a half is the first variation.
    for (visitor, variation) in [("ada", "\"211\""), ("grace", "\"311\"")] {
        let url = "https://shop.example/";
        let arguments = ["decide", "shop.yaml", "--visitor", visitor, "--url", url, "--json"];
        let answer = stdout(&folder.assay(&arguments));
        assert!(answer.contains(variation), "{visitor}: {answer}");
    }
}

#[test]
fn what_the_compiler_refuses_is_left_out_and_its_campaign_not_started() {
    let (folder, report) = imported();

    let told: Vec<(&str, &str)> = report["notes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|note| Some((note["pointer"].as_str()?, note["outcome"].as_str()?)))
        .filter(|(pointer, _)| !pointer.is_empty())
        .collect();
    assert_eq!(
        told,
        [
            ("/experiments/1/status", "changed"),
            ("/experiments/1/variations/1/actions/0/changes/0", "left_out"),
            ("/experiments/2/status", "changed"),
            ("/pages/1/conditions", "left_out"),
        ]
    );
    let yaml = std::fs::read_to_string(folder.path("shop.yaml")).unwrap();
    assert_eq!(yaml.matches("status: running").count(), 1, "{yaml}");
}

#[test]
fn a_folder_of_lists_is_read() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("export")).unwrap();
    for (kind, list) in export().as_object().unwrap() {
        folder.write(&format!("export/{kind}-1.json"), &list.to_string());
    }
    folder.write("export/notes.txt", "none of it");

    let output = folder.assay(&["import", "export"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("version: 1\nproject:\n"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("pages-1.json: [1].conditions: left out: "),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_export_is_not_overwritten_by_its_project() {
    let folder = Folder::new();
    folder.write("export.json", &export().to_string());
    std::fs::create_dir(folder.path("lists")).unwrap();
    for (kind, list) in export().as_object().unwrap() {
        folder.write(&format!("lists/{kind}.json"), &list.to_string());
    }

    for (from, to) in [("export.json", "./export.json"), ("lists", "lists/pages.json")] {
        let before = std::fs::read(folder.path(to)).unwrap();
        let refused = folder.assay(&["import", from, "-o", to]);

        assert_eq!(refused.status.code(), Some(1), "{from}");
        assert!(stderr(&refused).contains("is a file of the export"), "{}", stderr(&refused));
        assert_eq!(std::fs::read(folder.path(to)).unwrap(), before, "{from}");
    }
}

#[test]
fn what_is_no_export_is_refused() {
    let folder = Folder::new();
    folder.write("list.json", "[]");
    folder.write("broken.json", "{");
    folder.write("empty.json", "{}");
    folder.write("another.json", r#"{"_data": [{"id": 12, "variations": []}]}"#);
    folder.write("pages.json", r#"{"pages": [{"id": 1}]}"#);

    for (name, words) in [
        ("list.json", "this is a list"),
        ("broken.json", "broken.json:1:1: not readable as JSON"),
        ("empty.json", "this is not an Optimizely export"),
        ("another.json", "docs/guides/moving.md says how to move"),
        ("pages.json", "the export has no project, and"),
        ("nowhere.json", "cannot read export `nowhere.json`"),
    ] {
        let output = folder.assay(&["import", name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}
