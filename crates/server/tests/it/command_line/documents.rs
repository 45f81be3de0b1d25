//! The examples in the documents, run as they stand: whole project documents are valid, and commands print what it says below them.

use std::fs;
use std::path::{Path, PathBuf};

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

/// With the mistake that the documents show.
fn misspelt(project: &str) -> String {
    project.replace("pages: [home]", "pages: [hoem]")
}
