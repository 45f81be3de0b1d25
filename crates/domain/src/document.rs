//! Reads a project document: turns a text into a valid [`Project`], or reports every fault at once.
//!
//! `json.rs` and `yaml.rs` turn the text into a tree (`tree.rs`) in which every value knows where it stands. The decoders walk the tree
//! with a `Reader` (`reader.rs`) and collect faults: `project.rs` first, then one file for each kind of resource.

mod address_text;
mod addresses;
mod adopted;
mod applications;
mod as_written;
mod audiences;
mod behavior;
mod brief;
mod builder;
mod campaign_metrics;
mod campaigns;
mod change_order;
mod changes;
mod code_text;
mod condition_references;
mod condition_rules;
mod conditions;
mod cycle;
mod dto;
mod events;
mod experiments;
mod faults;
mod fields;
mod files;
mod free_ids;
mod groups;
mod identity;
mod integrations;
mod json;
mod lines;
mod locations;
mod metrics;
mod mistaken;
mod names;
mod nearest;
mod never_holds;
mod operators;
mod pages;
mod pattern_text;
mod plans;
mod project;
mod quoted;
mod reader;
mod rewrite;
mod same_names;
mod scalars;
mod schedules;
mod schema;
mod seen;
mod selectors;
mod settings;
mod shared_document;
mod styles;
mod to_yaml;
mod tree;
mod unseen;
mod value;
mod version_text;
mod write;
mod yaml;
mod yaml_text;

use std::path::Path;

pub use locations::Locations;
pub use nearest::nearest;
pub use rewrite::{Rewritten, rewrite};
pub(crate) use scalars::percent;
pub use schema::json_schema;
pub use shared_document::SharedDocument;

use serde_json::Value;

use builder::Grown;
use faults::Faults;
use files::Files;
use reader::{At, Reader};
use tree::{Mark, Node};

use crate::limits::MAX_DOCUMENT_BYTES;
use crate::{Fault, Kind, Pointer, Project, Severity};

/// A document to read.
pub struct Source<'a> {
    /// The file's name, as faults show it.
    pub name: &'a str,
    /// The whole text, YAML 1.2 or JSON.
    pub text: &'a str,
    /// Reads the files that the document refers to as `{file: ./hero.js}`.
    pub files: &'a dyn FileReader,
}

/// Reads the files beside a document.
pub trait FileReader {
    /// The text of a file in the document's folder. The path `relative` never leads out of the folder; the implementor must check links.
    ///
    /// # Errors
    /// Why the file cannot be read, in words for the author.
    fn read(&self, relative: &str) -> Result<String, String>;
}

/// Refuses every file: the document came over the network or from storage.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl FileReader for NoFiles {
    fn read(&self, _relative: &str) -> Result<String, String> {
        Err("this document may not refer to files".to_owned())
    }
}

/// A document that was read.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The project.
    pub project: Project,
    /// What works, but perhaps not as the author meant.
    pub warnings: Vec<Fault>,
    /// Where each value stands in the text.
    pub locations: Locations,
}

/// Reads a project document.
///
/// # Errors
/// Everything that is wrong with it: errors first, then warnings, each in the order of the text.
pub fn parse(source: &Source<'_>) -> Result<Parsed, Vec<Fault>> {
    let source = &Source { text: without_mark(source.text), ..*source };
    let mut faults = Faults::new(Some(source.name));
    let Some(root) = grow(source, &mut faults) else { return Err(faults.finish(None)) };
    let (project, warnings) = decode(&root, faults, source.files, &NONE_SPENT)?;
    let locations = Locations::new(source.name, source.text, root);
    Ok(Parsed { project, warnings, locations })
}

/// A JSON text that was read, on any subject.
#[derive(Debug, Clone)]
pub struct ParsedJson {
    /// The value.
    pub value: Value,
    /// Where each part of it stands in the text.
    pub locations: Locations,
}

