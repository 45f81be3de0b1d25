//! `assay compile`.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

use serde_json::Value;

use super::binary::{Folder, PROJECT, project_with, stderr, stdout};

#[test]
fn snippet_goes_to_standard_output() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let output = folder.assay(&["compile", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("Ship faster"), "{}", stdout(&output));
}

#[test]
fn a_result_that_cannot_be_written_is_no_success() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let full = || File::options().write(true).open("/dev/full").unwrap();

    folder.write("faulty.yaml", &PROJECT.replace("pages: [home]", "pages: [hoem]"));

    for arguments in [
        &["compile", "shop.yaml"][..],
        &["schema"],
        &["check", "shop.yaml"],
        &["check", "faulty.yaml", "--format", "json"],
    ] {
        let output = folder.assay_to(full(), arguments);

        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(stderr(&output).contains("cannot write the output"), "{}", stderr(&output));
    }
}

#[test]
fn the_snippet_takes_the_place_of_another_whole_and_never_that_of_its_project() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    folder.write("real.js", "old");
    let shared = Permissions::from_mode(0o664);
    fs::set_permissions(folder.path("real.js"), shared.clone()).unwrap();
    symlink("real.js", folder.path("shop.js")).unwrap();
    symlink("shop.yaml", folder.path("same.yaml")).unwrap();
    let compile = |to: &str| folder.assay(&["compile", "shop.yaml", "-o", to]);

    assert_eq!(compile("shop.js").status.code(), Some(0));
    let to_itself = compile("same.yaml");

    let snippet = fs::read_to_string(folder.path("real.js")).unwrap();
    assert!(snippet.contains("Ship faster"), "the link stays one");
    let kept = fs::metadata(folder.path("real.js")).unwrap().permissions();
    assert_eq!(kept.mode() & 0o777, shared.mode(), "users who could read and write it still can");
    assert_eq!(stdout(&compile("-")), snippet);
    assert_eq!(to_itself.status.code(), Some(1));
    assert!(stderr(&to_itself).contains("is the project file"), "{}", stderr(&to_itself));
    assert_eq!(fs::read_to_string(folder.path("shop.yaml")).unwrap(), PROJECT);
}

#[test]
fn compile_says_where_pages_send_events_if_the_project_counts_results() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    folder.write("counted.yaml", &project_with("results: on"));

    let without = folder.assay(&["compile", "shop.yaml"]);
    let counted = folder.assay(&["compile", "counted.yaml"]);

    assert_eq!(stderr(&without), "");
    assert!(counted.status.success() && stderr(&counted).contains("`/v1/events`"));
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
        serde_json::json!([
            "pages",
            "campaigns",
            "force",
            "data",
            "utils",
            "gpc",
            "url_simple",
            "changes",
            "change_element",
            "change_text"
        ])
    );
    assert!(folder.path("shop.js.map").exists());
}

#[test]
fn report_says_what_each_feature_and_each_experiment_costs() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let output = folder.assay(&["compile", "shop.yaml", "--report", "json"]);

    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let by_feature = report["by_feature"].as_array().unwrap();
    assert_eq!(by_feature.len(), report["features"].as_array().unwrap().len());
    assert_eq!(by_feature[0]["of"], "campaigns");
    assert!(by_feature.iter().all(|share| share["raw"].as_i64().unwrap() > 0), "{by_feature:?}");
    assert_eq!(report["by_experiment"][0]["of"], "hero/hero");
    let raw = report["by_experiment"][0]["raw"].as_u64().unwrap();
    assert!((40..400).contains(&raw), "{raw}");

    let text = stdout(&folder.assay(&["compile", "shop.yaml", "--report", "text"]));
    assert!(text.contains("\n  hero/hero "), "{text}");

    let page = stdout(&folder.assay(&["compile", "shop.yaml", "--report", "html"]));
    assert!(page.starts_with("<!doctype html>") && page.contains("<bdi>hero/hero</bdi>"), "{page}");
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
fn a_link_to_a_file_that_is_not_there_yet_stays_one() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    std::fs::create_dir(folder.path("disk")).unwrap();
    symlink("disk/next.js", folder.path("shop.js")).unwrap();
    symlink("new.js", folder.path("disk/next.js")).unwrap();

    let output = folder.assay(&["compile", "shop.yaml", "-o", "shop.js"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(folder.path("shop.js").is_symlink() && folder.path("disk/next.js").is_symlink());
    let written = std::fs::read_to_string(folder.path("disk/new.js")).unwrap();
    assert!(written.contains("Ship faster"));
}

#[test]
fn a_file_that_root_writes_keeps_its_owner() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let path = folder.write("shop.js", "old");
    if chown(&path, Some(4_711), Some(4_712)).is_err() {
        // Only root can give files away.
        return;
    }

    folder.assay(&["compile", "shop.yaml", "-o", "shop.js"]);

    let about = path.metadata().unwrap();
    assert_eq!((about.uid(), about.gid()), (4_711, 4_712));
    assert!(about.len() > 3);
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
