//! Each source file begins with its purpose.

use super::Finding;
use crate::source_file::SourceFile;

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    let opening = match (file.is_rust(), file.is_script()) {
        (true, _) => "//!",
        (_, true) => "/**",
        _ => return Vec::new(),
    };
    // A script that can be run by its name has its interpreter in the first line.
    let first = file.text().lines().find(|line| !line.starts_with("#!/")).unwrap_or("");
    if first.starts_with(opening) {
        return Vec::new();
    }
    let message =
        format!("no header; open with `{opening}`: what the file is for, where to look next");
    vec![Finding::in_file(file, 1, message)]
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn a_source_file_opens_with_its_header() {
        assert_eq!(lines(check, "a.rs", "//! A.\n"), NONE);
        assert_eq!(lines(check, "a.rs", "use b;\n"), [1]);
        assert_eq!(lines(check, "a.ts", "/** A. */\n"), NONE);
        assert_eq!(lines(check, "a.mjs", "#!/usr/bin/env node\n/** A. */\n"), NONE);
        assert_eq!(lines(check, "a.mjs", ""), [1]);
    }

    #[test]
    fn other_files_need_none() {
        assert_eq!(lines(check, "a.css", "p {}\n"), NONE);
    }
}
