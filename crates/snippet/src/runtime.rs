//! The in-page runtime as one JavaScript text: `runtime/src/**/*.ts`, embedded in the binary and linked once per process.

use std::sync::OnceLock;

use crate::link::{self, Module};

/// Every module below `runtime/src`, by its path there. `build.rs` writes the list.
const MODULES: &[Module] = include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// Where the program starts.
const ENTRY: &str = "main.ts";

/// The linked runtime: no imports, no types, feature constants still open, without the constants that `config.rs` writes.
pub(crate) fn linked() -> &'static str {
    static LINKED: OnceLock<String> = OnceLock::new();
    LINKED.get_or_init(|| {
        link::link(MODULES, ENTRY).expect("the embedded runtime links: a unit test proves it")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_runtime_links() {
        let linked = link::link(MODULES, ENTRY).unwrap();

        assert!(
            linked.contains("__CHANGE_TEXT__"),
            "feature constants stay open until a project is compiled"
        );
        assert!(!linked.contains("import "), "no import is left");
    }
}
