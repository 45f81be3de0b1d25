//! `assay check`.

use std::process::Command;

use serde_json::{Value, json};

use super::binary::{Folder, PROJECT, stderr, stdout};

/// What `assay check` says of `PROJECT` with one text replaced.
fn faults_of(from: &str, to: &str) -> String {
    let folder = Folder::new();
    assert!(PROJECT.contains(from), "nothing to replace");
    folder.write("shop.yaml", &PROJECT.replace(from, to));

    let output = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(stdout(&output), "", "results only on standard output");
    stderr(&output)
}

#[test]
fn a_device_without_an_end_is_no_project() {
    let checked = Folder::new().assay(&["check", "/dev/zero"]);

    assert_eq!(checked.status.code(), Some(1));
    assert!(stderr(&checked).contains("4194304 at most"), "{}", stderr(&checked));
}

#[test]
fn a_file_in_utf_16_gets_the_hint_to_save_it_as_utf_8() {
    let folder = Folder::new();
    let text: Vec<u8> = PROJECT.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path("shop.yaml"), [&b"\xff\xfe"[..], &text].concat()).unwrap();

    let checked = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(checked.status.code(), Some(1));
    assert!(stderr(&checked).contains("hint: save it as UTF-8"), "{}", stderr(&checked));
}

#[test]
fn good_file_passes() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let output = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "shop.yaml: project `shop` with 1 campaign is valid\n");
}

