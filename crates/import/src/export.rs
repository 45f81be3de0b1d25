//! The files of an export: one object with a list for each kind of resource, or one file for each
//! kind (`pages.json`; in several parts, `experiments-1.json`, `experiments-2.json`).

use std::rc::Rc;

use domain::Pointer;
use serde_json::Value;
use thiserror::Error;

use crate::ExportLocation;
use crate::export_location::At;

/// A file of the export.
#[derive(Debug, Clone)]
pub struct ExportFile {
    /// Its name, without folders. It names the content, unless the file is the only one.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// An export that was read.
#[derive(Debug)]
pub struct Export {
    files: Vec<(ExportLocation, Content)>,
}

#[derive(Debug)]
enum Content {
    /// An object with a field for each kind of resource.
    All(Value),
    /// The resources of one kind.
    Of(&'static str, Value),
    /// The file's name is unknown to us.
    Unknown(Value),
}

/// Why an export cannot be read.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum UnreadableExport {
    /// There are no files.
    #[error(
        "the folder has no `.json` file, expected `projects.json`, `pages.json`, `experiments.json` and so on"
    )]
    Empty,
    /// A file is no JSON.
    #[error("{file}:{line}:{column}: not readable as JSON: {reason}")]
    NotJson {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        reason: String,
    },
    /// The only file does not name its content.
    #[error(
        "{file}: this is {found}, expected an object with `projects`, `pages`, `experiments` and so on\n  hint: a list that the API gave belongs into a folder, in a file named after it, such as `experiments.json`"
    )]
    NoKinds {
        /// The file.
        file: String,
        /// Its content.
        found: &'static str,
    },
}

/// The kinds of resources that we know.
pub(crate) const KINDS: &[&str] = &[
    "projects",
    "pages",
    "audiences",
    "attributes",
    "events",
    "campaigns",
    "experiments",
    "groups",
    "extensions",
    "list_attributes",
];

impl Export {
    /// Reads the files of an export.
    ///
    /// # Errors
    /// A file is no JSON, or no file names its content.
    pub fn read(files: &[ExportFile]) -> Result<Self, UnreadableExport> {
        let mut files = match files {
            [only] => vec![(place_of(&only.name), content_of_only(only)?)],
            files => files
                .iter()
                .map(|file| Ok((place_of(&file.name), content(file)?)))
                .collect::<Result<Vec<_>, _>>()?,
        };
        if files.is_empty() {
            return Err(UnreadableExport::Empty);
        }
        files.sort_by_key(|(location, _)| order_of(&location.file));
        Ok(Self { files })
    }

    /// All resources of a kind, in their order.
    pub(crate) fn resources(&self, kind: &'static str) -> Vec<At<'_>> {
        self.lists(kind).iter().flat_map(At::elements).collect()
    }

    /// The lists that hold resources of a kind.
    pub(crate) fn lists(&self, kind: &'static str) -> Vec<At<'_>> {
        self.files.iter().flat_map(|(location, content)| lists(location, content, kind)).collect()
    }

    /// The whole of each file.
    pub(crate) fn wholes(&self) -> impl Iterator<Item = At<'_>> {
        self.files.iter().map(|(location, content)| match content {
            Content::All(value) | Content::Of(_, value) | Content::Unknown(value) => {
                At { value, location: location.clone() }
            }
        })
    }

    /// The files whose names say nothing that we know.
    pub(crate) fn unknown_files(&self) -> impl Iterator<Item = At<'_>> {
        self.files.iter().filter_map(|(location, content)| match content {
            Content::Unknown(value) => Some(At { value, location: location.clone() }),
            Content::All(_) | Content::Of(..) => None,
        })
    }
}

/// The lists of a file that hold resources of a kind.
fn lists<'e>(location: &ExportLocation, content: &'e Content, kind: &'static str) -> Vec<At<'e>> {
    match content {
        Content::Of(of, value) if *of == kind => vec![At { value, location: location.clone() }],
        Content::All(value) => {
            let all = At { value, location: location.clone() };
            [kind, singular(kind)].iter().filter_map(|name| all.field(name)).collect()
        }
        Content::Of(..) | Content::Unknown(_) => Vec::new(),
    }
}

