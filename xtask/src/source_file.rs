//! One text file of the repository, and what a rule wants to know about it.

use crate::rust_text::{Stretch, only};

/// A file that git tracks or would track, with its path from the root of the repository.
pub(crate) struct SourceFile {
    path: String,
    text: String,
    code: String,
}

impl SourceFile {
    pub(crate) fn new(path: &str, text: impl Into<String>) -> Self {
        let text = text.into();
        let is_rust = extension(path) == "rs";
        let code = if is_rust { only(Stretch::Code, &text) } else { script_code(&text) };
        Self { path: path.to_owned(), text, code }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text without comments, and for Rust without literals; lines stay where they are.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The part of a Rust file that is only compiled for tests, as lines with their numbers.
    pub(crate) fn test_code(&self) -> impl Iterator<Item = (usize, &str)> {
        let production = self.production_lines();
        numbered(&self.code).skip(production)
    }

    /// How many lines come before the tests: all, if there are none; none in a test file.
    pub(crate) fn production_lines(&self) -> usize {
        if self.is_test() {
            return 0;
        }
        let is_test_module = |line: &str| line.trim_start().starts_with("#[cfg(test)]");
        self.code.lines().take_while(|line| !is_test_module(line)).count()
    }

    /// The name without folders and without anything after the first dot.
    pub(crate) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.split('.').next().unwrap_or(name)
    }

    /// What comes after the last dot of the path.
    pub(crate) fn extension(&self) -> &str {
        extension(&self.path)
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.extension() == "rs"
    }

    /// TypeScript or JavaScript.
    pub(crate) fn is_script(&self) -> bool {
        matches!(self.extension(), "ts" | "mjs" | "js")
    }

    /// Whether the whole file is a test, or serves tests only.
    pub(crate) fn is_test(&self) -> bool {
        let is_test_folder = |folder| matches!(folder, "tests" | "test" | "e2e");
        self.path.split('/').any(is_test_folder) || self.path.contains(".test.")
    }
}

/// The lines of a text with their numbers, counted from one.
pub(crate) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Good enough for the few words the rules look for: a line is a comment from its start, or from
/// two slashes after a space.
fn script_code(text: &str) -> String {
    let code = |line: &str| {
        let trimmed = line.trim_start();
        let is_comment = ["//", "/*", "*"].iter().any(|opening| trimmed.starts_with(opening));
        if is_comment { String::new() } else { line.split(" //").next().unwrap_or("").to_owned() }
    };
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::SourceFile;

    #[test]
    fn tests_are_told_by_folder_and_by_attribute() {
        assert!(SourceFile::new("crates/a/tests/it/b.rs", "").is_test());
        assert!(SourceFile::new("e2e/stories/visitor.mjs", "").is_test());
        assert!(!SourceFile::new("crates/a/src/attests.rs", "").is_test());

        let file = SourceFile::new("crates/a/src/b.rs", "fn a() {}\n#[cfg(test)]\nmod tests {}\n");
        assert_eq!(file.production_lines(), 1);
        assert_eq!(file.test_code().next(), Some((2, "#[cfg(test)]")));
    }

    #[test]
    fn comments_of_scripts_are_no_code() {
        let file = SourceFile::new("a.ts", "/** any */\nconst a = 1; // any\n * any\n");
        assert_eq!(file.code(), "\nconst a = 1;\n");
    }
}
