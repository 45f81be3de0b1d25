//! What a file of the runtime exports can be found by its name.

use super::Finding;
use crate::source_file::{SourceFile, numbered};

const FOLDER: &str = "runtime/src/";

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.path().starts_with(FOLDER) {
        return Vec::new();
    }
    let lines = numbered(file.code()).filter(|(_, line)| line.starts_with("export default"));
    let finding = |(number, _)| {
        Finding::in_file(file, number, "a default export has no name to find it by; export by name")
    };
    lines.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    const PATH: &str = "runtime/src/main.ts";

    #[test]
    fn default_exports_are_objected_to() {
        assert_eq!(lines(check, PATH, "const a = 1;\nexport default a;\n"), [2]);
        assert_eq!(lines(check, PATH, "export const a = 1;\nexport const b = 1;\n"), NONE);
        assert_eq!(lines(check, "e2e/a.mjs", "export default 1;\n"), NONE);
    }
}