#[test]
fn check_warns_of_projects_that_show_nothing() {
    let folder = Folder::new();
    folder.write("shop.yaml", &PROJECT.replace("    status: running\n", ""));
    folder.write("nowhere.yaml", &PROJECT.replace("    pages: [home]\n", ""));
    folder.write("jquery.yaml", &PROJECT.replace("selector: h1", "selector: 'h1:eq(0)'"));

    let output = folder.assay(&["check", "shop.yaml", "nowhere.yaml", "jquery.yaml"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let first = "shop.yaml: project `shop` with 1 campaign is valid, and nothing runs\n";
    assert!(stdout(&output).starts_with(first), "{}", stdout(&output));
    insta::assert_snapshot!(stderr(&output));
}

#[test]
fn code_that_some_browsers_do_not_know_is_told_where_it_stands() {
    let folder = Folder::new();
    let code = "{type: javascript, value: {file: price.js}}";
    let text = "{type: text, selector: h1, value: Ship faster}";
    assert!(PROJECT.contains(text), "nothing to replace");
    folder.write("shop.yaml", &PROJECT.replace(text, code));
    folder.write("price.js", "const price =\n  /(?<=€)\\d+/.exec(document.title);\n");

    let output = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(
        told.starts_with("warning[newer_syntax]: browsers before Safari 16.4 do not know"),
        "{told}"
    );
    assert!(told.contains("price.js:2:3"), "{told}");
}

#[test]
fn check_finds_the_applications_that_the_server_would_refuse() {
    let told = faults_of(
        "campaigns:\n",
        "applications:\n  - client_id: reports\n    name: Reports\n    secret_env: SECRET\n    \
            redirect_uris: ['http://reports.example/callback']\n    scope: everything\ncampaigns:\n",
    );

    assert!(told.contains("redirect URI `http://reports.example/callback`: "), "{told}");
    assert!(told.contains("error[application]: the scope of an application"), "{told}");
    assert!(told.contains("shop.yaml:9:21") && told.contains("shop.yaml:10:12"), "{told}");
}

#[test]
fn typo_is_placed_and_the_nearest_name_given() {
    insta::assert_snapshot!(faults_of("        variations:", "        variatons:"));
}

#[test]
fn weights_above_the_whole_are_refused() {
    insta::assert_snapshot!(faults_of("weight: 5000}", "weight: 5001}"));
}

#[test]
fn dangling_reference_names_what_is_missing() {
    insta::assert_snapshot!(faults_of("pages: [home]", "pages: [hoem]"));
}

#[test]
fn duplicate_id_is_refused() {
    insta::assert_snapshot!(faults_of("id: \"5002\"", "id: \"5001\""));
}

#[test]
fn broken_javascript_is_placed_in_the_file() {
    insta::assert_snapshot!(faults_of(
        "              - {type: text, selector: h1, value: Ship faster}\n",
        "              - type: javascript\n                value: |\n                  const a = 1;\n                  if (a {\n",
    ));
}

#[test]
fn broken_regular_expression_is_placed_in_the_file() {
    insta::assert_snapshot!(faults_of(
        "match: simple, value: \"https://shop.example/\"",
        "match: regex, value: \"/shop/(\""
    ));
}

#[test]
fn all_faults_are_told_at_once() {
    let folder = Folder::new();
    let text =
        PROJECT.replace("pages: [home]", "pages: [hoem]").replace("weight: 5000}", "wieght: 5000}");
    folder.write("shop.yaml", &text);

    let output = folder.assay(&["check", "shop.yaml"]);

    insta::assert_snapshot!(stderr(&output));
}

#[test]
fn missing_file_is_wrong_input() {
    let output = Folder::new().assay(&["check", "nowhere.yaml"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("cannot read project file `nowhere.yaml`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn javascript_in_a_file_beside_is_checked_there() {
    let folder = Folder::new();
    folder.write("hero.js", "let a = 1;\nlet a = 2;\n");
    let change = "{type: text, selector: h1, value: Ship faster}";
    folder.write(
        "shop.yaml",
        &PROJECT.replace(change, "{type: javascript, value: {file: ./hero.js}}"),
    );

    let output = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("hero.js:"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn link_out_of_the_folder_is_not_followed() {
    let folder = Folder::new();
    let elsewhere = Folder::new();
    let secret = elsewhere.write("secret.js", "return 'secret'");
    std::os::unix::fs::symlink(secret, folder.path("hero.js")).unwrap();
    let change = "{type: text, selector: h1, value: Ship faster}";
    folder.write(
        "shop.yaml",
        &PROJECT.replace(change, "{type: javascript, value: {file: ./hero.js}}"),
    );

    let output = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("outside"), "{}", stderr(&output));
}

#[test]
fn a_pipe_is_no_file_to_name() {
    let folder = Folder::new();
    let change = "{type: text, selector: h1, value: Ship faster}";
    assert!(PROJECT.contains(change));
    let code = "{type: javascript, value: {file: ./hero.js}}";
    folder.write("shop.yaml", &PROJECT.replace(change, code));
    assert!(Command::new("mkfifo").arg(folder.path("hero.js")).status().unwrap().success());

    let output = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("it is not a regular file"), "{}", stderr(&output));
}

#[test]
fn standard_input_is_checked_and_its_line_shown() {
    let folder = Folder::new();
    folder.write("hero.js", "let a = 1;\nlet a = 2;\n");
    let change = "{type: text, selector: h1, value: Ship faster}";
    let text = PROJECT.replace(change, "{type: javascript, value: {file: ./hero.js}}");

    let output = folder.assay_reading(&text, &["check", "-"]);

    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(stderr(&output));
}

#[test]
fn each_of_several_files_is_told() {
    let folder = Folder::new();
    folder.write("good.yaml", PROJECT);
    folder.write("bad.yaml", &PROJECT.replace("pages: [home]", "pages: [hoem]"));

    let output = folder.assay(&["check", "bad.yaml", "good.yaml"]);

    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "good.yaml: project `shop` with 1 campaign is valid\n");
    assert!(stderr(&output).ends_with("bad.yaml: 1 error\n"), "{}", stderr(&output));
}

#[test]
fn a_file_that_cannot_be_read_is_told_beside_the_others_in_each_format() {
    let folder = Folder::new();
    folder.write("bad.yaml", &PROJECT.replace("pages: [home]", "pages: [hoem]"));
    let check = |format| {
        let output = folder.assay(&["check", "--format", format, "nowhere.yaml", ".", "bad.yaml"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stdout(&output) + &stderr(&output)
    };

    let (text, github) = (check("text"), check("github"));
    let json: Value = serde_json::from_str(&check("json")).unwrap();
    let sarif: Value = serde_json::from_str(&check("sarif")).unwrap();

    let message = "cannot read project file `nowhere.yaml`: ";
    assert!(text.contains(&format!("error[unreadable_file]: {message}")), "{text}");
    assert!(text.contains("there is no page `hoem`") && text.contains(".: 1 error"), "{text}");
    let first = format!("::error file=nowhere.yaml,title=unreadable_file::{message}");
    assert!(github.starts_with(&first) && github.contains("file=bad.yaml"), "{github}");
    assert_eq!(json["errors"], 3);
    assert_eq!(json["files"][0]["findings"][0]["code"], "unreadable_file");
    assert_eq!([&json["files"][0]["valid"], &json["files"][2]["valid"]], [false, false]);
    let results = &sarif["runs"][0]["results"];
    let location = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        location,
        &json!({"artifactLocation": {"uri": "nowhere.yaml"}, "region": {"startLine": 1}})
    );
    assert_eq!(results[2]["ruleId"], "dangling_reference");
}

#[test]
fn a_file_that_the_environment_withholds_is_told_and_is_no_wrong_input() {
    let folder = Folder::new();
    // Tests may run as root, whom no permission stops; a file in the place of a folder stops root, too.
    folder.write("bad.yaml", &PROJECT.replace("pages: [home]", "pages: [hoem]"));

    let output = folder.assay(&["check", "bad.yaml/shop.yaml", "bad.yaml"]);

    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("`hoem`"), "{told}");
    assert!(told.ends_with("error: not every file could be checked\n"), "{told}");
}

#[test]
fn lines_end_as_editors_of_any_system_end_them() {
    for end in ["\r\n", "\r"] {
        let folder = Folder::new();
        let text = PROJECT.replace("pages: [home]", "pages: [hoem]").replace('\n', end);
        folder.write("shop.yaml", &format!("\u{feff}{text}"));

        let output = folder.assay(&["check", "shop.yaml"]);

        let told = stderr(&output);
        assert!(told.contains("11 |     pages: [hoem]\n   |             ^^^^\n"), "{told}");
    }
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let folder = Folder::new();
    folder.write("shop.yaml", &PROJECT.replace("pages: [home]", "pages: [hoem]"));
    let is_coloured = |arguments: &[&str]| {
        let arguments = [&["check", "shop.yaml"], arguments].concat();
        stderr(&folder.assay_with("NO_COLOR", "", &arguments)).contains('\u{1b}')
    };

    assert!(!is_coloured(&[]), "a pipe is no terminal");
    assert!(!is_coloured(&["--color", "never"]));
    assert!(is_coloured(&["--color", "always"]));
}

/// A valid document with a warning.
fn with_a_warning() -> String {
    PROJECT.replace("weight: 5000}", "weight: 4000}")
}

#[test]
fn warnings_fail_if_strict() {
    let folder = Folder::new();
    folder.write("shop.yaml", &with_a_warning());

    let usual = folder.assay(&["check", "shop.yaml"]);
    let strict = folder.assay(&["check", "--strict", "shop.yaml"]);

    assert_eq!(usual.status.code(), Some(0), "{}", stderr(&usual));
    assert!(stderr(&usual).starts_with("warning["), "{}", stderr(&usual));
    assert_eq!(strict.status.code(), Some(1));
    let last = stderr(&strict);
    assert!(last.ends_with("error: there are warnings, and --strict allows none\n"), "{last}");
}

/// What `assay check` prints of a file with a fault and of one with a warning, in this format.
fn printed_in(format: &str) -> String {
    let folder = Folder::new();
    folder.write("bad.yaml", &PROJECT.replace("pages: [home]", "pages: [hoem]"));
    folder.write("so so.yaml", &with_a_warning());

    let output = folder.assay(&["check", "--format", format, "bad.yaml", "so so.yaml"]);

    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output), "", "programs read standard output");
    stdout(&output)
}

#[test]
fn programs_read_findings_as_json() {
    let report: Value = serde_json::from_str(&printed_in("json")).unwrap();

    assert_eq!([&report["errors"], &report["warnings"]], [1, 1]);
    let [bad, good] = [&report["files"][0], &report["files"][1]];
    assert_eq!([&bad["valid"], &good["valid"]], [false, true]);
    assert_eq!([&bad["project_id"], &good["project_id"]], [&Value::Null, &json!("1000")]);
    let finding = &bad["findings"][0];
    assert_eq!(finding["pointer"], "/campaigns/0/pages/0");
    assert_eq!(finding["place"], json!({"file": "bad.yaml", "line": 11, "column": 13}));
    assert_eq!(good["findings"][0]["severity"], "warning");
}

#[test]
fn github_marks_the_lines() {
    insta::assert_snapshot!(printed_in("github"));
}

#[test]
fn code_scanners_read_findings_as_sarif() {
    let report: Value = serde_json::from_str(&printed_in("sarif")).unwrap();

    let run = &report["runs"][0];
    let result = &run["results"][0];
    assert_eq!([&report["version"], &result["level"]], ["2.1.0", "error"]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["id"] == result["ruleId"]).unwrap();
    assert_eq!(rule["shortDescription"], json!({"text": "Dangling reference."}));
    assert_eq!(
        result["locations"][0]["physicalLocation"],
        json!({"artifactLocation": {"uri": "bad.yaml"}, "region": {"startLine": 11, "startColumn": 13, "endColumn": 17}})
    );
    let second = &run["results"][1]["locations"][0]["physicalLocation"];
    assert_eq!(second["artifactLocation"]["uri"], "so%20so.yaml");
}
