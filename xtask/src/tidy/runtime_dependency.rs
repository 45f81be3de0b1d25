//! The runtime depends on nothing: whatever ships in the page is ours.

use super::Finding;
use crate::source_file::{SourceFile, numbered};

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if file.path() != "runtime/package.json" {
        return Vec::new();
    }
    numbered(file.text())
        .filter(|(_, line)| line.trim_start().starts_with("\"dependencies\""))
        .map(|(number, _)| {
            Finding::in_file(
                file,
                number,
                "the runtime has no dependency; tools are `devDependencies`",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn only_tools_are_depended_on() {
        let manifest = |key| format!("{{\n  \"{key}\": {{}}\n}}\n");
        assert_eq!(lines(check, "runtime/package.json", &manifest("devDependencies")), NONE);
        assert_eq!(lines(check, "runtime/package.json", &manifest("dependencies")), [2]);
    }
}
