//! Compares two states of a project: as a JSON Patch for programs, resource by resource for people.

use std::sync::Arc;

use domain::{Notice, Project, ProjectId, SharedDocument, what_visitors_notice};
use serde_json::Value;

use crate::App;
use crate::computation::compute;
use crate::documents::{
    Difference, capped, capped_notices, capped_patch, differences, patch_between,
};
use crate::drafts::{Draft, ReadError, readable_draft};
use crate::publishing::{RevisionDocument, read_revision};
use crate::roles::Actor;

/// A state of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The live revision; empty if the project was never published.
    Live,
    /// What editors are working on.
    Draft,
    /// The revision with this number.
    Revision(u32),
}

/// The result of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The JSON Patch (RFC 6902) from one document to the other, with ids as references. `None` if it is too long.
    pub patch: Option<Value>,
    /// The same, resource by resource.
    pub differences: Vec<Difference>,
    /// Whether some differences were left out.
    pub is_cut: bool,
    /// What visitors of the first state notice when the second replaces it; empty if there were none.
    pub visitors: Vec<Notice>,
}

/// A requested state. Large documents are not copied for the comparison.
enum State {
    Draft(Arc<Draft>),
    Revision(Arc<RevisionDocument>),
    Nothing(SharedDocument),
}

/// Compares two states of project `id`.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::NotFound`] for an unknown revision, [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn compare_documents(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (from, to): (Side, Side),
) -> Result<Comparison, ReadError> {
    let before = document_of(app, actor, id, from).await?;
    let after = document_of(app, actor, id, to).await?;
    let work = move || {
        let compared = compare(before.document(), after.document());
        let visitors = after.project().map(|after| what_visitors_notice(before.project(), after));
        let (visitors, is_cut) = capped_notices(visitors.unwrap_or_default());
        Comparison { visitors, is_cut: compared.is_cut || is_cut, ..compared }
    };
    Ok(compute("compare_documents", work).await?)
}

async fn document_of(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    side: Side,
) -> Result<State, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let number = match side {
        Side::Draft => return Ok(State::Draft(draft)),
        Side::Revision(number) => number,
        Side::Live => match draft.head.live_revision {
            Some(number) => number,
            None => return Ok(State::Nothing(SharedDocument::default())),
        },
    };
    let revision = read_revision(app, id, number).await?;
    revision.map(State::Revision).ok_or(ReadError::NotFound)
}

/// The changes from `before` to `after`.
fn compare(before: &SharedDocument, after: &SharedDocument) -> Comparison {
    let patch = capped_patch(patch_between(before, after));
    let (differences, is_cut) = capped(differences(before, after));
    Comparison { is_cut: is_cut || patch.is_none(), patch, differences, visitors: Vec::new() }
}

impl State {
    fn document(&self) -> &SharedDocument {
        match self {
            Self::Draft(draft) => &draft.document,
            Self::Revision(revision) => revision.document(),
            Self::Nothing(document) => document,
        }
    }

    fn project(&self) -> Option<&Project> {
        match self {
            Self::Draft(draft) => Some(&draft.project),
            Self::Revision(revision) => Some(&revision.project),
            Self::Nothing(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::SharedDocument;
    use serde_json::{Value, json};

    use super::{Comparison, Difference};

    fn document() -> Value {
        json!({
            "project": {"id": "1", "name": "Shop", "snippet": {"preview": false}},
            "pages": [{"id": "2", "key": "home"}, {"id": "3", "key": "cart"}],
            "campaigns": [{"id": "4", "key": "hero", "holdback": 0, "experiments": [
                {"id": "5", "key": "hero", "variations": [{"id": "6", "key": "a", "weight": 1}]},
            ]}],
        })
    }

    fn compare(before: Value, after: Value) -> Comparison {
        let [before, after] = [before, after].map(|document| SharedDocument::of(document).unwrap());
        super::compare(&before, &after)
    }

    fn lines(differences: &[Difference]) -> Vec<String> {
        let line = |difference: &Difference| {
            let fields = difference.fields.iter();
            let fields = fields
                .map(|field| format!(" {}: {} → {}", field.pointer, field.before, field.after));
            let fields: String = fields.collect();
            format!("{} {} {}{fields}", difference.change, difference.kind, difference.name)
        };
        differences.iter().map(line).collect()
    }

    #[test]
    fn things_are_compared_one_by_one() {
        let mut after = document();
        after["project"]["snippet"]["preview"] = json!(true);
        after["pages"] =
            json!([{"id": "7", "key": "search", "name": "Search"}, {"id": "2", "key": "home"}]);
        after["campaigns"][0]["holdback"] = json!(500);
        after["campaigns"][0]["experiments"][0]["variations"][0]["weight"] = json!(2);

        let comparison = compare(document(), after.clone());

        assert_eq!(
            lines(&comparison.differences),
            [
                "changed project Shop /snippet/preview: false → true",
                "added page Search",
                "removed page cart",
                "changed campaign hero /holdback: 0 → 500",
                "changed variation a /weight: 1 → 2",
            ]
        );
        let patch: json_patch::Patch = serde_json::from_value(comparison.patch.unwrap()).unwrap();
        let mut patched = document();
        json_patch::patch(&mut patched, &patch).unwrap();
        assert_eq!(patched, after);
    }

    #[test]
    fn the_same_differs_in_nothing() {
        let comparison = compare(document(), document());

        assert_eq!(comparison.differences, []);
        assert_eq!((comparison.patch, comparison.is_cut), (Some(json!([])), false));
    }

    #[test]
    fn another_order_is_told() {
        let mut after = document();
        after["pages"].as_array_mut().unwrap().reverse();

        let differences = compare(document(), after).differences;

        assert_eq!(lines(&differences), ["reordered page pages : [\"2\",\"3\"] → [\"3\",\"2\"]"]);
        let words = differences[0].to_string();
        assert_eq!(words, "pages reordered\n  [\"2\",\"3\"] → [\"3\",\"2\"]");
    }
}
