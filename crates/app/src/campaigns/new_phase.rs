//! A program begins a new phase of an experiment: what must not change while visitors are drawn by it changes with a new draw. The new
//! phase is an experiment of its own in the place of the one before, with ids of its own, so that what is counted stays apart.

use domain::{Fault, Pointer, ProjectId};
use serde_json::{Map, Value, json};

use crate::App;
use crate::drafts::{Draft, Edit, EditError, Editor, Seen, edit_draft};
use crate::resources::{Place, ResourceKind, find, view};

/// Puts a new phase in the place of the experiment with this id: a copy with what `patch` changes (a JSON merge patch), such as other
/// variations or weights. Its key is the old one with a number, unless the patch has another.
///
/// # Errors
/// See [`EditError`].
pub async fn start_phase(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    name: String,
    (patch, seen): (Map<String, Value>, Seen),
) -> Result<Value, EditError> {
    let change = move |draft: &Draft| {
        let place =
            find(&draft.document, ResourceKind::Experiment, &name).ok_or(EditError::NotFound)?;
        let current = view(draft, ResourceKind::Experiment, &place);
        if !seen(&current) {
            return Err(EditError::changed(current, None));
        }
        let mut document = (*draft.document).clone();
        let experiment = place.get(&document).clone();
        let phase = phase_of(&experiment, &patch)?;
        if let Some(campaign) = place.parent() {
            let campaign = campaign.get_mut(&mut document);
            rename_in_priorities(campaign, &experiment["id"], &phase["key"]);
        }
        *place.get_mut(&mut document) = phase;
        Ok(Edit { document, changed: place.pointer(), word: ResourceKind::Experiment.word() })
    };
    let (draft, changed) = edit_draft(app, editor, id, change).await?;
    let place = Place::of(&changed).ok_or(EditError::NotFound)?;
    Ok(view(&draft, ResourceKind::Experiment, &place))
}

/// The copy. Ids that are left out are made from keys, and so are others than before.
fn phase_of(experiment: &Value, patch: &Map<String, Value>) -> Result<Value, EditError> {
    if patch.contains_key("id") {
        let fault = Fault::error(
            "read_only_field",
            Pointer::root().field("id"),
            "a new phase gets an id of its own",
        );
        return Err(EditError::Faults(vec![fault]));
    }
    let mut phase = experiment.clone();
    phase["key"] = json!(next_key(experiment["key"].as_str().unwrap_or_default()));
    json_patch::merge(&mut phase, &Value::Object(patch.clone()));
    remove_field(&mut phase, "id");
    remove_field(&mut phase, "winner");
    let variations = phase["variations"].as_array_mut().into_iter().flatten();
    variations.for_each(|variation| remove_field(variation, "id"));
    Ok(phase)
}

/// `hero`, `hero-2`, `hero-3`.
fn next_key(key: &str) -> String {
    let numbered = key.rsplit_once('-').and_then(|(stem, number)| {
        number.parse::<u32>().ok().filter(|number| *number > 1).map(|number| (stem, number))
    });
    match numbered {
        Some((stem, number)) => format!("{stem}-{}", number.saturating_add(1)),
        None => format!("{key}-2"),
    }
}

fn rename_in_priorities(campaign: &mut Value, id: &Value, key: &Value) {
    let groups = campaign["priorities"].as_array_mut().into_iter().flatten();
    let places = groups.filter_map(Value::as_array_mut).flatten();
    places.filter(|experiment| *experiment == id).for_each(|experiment| *experiment = key.clone());
}

fn remove_field(thing: &mut Value, field: &str) {
    if let Some(fields) = thing.as_object_mut() {
        fields.shift_remove(field);
    }
}

#[cfg(test)]
mod tests {
    use super::next_key;

    #[test]
    fn phases_are_numbered() {
        assert_eq!(next_key("hero"), "hero-2");
        assert_eq!(next_key("hero-2"), "hero-3");
        assert_eq!(next_key("hero-v2"), "hero-v2-2");
        assert_eq!(next_key("black-friday"), "black-friday-2");
    }
}
