//! Which project of the export is imported.

use serde_json::Value;
use thiserror::Error;

use crate::Export;
use crate::export::KINDS;
use crate::export_location::At;
use crate::identity::{can_be_kept, id_text};

/// Why no project of the export can be imported.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum Unsuitable {
    /// The export has neither a project nor a value that names one.
    #[error(
        "the export has no project, and nothing in it has a `project_id`\n  hint: add `projects.json`, the answer to `GET /v2/projects` of Optimizely; docs/guides/moving.md says how to move from another tool"
    )]
    NoProject,
    /// There is nothing that Optimizely's exports consist of.
    #[error(
        "this is not an Optimizely export: it has no `projects`, `pages`, `experiments` and so on\n  hint: exports of other tools are not imported; docs/guides/moving.md says how to move"
    )]
    OfAnotherTool,
    /// The export has several projects, and none was chosen.
    #[error("the export has several projects: {0}\n  hint: choose one with `--project ID`")]
    Several(String),
    /// The export does not have the chosen project.
    #[error("the export has no project `{asked}`, only {known}")]
    Unknown {
        /// The project that was asked for.
        asked: String,
        /// The projects of the export.
        known: String,
    },
    /// The project's id is no valid id in Assay.
    #[error("the project's id `{0}` is too large, expected a number below 2^53")]
    IdTooLarge(String),
    /// The project is not for web pages.
    #[error("the project `{id}` is for `{platform}`, not for web pages")]
    NotForWeb {
        /// The project.
        id: String,
        /// What it is for.
        platform: String,
    },
}

/// The project to import.
#[derive(Debug)]
pub(crate) struct Chosen<'e> {
    pub(crate) id: String,
    /// What the export says of the project itself, if it does.
    pub(crate) resource: Option<At<'e>>,
    /// Whether nothing of another project is there.
    pub(crate) is_only_one: bool,
}

/// Chooses the project with the id `asked`, or the only one.
pub(crate) fn choose<'e>(
    export: &'e Export,
    asked: Option<&str>,
) -> Result<Chosen<'e>, Unsuitable> {
    if KINDS.iter().all(|kind| export.resources(kind).is_empty()) {
        return Err(Unsuitable::OfAnotherTool);
    }
    let known = known(export);
    let id = match (asked, known.as_slice()) {
        (_, []) => return Err(Unsuitable::NoProject),
        (Some(asked), known) => known
            .iter()
            .find(|id| *id == asked)
            .ok_or_else(|| Unsuitable::Unknown { asked: asked.to_owned(), known: list(known) })?,
        (None, [only]) => only,
        (None, several) => return Err(Unsuitable::Several(list(several))),
    };
    if !can_be_kept(id) {
        return Err(Unsuitable::IdTooLarge(id.clone()));
    }
    let resources = export.resources("projects");
    let resource = resources.into_iter().find(|at| id_of(at.value, "id").as_ref() == Some(id));
    let platform = resource.as_ref().and_then(|at| at.value.get("platform")?.as_str());
    match platform {
        Some(platform) if platform != "web" => {
            Err(Unsuitable::NotForWeb { id: id.clone(), platform: platform.to_owned() })
        }
        _ => Ok(Chosen { id: id.clone(), resource, is_only_one: known.len() == 1 }),
    }
}

/// All projects that the export names, in its order.
fn known(export: &Export) -> Vec<String> {
    let own = export.resources("projects");
    let own = own.iter().filter_map(|at| id_of(at.value, "id"));
    let others = KINDS.iter().flat_map(|kind| export.resources(kind));
    let others: Vec<String> = others.filter_map(|at| id_of(at.value, "project_id")).collect();
    let mut known: Vec<String> = Vec::new();
    for id in own.chain(others) {
        if !known.contains(&id) {
            known.push(id);
        }
    }
    known
}

fn id_of(value: &Value, field: &str) -> Option<String> {
    id_text(value.get(field)?)
}

/// A few ids are enough to recognise the export.
const MAX_LISTED: usize = 20;

fn list(ids: &[String]) -> String {
    let listed: Vec<String> = ids.iter().take(MAX_LISTED).map(|id| format!("`{id}`")).collect();
    let more = if ids.len() > MAX_LISTED { ", …" } else { "" };
    listed.join(", ") + more
}
