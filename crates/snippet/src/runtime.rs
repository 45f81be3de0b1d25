//! The in-page runtime as one JavaScript text: `runtime/src/**/*.ts`, embedded in the binary and linked once per process.

use std::sync::OnceLock;

use crate::features::Feature;
use crate::link::{self, Module};

/// Every module below `runtime/src`, by its path there. `build.rs` writes the list.
const MODULES: &[Module] = include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// Where the program starts.
const ENTRY: &str = "main.ts";

/// Where the program of the visual editor starts: it contains the other.
const EDITOR_ENTRY: &str = "editorMain.ts";

/// The linked runtime: no imports, no types, feature constants still open, without the constants that `config.rs` writes.
pub(crate) fn linked() -> &'static str {
    static LINKED: OnceLock<String> = OnceLock::new();
    LINKED.get_or_init(|| {
        let linked = link::link(MODULES, ENTRY);
        with_own_names(&linked.expect("the embedded runtime links: a unit test proves it"))
    })
}

/// The linked runtime with the visual editor.
pub(crate) fn linked_editor() -> &'static str {
    static LINKED: OnceLock<String> = OnceLock::new();
    LINKED.get_or_init(|| {
        let linked = link::link(MODULES, EDITOR_ENTRY);
        with_own_names(&linked.expect("the embedded editor links: a unit test proves it"))
    })
}

/// The name of a feature constant in a program: a page may well have a `__DATA__` of its own, which the member's code can ask for.
pub(crate) fn own_name(constant: &str) -> String {
    format!("{constant}$assay")
}

fn is_feature(name: &str) -> bool {
    Feature::ALL.iter().any(|feature| feature.constant() == name)
}

fn with_own_names(linked: &str) -> String {
    let mut named = String::with_capacity(linked.len() + 8 * 1024);
    let mut from = 0;
    while let Some(at) = linked[from..].find("__").map(|found| from + found) {
        let is_of_name = |character: char| character == '_' || character.is_ascii_alphanumeric();
        let end = linked[at..].find(|character| !is_of_name(character));
        let end = end.map_or(linked.len(), |length| at + length);
        named.push_str(&linked[from..at]);
        let name = &linked[at..end];
        named.push_str(&if is_feature(name) { own_name(name) } else { name.to_owned() });
        from = end;
    }
    named.push_str(&linked[from..]);
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_runtime_links() {
        link::link(MODULES, ENTRY).unwrap();
        link::link(MODULES, EDITOR_ENTRY).unwrap();
        let linked = linked();

        assert!(
            linked.contains("__CHANGE_TEXT__$assay"),
            "feature constants stay open until a project is compiled"
        );
        assert!(!linked.contains("import "), "no import is left");
    }

    #[test]
    fn no_public_name_ends_as_fields_of_ours_do() {
        let types = include_str!("../../../runtime/types/index.d.ts");
        let mut words = types.split(|it: char| !(it.is_ascii_alphanumeric() || it == '_'));

        assert_eq!(words.find(|word| word.ends_with('_') && !word.starts_with('_')), None);
    }
}
