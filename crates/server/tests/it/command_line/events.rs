//! `assay events` on files.

use super::binary::{Folder, project_with, stderr, stdout};

fn served() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", &project_with("results: on"));
    drop(folder.serve(&["shop.yaml", "--data", "data", "--keep-events", "36500"]));
    folder
}

const IMPORT: [&str; 8] =
    ["events", "import", "--project", "1000", "--data", "data", "--kind", "exposures"];

#[test]
fn rows_are_refused_with_their_file_and_line() {
    let folder = served();
    let head = "visitor,time,variation\n";
    folder.write("one.csv", &format!("{head}ada,2020-01-01,5001\nbob,soon,5002\n"));
    folder.write("two.csv", &format!("{head}\n{}", "eve,2020-01-01,5009\n".repeat(30)));

    let import = [&IMPORT[..], &["one.csv", "two.csv"]].concat();
    let by_default = folder.assay(&import);
    let longer = folder.assay(&[&import[..], &["--keep-events", "36500"]].concat());
    let by_variable = folder.assay_with("ASSAY_KEEP_EVENTS", "36500", &import);

    let old = "one.csv:2: `time` is longer ago than events are kept";
    assert!(stderr(&by_default).contains(old), "{}", stderr(&by_default));
    assert_eq!(
        (stdout(&longer).as_str(), longer.status.code()),
        ("imported 1 row; those that were there already still count once\n", Some(1))
    );
    assert_eq!(stdout(&by_variable), stdout(&longer));
    let told = stderr(&longer);
    for words in [
        "one.csv:3: `soon` in `time` is not a moment",
        "two.csv:3: the live project has no `variation` called `5009`",
        "two.csv:22: ",
        "\n10 more rows are refused\n",
        "31 rows were not imported; see above",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("two.csv:23: "), "{told}");
}

#[test]
fn rows_come_in_a_pipe_or_in_files_of_any_name() {
    let folder = served();
    let rows = "visitor,time,variation\nada,2020-01-01,5001\n";
    folder.write("rows.CSV", rows);
    folder.write("rows", rows);
    let import = [&IMPORT[..], &["--keep-events", "36500"]].concat();
    let piped = |more: &[&str]| folder.assay_reading(rows, &[&import[..], more].concat());

    for told in [
        piped(&["-", "--format", "csv"]),
        piped(&["/dev/stdin", "--format", "csv"]),
        piped(&["rows", "--format", "csv"]),
        piped(&["rows.CSV"]),
    ] {
        assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
        assert!(stdout(&told).starts_with("imported 1 row;"), "{}", stdout(&told));
    }
    let unknown = stderr(&piped(&["-"]));
    assert!(unknown.contains("hint: `--format csv`"), "{unknown}");
}

#[test]
fn a_file_that_is_missing_says_what_came_of_the_others() {
    let folder = served();
    folder.write("one.csv", "visitor,time,variation\nada,2020-01-01,5001\n");

    let refused = folder.assay(&[&IMPORT[..], &["one.csv", "two.csv"]].concat());

    let told = "error: nothing is imported: cannot read `two.csv`";
    assert!(stderr(&refused).starts_with(told), "{}", stderr(&refused));
}