fn place_of(name: &str) -> ExportLocation {
    ExportLocation { file: Rc::from(name), pointer: Pointer::root() }
}

/// The content of one of several files.
fn content(file: &ExportFile) -> Result<Content, UnreadableExport> {
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let value: Value =
        crate::strict_json::read_json(text).map_err(|error| not_json(file, &error))?;
    let (stem, _) = name_and_number(&file.name);
    let kind = KINDS.iter().find(|kind| [**kind, singular(kind)].contains(&stem));
    let holds_kinds = value
        .as_object()
        .is_some_and(|fields| fields.keys().any(|name| KINDS.contains(&name.as_str())));
    Ok(match kind {
        Some(_) if holds_kinds => Content::All(value),
        Some(kind) => Content::Of(kind, value),
        None => Content::Unknown(value),
    })
}

/// The content of the only file, whatever its name.
fn content_of_only(file: &ExportFile) -> Result<Content, UnreadableExport> {
    let value = match content(file)? {
        Content::Unknown(value) => value,
        known @ (Content::All(_) | Content::Of(..)) => return Ok(known),
    };
    if value.is_object() {
        return Ok(Content::All(value));
    }
    let found = if value.is_array() { "a list" } else { "a single value" };
    Err(UnreadableExport::NoKinds { file: file.name.clone(), found })
}

fn not_json(file: &ExportFile, error: &serde_json::Error) -> UnreadableExport {
    let reason = error.to_string();
    let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
    UnreadableExport::NotJson {
        file: file.name.clone(),
        line: error.line(),
        column: error.column(),
        reason: reason.to_owned(),
    }
}

/// One resource of a kind; also how a list of one is called by some who write exports.
fn singular(kind: &str) -> &str {
    kind.strip_suffix('s').unwrap_or(kind)
}

/// `experiments-2.json` is the second part of `experiments`.
fn name_and_number(file: &str) -> (&str, u64) {
    let stem = file.strip_suffix(".json").unwrap_or(file);
    match stem.rsplit_once(['-', '_', '.']) {
        Some((name, number)) => match number.parse() {
            Ok(number) => (name, number),
            Err(_) => (stem, 0),
        },
        None => (stem, 0),
    }
}

/// Parts in the order of their numbers.
fn order_of(file: &str) -> (String, u64) {
    let (name, number) = name_and_number(file);
    (name.to_owned(), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)]) -> Result<Export, UnreadableExport> {
        let file = |(name, text): &(&str, &str)| ExportFile {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        };
        Export::read(&files.iter().map(file).collect::<Vec<_>>())
    }

    fn pages(export: &Export) -> Vec<String> {
        let line = |at: At<'_>| format!("{} {}", at.location, at.value);
        export.resources("pages").into_iter().map(line).collect()
    }

    #[test]
    fn parts_of_a_list_are_read_in_the_order_of_their_numbers() {
        let export =
            read(&[("pages-10.json", "[3]"), ("pages-2.json", "[1, 2]"), ("page.json", "4")]);

        assert_eq!(
            pages(&export.unwrap()),
            ["page.json 4", "pages-2.json: [0] 1", "pages-2.json: [1] 2", "pages-10.json: [0] 3"]
        );
    }

    #[test]
    fn one_file_holds_all_kinds() {
        let export = read(&[("shop.json", r#"{"page": {"id": 1}, "pages": [2]}"#)]).unwrap();

        assert_eq!(pages(&export), ["shop.json: pages[0] 2", r#"shop.json: page {"id":1}"#]);
    }

    #[test]
    fn an_unreadable_export_is_reported_with_file_and_line() {
        let error = |files: &[(&str, &str)]| read(files).unwrap_err().to_string();

        assert_eq!(
            error(&[("a.json", "{\n  1")]),
            "a.json:2:3: not readable as JSON: key must be a string"
        );
        assert!(error(&[("a.json", "[1]")]).starts_with("a.json: this is a list, expected"));
        assert!(error(&[]).starts_with("the folder has no `.json` file"));
    }
}
