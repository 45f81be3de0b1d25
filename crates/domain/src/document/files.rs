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
        let relative = within_folder(path)
            .ok_or_else(|| format!("`{path}` leads out of the document's folder"))?;
        let text = self
            .reader
            .read(relative)
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

/// The path without a leading `./`, if it stays in the folder on every operating system: no drive,
/// no root, no `..`.
pub(super) fn within_folder(path: &str) -> Option<&str> {
    let relative = path.strip_prefix("./").unwrap_or(path);
    let is_plain = !relative.contains(['\\', ':', '\0']);
    let stays = relative.split('/').all(|step| !matches!(step, "" | "." | ".."));
    (is_plain && stays).then_some(relative)
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
    fn a_path_stays_in_the_folder() {
        assert_eq!(within_folder("./hero.js"), Some("hero.js"));
        assert_eq!(within_folder("code/hero.js"), Some("code/hero.js"));
        assert_eq!(within_folder("..hero.js"), Some("..hero.js"));
        for path in [
            "",
            "./",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "a/./b",
            "C:\\x",
            "c:x",
            "\\\\host\\x",
            "a\0",
        ] {
            assert_eq!(within_folder(path), None, "{path}");
        }
    }
}
