//! The examples in the documents, run as they stand: whole project documents are valid, and commands print what it says below them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::binary::{Folder, stderr, stdout};

/// `README.md` and `docs/*.md`.
fn documents() -> Vec<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = vec![repository.join("README.md")];
    documents.extend(
        fs::read_dir(repository.join("docs"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "md")),
    );
    documents
}

/// The blocks of code in one language, of all documents.
pub(crate) fn blocks(language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(document).unwrap();
        let parts = text.split("\n```").skip(1).step_by(2);
        let of_language = parts.filter_map(|part| part.strip_prefix(language)?.strip_prefix('\n'));
        blocks.extend(of_language.map(|block| format!("{block}\n")));
    }
    blocks
}

/// Blocks that are project documents from their first line on.
fn projects() -> Vec<String> {
    blocks("yaml").into_iter().filter(|block| block.starts_with("version: 1\n")).collect()
}

/// The project of the README, which most documents go on with.
fn shop() -> String {
    projects().into_iter().next().expect("the README shows a project")
}

#[test]
fn each_project_document_in_the_documents_is_valid() {
    let projects = projects();
    assert!(projects.len() >= 2);

    for project in projects {
        let folder = Folder::new();
        folder.write("shop.yaml", &project);

        let output = folder.assay(&["check", "shop.yaml"]);

        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{project}");
    }
}

/// Commands that need a server, or make a secret, cannot be compared.
#[test]
fn each_command_in_the_documents_prints_what_they_show() {
    let mut compared = 0;
    for block in blocks("console") {
        let (command, shown) = block.split_once('\n').unwrap();
        let Some(arguments) = command.strip_prefix("$ assay ") else { continue };
        let project = match arguments.split(' ').next() {
            Some("check") => misspelt(&shop()),
            Some("decide") => shop(),
            _ => continue,
        };
        let folder = Folder::new();
        folder.write("shop.yaml", &project);

        let output = folder.assay(&arguments.split(' ').collect::<Vec<_>>());

        let printed = stdout(&output) + &stderr(&output);
        assert_eq!(printed.trim_end(), shown.trim_end(), "{command}");
        compared += 1;
    }
    assert_eq!(compared, 3);
}

/// The bytes of a project's snippet, by brotli.
fn brotli_bytes(project: &str) -> u64 {
    let folder = Folder::new();
    folder.write("shop.yaml", project);
    let report = folder.assay(&["compile", "shop.yaml", "--report", "json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    report["bytes"]["brotli"].as_u64().unwrap()
}

/// As people write them: each with words, a place and a promise of its own.
const EXPERIMENTS: [(&str, &str, &str); 8] = [
    ("Checkout trust badge", "#checkout .total", "Free returns for 30 days"),
    ("Newsletter teaser", "footer form > p", "One mail a month, no spam"),
    ("Category headline", ".category h1", "Made to last, priced to love"),
    ("Product call to action", ".product .buy", "Add to basket"),
    ("Delivery promise", "[data-role=delivery]", "Order by 4 pm, have it tomorrow"),
    ("Search placeholder", "header .search label", "What are you looking for?"),
    ("Basket reminder", ".basket-note", "Your basket waits for you"),
    ("Review summary", ".reviews > strong", "Rated 4.8 by 2,143 customers"),
];

#[test]
fn the_figures_of_the_readme_are_those_of_the_compiler() {
    let shop = shop();
    let full = brotli_bytes(&shop);
    let small = brotli_bytes(
        &shop.replace("name: Shop}", "name: Shop, snippet: {data: false, utils: false}}"),
    );
    let further = EXPERIMENTS.map(|(name, selector, text)| {
        format!(
            "  - {{name: {name}, type: ab_test, status: running, pages: [home], experiments: [{{name: {name}, variations: \
             [{{name: Original, weight: 5000}}, {{name: New, weight: 5000, changes: [{{type: text, selector: {selector:?}, value: {text:?}}}]}}]}}]}}\n"
        )
    });
    let two = brotli_bytes(&format!("{shop}{}", further[0]));
    let all = brotli_bytes(&format!("{shop}{}", further.concat()));
    let each = (all - two) / (EXPERIMENTS.len() - 1) as u64;

    let readme = readme();
    let told = |before: &str, unit: &str| -> f64 {
        let (_, after) = readme.split_once(before).expect(before);
        after.split_once(unit).expect(unit).0.parse().expect(before)
    };

    assert_about(told("The A/B test below is ", " kB (brotli), ") * 1000.0, full, 100);
    assert_about(
        told(" kB (brotli), ", " kB without the modules for analytics code") * 1000.0,
        small,
        100,
    );
    assert_about(told("its own names and texts adds some ", " bytes"), two - full, 20);
    assert_about(told(" bytes, each further one some ", "."), each, 10);
}

/// A figure for readers stays true while the runtime changes by a few bytes.
#[track_caller]
fn assert_about(told: f64, measured: u64, tolerance: u32) {
    let differ = (told - f64::from(u32::try_from(measured).unwrap())).abs();
    assert!(differ <= f64::from(tolerance), "the README says {told} bytes for {measured}");
}

#[test]
fn the_ids_of_the_readme_are_those_of_its_project() {
    let folder = Folder::new();
    folder.write("shop.yaml", &shop());
    let decided = |visitor: &str| -> Value {
        let url = "https://shop.example/";
        let told =
            folder.assay(&["decide", "shop.yaml", "--visitor", visitor, "--url", url, "--json"]);
        serde_json::from_slice(&told.stdout).unwrap()
    };
    let answers = ["ada", "bob", "cleo", "dan", "eve", "fay"].map(decided);
    let campaign = answers
        .iter()
        .map(|answer| &answer["campaigns"][0])
        .find(|campaign| campaign["variation"]["key"] == "short")
        .unwrap();

    let readme = readme();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (experiment, variation) =
        (text(&campaign["experiment"]["id"]), text(&campaign["variation"]["id"]));
    for told in [
        format!("// [\"{experiment}\"]"),
        format!("// {{\"{experiment}\": {{id: \"{variation}\", name: \"Short\", index: 1}}}}"),
        format!("getDecisionString({{campaignId: \"{}\"}});", text(&campaign["id"])),
        format!("// \"{}\"", text(&campaign["decision_string"])),
    ] {
        assert!(readme.contains(&told), "the README should say: {told}");
    }
}

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    fs::read_to_string(path).unwrap()
}

/// With the mistake that the documents show.
fn misspelt(project: &str) -> String {
    project.replace("pages: [home]", "pages: [hoem]")
}
