//! Brings the text of a project file to what a project is now, and leaves the rest of it as its author wrote it: comments, order, quotes,
//! and references to files.
//!
//! `rewrite/differences.rs` compares what the text means with the project, `rewrite/layout.rs` finds the values in the text, and
//! `rewrite/edits.rs` changes them there. `rewrite/made_ids.rs` adds the ids that the changed text does not make of its keys. What comes out
//! is read again, so that it never means anything else than the project.

mod differences;
mod edits;
mod layout;
mod made_ids;

use std::collections::HashMap;

use serde_json::Value;

use super::brief::brief;
use super::{FileReader, Locations, SharedDocument, Source, parse, parse_shared};
use crate::Project;
use differences::{Change, Differences, FileUse};
use layout::layout;
use made_ids::ids_to_say;

/// An id in the text can change what its keys make of others, such as of variations in experiments that share a key.
const ROUNDS_AT_MOST: usize = 4;

/// JSON is read as well under this name.
const NAME: &str = "project.yaml";

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of a project file that means a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The text.
    pub text: String,
    /// The files that it refers to no more: their texts are in it.
    pub inlined: Vec<String>,
    /// The lines of the earlier text whose comments went with the values around them, from 1.
    pub lost_comments: Vec<usize>,
}

/// Changes the text of a project file where it does not mean `project`. `keeps` gets each file that the text refers to, with the text that the
/// project has in its place, and says whether the reference stays; a path comes once for each reference. `None` if the text cannot be
/// changed in place.
pub fn rewrite(
    text: &str,
    project: &Project,
    keeps: impl FnMut(&str, &str) -> bool,
) -> Option<Rewritten> {
    let wanted = serde_json::to_value(project).ok()?;
    let known = SharedDocument::of_project(project);
    let (locations, meant) = meaning(text, &known, &Unread)?;
    let short = brief(wanted.clone());
    let Differences { mut changes, files } =
        Differences::between(&meant, (&wanted, &short), &locations);
    let (kept, inlined) = keep_files(files, &mut changes, keeps);
    let mut rewritten = edited(text, &changes, inlined)?;
    if !changes.is_empty() {
        rewritten.text = with_ids(rewritten.text, &wanted, &kept)?;
    }
    let (_, meant) = meaning(&rewritten.text, &known, &kept)?;
    (meant == wanted).then_some(rewritten)
}

/// Which references stay; of the others, the texts come into the document.
fn keep_files<'v>(
    files: Vec<FileUse<'v>>,
    changes: &mut Vec<Change<'v>>,
    mut keeps: impl FnMut(&str, &str) -> bool,
) -> (ProjectFiles, Vec<String>) {
    let (mut kept, mut inlined) = (HashMap::<String, String>::new(), Vec::new());
    for FileUse { at, path, text, value } in files {
        let is_free = kept.get(&path).is_none_or(|known| known == text);
        if is_free && keeps(&path, text) {
            kept.insert(path, text.to_owned());
        } else {
            changes.push(Change::Set(at, value));
            inlined.push(path);
        }
    }
    inlined.sort_unstable();
    inlined.dedup();
    (ProjectFiles(kept), inlined)
}

fn edited(text: &str, changes: &[Change<'_>], inlined: Vec<String>) -> Option<Rewritten> {
    if changes.is_empty() {
        let (text, lost_comments) = (text.to_owned(), Vec::new());
        return Some(Rewritten { text, inlined, lost_comments });
    }
    let bare = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mark = &text[..text.len() - bare.len()];
    let (edited, lost_comments) = edits::apply(bare, &layout(bare)?, changes)?;
    Some(Rewritten { text: format!("{mark}{edited}"), inlined, lost_comments })
}

/// The text with the ids that it does not make of its keys.
fn with_ids(mut text: String, wanted: &Value, files: &dyn FileReader) -> Option<String> {
    for _ in 0..ROUNDS_AT_MOST {
        let alone = parse(&Source { name: NAME, text: &text, files }).ok()?.project;
        let alone = serde_json::to_value(alone).ok()?;
        let ids = ids_to_say(&alone, wanted);
        if ids.is_empty() {
            return Some(text);
        }
        text = edited(&text, &ids, Vec::new())?.text;
    }
    None
}

/// What a text means beside a project: as it would be after applying it.
fn meaning(
    text: &str,
    known: &SharedDocument,
    files: &dyn FileReader,
) -> Option<(Locations, Value)> {
    let parsed = parse(&Source { name: NAME, text, files }).ok()?;
    let mut document = SharedDocument::of(parsed.as_written()).ok()?;
    document.adopt(known);
    let (project, _) = parse_shared(&document).ok()?;
    Some((parsed.locations, serde_json::to_value(&project).ok()?))
}

/// Files of which only the names matter yet.
struct Unread;

impl FileReader for Unread {
    fn read(&self, relative: &str) -> Result<String, String> {
        Ok(relative.to_owned())
    }
}

/// Files that have the project's texts.
struct ProjectFiles(HashMap<String, String>);

impl FileReader for ProjectFiles {
    fn read(&self, relative: &str) -> Result<String, String> {
        self.0.get(relative).cloned().ok_or_else(|| "it is not kept".to_owned())
    }
}
