//! `assay check`.

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
fn good_file_passes() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let output = folder.assay(&["check", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "shop.yaml: project `shop` with 1 campaign is valid\n");
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