#[test]
fn a_file_that_is_no_utf_8_is_named_with_its_line_and_a_hint() {
    let folder = served();
    let text = b"visitor,time,variation\nada,2026-11-01,5001\nJ\xf6rg,2026-11-01,5001\n";
    std::fs::write(folder.path("latin.csv"), text).unwrap();

    let refused = folder.assay(&[&IMPORT[..], &["latin.csv"]].concat());

    let told = "latin.csv:3: this is not valid UTF-8; hint: save it as UTF-8";
    assert!(stderr(&refused).contains(told), "{}", stderr(&refused));
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn a_project_is_named_by_its_id_or_its_key() {
    let folder = served();
    let export = |project, out| {
        let export = ["events", "export", "--project", project, "--data", "data", "--out", out];
        folder.assay(&export)
    };

    for (project, out) in [("1000", "one"), ("shop", "two"), ("key:shop", "three")] {
        assert_eq!(stdout(&export(project, out)), format!("exported 0 rows to `{out}`\n"));
    }
    let unknown = export("shoop", "four");
    assert_eq!(unknown.status.code(), Some(1));
    let told = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(told.contains("no project has the id or key `shoop`"), "{told}");
}

#[test]
fn the_export_of_a_visitor_tells_the_number_of_the_visitor() {
    let folder = served();
    folder.write("one.csv", "visitor,time,variation\nada,2020-01-01,5001\nbob,2020-01-01,5002\n");
    folder.assay(&[&IMPORT[..], &["one.csv", "--keep-events", "36500"]].concat());
    let export = |out, more: &[&str]| {
        let export = ["events", "export", "--project", "1000", "--data", "data", "--out", out];
        folder.assay(&[&export[..], &["--visitor", "ada", "--format", "ndjson"], more].concat())
    };

    let told = stdout(&export("ada", &[]));
    let json = stdout(&export("again", &["--json"]));

    let lines = std::fs::read_to_string(folder.path("ada/events.ndjson")).unwrap();
    let line: serde_json::Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(told, format!("exported 1 row of visitor {} to `ada`\n", line["visitor"]));
    let number = line["visitor"].to_string();
    assert_eq!(json, format!("{}\n", serde_json::json!({"rows": 1, "visitor": number})));
}

#[test]
fn a_visitor_is_forgotten_by_number_or_by_id_but_not_by_both() {
    let folder = served();
    folder.write("one.csv", "visitor,time,variation\nada,2020-01-01,5001\n");
    let import = || folder.assay(&[&IMPORT[..], &["one.csv", "--keep-events", "36500"]].concat());
    let forget = |who: &[&str]| {
        let forget = ["events", "forget", "--project", "1000", "--data", "data"];
        folder.assay(&[&forget[..], who].concat())
    };
    import();
    let by_id = stdout(&forget(&["ada"]));
    import();

    let number = by_id.trim_start_matches("deleted 1 event of visitor ").trim();
    let by_number = stdout(&forget(&["--number", number]));

    assert_eq!(by_number, by_id);
    assert_eq!(forget(&["ada", "--number", number]).status.code(), Some(2));
    assert_eq!(forget(&[]).status.code(), Some(2));
}

#[test]
fn events_are_deleted_before_a_day_or_all_once_the_operator_agrees() {
    let folder = served();
    let rows = ["ada,2020-01-01,5001", "bob,2020-01-02,5002", "cyd,2020-01-03,5002"].join("\n");
    folder.write("one.csv", &format!("visitor,time,variation\n{rows}\n"));
    folder.assay(&[&IMPORT[..], &["one.csv", "--keep-events", "36500"]].concat());
    let delete = |more: &[&str]| {
        let delete = ["events", "delete", "--project", "1000", "--data", "data"];
        folder.assay(&[&delete[..], more].concat())
    };

    let unasked = delete(&["--all"]);
    let first = stdout(&delete(&["--before", "2020-01-02", "--yes"]));
    let all = stdout(&delete(&["--all", "--yes", "--json"]));

    assert_eq!((unasked.status.code(), stdout(&unasked).as_str()), (Some(1), ""));
    assert!(
        stderr(&unasked).contains("hint: `--yes` deletes without asking"),
        "{}",
        stderr(&unasked)
    );
    assert_eq!(first, "deleted 1 event of project 1000\n");
    assert_eq!(all, "{\"events\":2}\n");
    for wrong in [&["--yes"][..], &["--all", "--before", "2020-01-02"], &["--before", "soon"]] {
        assert_eq!(delete(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn nothing_is_imported_into_an_archived_project() {
    let folder = served();
    folder.write("shop.yaml", &project_with("archived: true"));
    drop(folder.serve(&["shop.yaml", "--data", "data", "--keep-events", "36500"]));
    folder.write("one.csv", "visitor,time,variation\nada,2020-01-01,5001\n");

    let refused = folder.assay(&[&IMPORT[..], &["one.csv", "--keep-events", "36500"]].concat());

    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    let told = "the live project is archived, and takes no events";
    assert!(stderr(&refused).contains(told), "{}", stderr(&refused));
}

#[test]
fn nothing_is_exported_of_a_project_that_is_not_there() {
    let folder = served();

    let export = ["events", "export", "--project", "99", "--out", "export", "--data", "data"];
    let refused = folder.assay(&export);

    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    let told = "there is no project with this id";
    assert!(stderr(&refused).contains(told), "{}", stderr(&refused));
    assert!(!folder.path("export").exists());
}