/// The text without the byte order mark that some editors and languages begin with; parsers may ignore it (RFC 8259 section 8.1).
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads any JSON text; faults call it `name`. Returns what it could read, and what is wrong: of a repeated field, it reads the first.
#[must_use]
pub fn parse_json(name: &str, text: &str) -> (Option<ParsedJson>, Vec<Fault>) {
    let (mut faults, text) = (Faults::new(Some(name)), without_mark(text));
    let (Ok(grown) | Err(grown)) = json::read(text);
    grown.faults.into_iter().for_each(|(mark, fault)| faults.push(mark, fault));
    let json = grown.root.map(|root| {
        let value = root.to_value();
        ParsedJson { value, locations: Locations::new(name, text, root) }
    });
    (json, faults.finish(None))
}

/// Reads a project document in memory, such as a stored draft after an edit: returns the project and its warnings. The document may not
/// refer to files.
///
/// # Errors
/// Everything that is wrong with it, in the order of the document. Faults have no place in a file.
pub fn parse_value(document: &Value) -> Result<(Project, Vec<Fault>), Vec<Fault>> {
    let root = value::grow(document).map_err(|fault| vec![*fault])?;
    decode(&root, Faults::new(None), &NoFiles, &NONE_SPENT)
}

/// The same for a document with shared resources.
///
/// # Errors
/// Everything that is wrong with it, in the order of the document. Faults have no place in a file.
pub fn parse_shared(document: &SharedDocument) -> Result<(Project, Vec<Fault>), Vec<Fault>> {
    parse_shared_anew(document, &NONE_SPENT)
}

/// The same, and a resource without an id gets none that is spent: it is a new one, whatever had its key before.
///
/// # Errors
/// Everything that is wrong with it, in the order of the document. Faults have no place in a file.
pub fn parse_shared_anew(
    document: &SharedDocument,
    is_spent: &dyn Fn(Kind, u64) -> bool,
) -> Result<(Project, Vec<Fault>), Vec<Fault>> {
    let root = value::grow_shared(document).map_err(|fault| vec![*fault])?;
    decode(&root, Faults::new(None), &NoFiles, is_spent)
}

/// In what people write, the same key means the same resource, and so the same id.
const NONE_SPENT: fn(Kind, u64) -> bool = |_, _| false;

/// The project of a tree and its warnings, unless there are errors, from before or now.
fn decode(
    root: &Node<'_>,
    faults: Faults<'_>,
    files: &dyn FileReader,
    is_spent: &dyn Fn(Kind, u64) -> bool,
) -> Result<(Project, Vec<Fault>), Vec<Fault>> {
    let mut reader = Reader::new(At::root(root), (faults, Files::new(files)), is_spent);
    let project = project::project(&mut reader, &At::root(root));
    let faults = reader.faults.finish(Some(root));
    let is_valid = faults.iter().all(|fault| fault.severity == Severity::Warning);
    match project {
        Ok(project) if is_valid => Ok((project, faults)),
        _ => Err(faults),
    }
}

/// The tree of a document, if its text can be read.
fn grow(source: &Source<'_>, faults: &mut Faults<'_>) -> Option<Node<'static>> {
    let root = Pointer::root();
    if source.text.len() > MAX_DOCUMENT_BYTES {
        let message = format!("the document has {} bytes", source.text.len());
        let fault = Fault::error("document_too_long", root, message)
            .expected(format!("{MAX_DOCUMENT_BYTES} at most"));
        faults.push(Mark::START, fault);
        return None;
    }
    let grown = read(source);
    if grown.root.is_none() && grown.faults.is_empty() {
        faults.push(Mark::START, Fault::error("empty", root, "the document is empty"));
    }
    grown.faults.into_iter().for_each(|(mark, fault)| faults.push(mark, fault));
    grown.root
}

/// A text that looks like JSON may still be YAML in braces, unless the file's name says otherwise.
fn read(source: &Source<'_>) -> Grown {
    let extension = Path::new(source.name).extension();
    let is_json = extension.is_some_and(|extension| extension == "json");
    if !is_json && !source.text.trim_start().starts_with('{') {
        return yaml::read(source.text);
    }
    match json::read(source.text) {
        Ok(grown) => grown,
        Err(grown) if is_json => grown,
        Err(_) => yaml::read(source.text),
    }
}
