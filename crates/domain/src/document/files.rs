//! Reads texts that a document keeps in files beside it: `{file: ./hero.js}`.

use super::FileReader;
use crate::limits::MAX_DOCUMENT_BYTES;

/// Reads the files of one document, within its folder and the limits.
pub(super) struct Files<'a> {
    reader: &'a dyn FileReader,
    bytes: usize,
}

impl<'a> Files<'a> {
    /// Starts with no file read.
    pub(super) fn new(reader: &'a dyn FileReader) -> Self {
        Self { reader, bytes: 0 }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// Why it cannot be read, in words for the author.
    pub(super) fn read(&mut self, path: &str) -> Result<String, String> {
        if path.contains('\\') {
            return Err(format!("`{path}` has a `\\`: write `/` between folders and files"));
        }
        let relative = within_folder(path)
            .ok_or_else(|| format!("`{path}` leads out of the document's folder"))?;
        let text = self
            .reader
            .read(&relative)
            .map_err(|reason| format!("cannot read `{path}`: {reason}"))?;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > MAX_DOCUMENT_BYTES {
            return Err(format!("the files hold more than {MAX_DOCUMENT_BYTES} bytes together"));
        }
        // Some editors begin a file with it; in CSS it would be a part of the first selector.
        match text.strip_prefix('\u{feff}') {
            Some(rest) => Ok(rest.to_owned()),
            None => Ok(text),
        }
    }
}

/// The path from the folder, without `.` and `..`, if it stays in the folder on every operating system: no drive and no root.
pub(super) fn within_folder(path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains(['\\', ':', '\0']) {
        return None;
    }
    let mut steps = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()?),
            step => steps.push(step),
        }
    }
    (!steps.is_empty()).then(|| steps.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Marked;

    impl FileReader for Marked {
        fn read(&self, _: &str) -> Result<String, String> {
            Ok("\u{feff}.hero{color:red}".to_owned())
        }
    }

    #[test]
    fn a_mark_of_the_byte_order_is_no_part_of_the_text() {
        assert_eq!(Files::new(&Marked).read("hero.css"), Ok(".hero{color:red}".to_owned()));
    }

    #[test]
    fn a_path_of_windows_is_told_how_to_be_written() {
        let told = Files::new(&Marked).read(".\\code\\hero.js").unwrap_err();

        assert_eq!(told, "`.\\code\\hero.js` has a `\\`: write `/` between folders and files");
    }

    #[test]
    fn a_path_stays_in_the_folder() {
        for (path, expected) in [
            ("./hero.js", "hero.js"),
            ("code/hero.js", "code/hero.js"),
            ("..hero.js", "..hero.js"),
            ("./code/../code/hero.js", "code/hero.js"),
            ("a//b", "a/b"),
            ("a/./b", "a/b"),
        ] {
            assert_eq!(within_folder(path).as_deref(), Some(expected), "{path}");
        }
        for path in [
            "",
            "./",
            "a/..",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "C:\\x",
            "c:x",
            "\\\\host\\x",
            "a\0",
        ] {
            assert_eq!(within_folder(path), None, "{path}");
        }
    }
}
