//! `assay compile`.

use serde_json::Value;

use super::binary::{Folder, PROJECT, stderr, stdout};

#[test]
fn snippet_goes_to_standard_output() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let output = folder.assay(&["compile", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("Ship faster"), "{}", stdout(&output));
}

#[test]
fn same_project_gives_the_same_bytes() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let first = folder.assay(&["compile", "shop.yaml"]);
    let second = folder.assay(&["compile", "shop.yaml"]);

    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn file_and_report_describe_one_snippet() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let output = folder.assay(&[
        "compile",
        "shop.yaml",
        "-o",
        "shop.js",
        "--source-map",
        "--report",
        "json",
    ]);

    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let snippet = std::fs::read(folder.path("shop.js")).unwrap();
    assert_eq!(report["bytes"]["raw"], snippet.len());
    assert_eq!(
        report["features"],
        serde_json::json!(["pages", "campaigns", "force", "url_simple", "change_text"])
    );
    assert!(folder.path("shop.js.map").exists());
}

#[test]
fn faulty_project_leaves_no_file() {
    let folder = Folder::new();
    folder.write("shop.yaml", &PROJECT.replace("type: ab_test", "type: ab_tset"));

    let output = folder.assay(&["compile", "shop.yaml", "-o", "shop.js"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.path("shop.js").exists());
}

#[test]
fn unwritable_output_is_the_environments_fault() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let output = folder.assay(&["compile", "shop.yaml", "-o", "no/such/folder/shop.js"]);

    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).starts_with("error: cannot write `no/such/folder/shop.js`"),
        "{}",
        stderr(&output)
    );
}
