//! A program starts a new phase of an experiment, to change what must not change while visitors are bucketed by it. The new phase is an
//! experiment of its own that replaces the old one, with its own ids, so that their counts stay separate.

use std::collections::HashSet;

use domain::limits::MAX_KEY_LENGTH;
use domain::{CampaignId, Fault, Notice, Pointer, ProjectId, what_visitors_notice};
use serde_json::{Map, Value, json};

use crate::App;
use crate::campaigns::phase_variations::PhaseVariations;
use crate::documents::{ResourceKind, ResourcePath, find};
use crate::drafts::{Draft, Edit, EditError, ExpectedVersion, ReadError, edit_draft, view};
use crate::publishing::read_live;
use crate::resources::TOLD_ONLY;
use crate::roles::Actor;

/// A new phase.
#[derive(Debug)]
pub struct Phase {
    /// The new experiment.
    pub experiment: Value,
    /// What visitors will notice on publication, if the campaign is live.
    pub visitors: Vec<Notice>,
}

/// Replaces the experiment with this id by a new phase: a copy changed by `patch`, a JSON merge patch that merges variations one by one
/// (`PhaseVariations`). Its key is the old one with a number, unless the patch sets another.
///
/// # Errors
/// See [`EditError`].
pub async fn start_phase(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    name: String,
    (patch, expected): (Map<String, Value>, ExpectedVersion),
) -> Result<Phase, EditError> {
    let change = move |draft: &Draft| {
        let experiment_path =
            find(&draft.document, ResourceKind::Experiment, &name).ok_or(ReadError::NotFound)?;
        let current = view(draft, ResourceKind::Experiment, &experiment_path);
        expected.check(&current)?;
        let mut document = (*draft.document).clone();
        let experiment = experiment_path.get(&document).clone();
        let campaign = experiment_path.parent().map(|campaign| campaign.get(&document).clone());
        let phase = phase_of(&experiment, &keys_of(campaign.as_ref()), &patch);
        let phase = phase.map_err(EditError::Invalid)?;
        if let Some(campaign) = experiment_path.parent() {
            let campaign = campaign.get_mut(&mut document);
            rename_in_priorities(campaign, &experiment["id"], &phase["key"]);
        }
        *experiment_path.get_mut(&mut document) = phase;
        Ok::<_, EditError>(Edit {
            document,
            changed: experiment_path.pointer(),
            word: ResourceKind::Experiment.word(),
        })
    };
    let (draft, changed) = edit_draft(app, actor, id, change).await?;
    let experiment_path = ResourcePath::of(&changed).ok_or(ReadError::NotFound)?;
    let campaign =
        experiment_path.parent().map(|campaign| draft.project.campaigns[campaign.index()].id);
    Ok(Phase {
        experiment: view(&draft, ResourceKind::Experiment, &experiment_path),
        visitors: noticed(app, id, &draft, campaign).await?,
    })
}

/// What visitors notice of the changed campaign.
async fn noticed(
    app: &App,
    id: ProjectId,
    draft: &Draft,
    campaign: Option<CampaignId>,
) -> Result<Vec<Notice>, EditError> {
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(Vec::new()) };
    let campaign = campaign.map(|campaign| campaign.to_string());
    let mut notices = what_visitors_notice(Some(&live.project), &draft.project);
    notices.retain(|notice| notice.kind == "campaign" && Some(&notice.id) == campaign.as_ref());
    Ok(notices)
}

/// The keys of a campaign's experiments.
pub(super) fn keys_of(campaign: Option<&Value>) -> HashSet<&str> {
    let experiments = campaign.and_then(|campaign| campaign["experiments"].as_array());
    experiments.into_iter().flatten().filter_map(|experiment| experiment["key"].as_str()).collect()
}

/// The copy. It says no ids, so it gets those of a new experiment.
fn phase_of(
    experiment: &Value,
    taken: &HashSet<&str>,
    patch: &Map<String, Value>,
) -> Result<Value, Vec<Fault>> {
    let mut patch = patch.clone();
    for field in TOLD_ONLY {
        patch.shift_remove(field);
    }
    if patch.contains_key("id") {
        return Err(vec![Fault::error(
            "read_only_field",
            Pointer::root().field("id"),
            "a new phase gets an id of its own",
        )]);
    }
    let variations = PhaseVariations::taken_out_of(&mut patch)?;
    let mut phase = experiment.clone();
    phase["key"] = json!(next_key(experiment["key"].as_str().unwrap_or_default(), taken));
    json_patch::merge(&mut phase, &Value::Object(patch));
    remove_field(&mut phase, "id");
    remove_field(&mut phase, "winner");
    let before = experiment["variations"].as_array().map(Vec::as_slice).unwrap_or_default();
    phase["variations"] = Value::Array(variations.merged_into(before)?);
    Ok(phase)
}

/// `hero`, `hero-2`, `hero-3`: the first key that no experiment of the campaign has.
pub(super) fn next_key(key: &str, taken: &HashSet<&str>) -> String {
    let numbered = key.rsplit_once('-').and_then(|(stem, number)| {
        number.parse::<u32>().ok().filter(|number| *number > 1).map(|number| (stem, number))
    });
    let (stem, number) = numbered.unwrap_or((key, 1));
    let keys = (number.saturating_add(1)..).map(|number| {
        let end = format!("-{number}");
        // Keys are plain ASCII.
        let length = stem.len().min(MAX_KEY_LENGTH - end.len());
        format!("{}{end}", &stem[..length])
    });
    let mut free = keys.filter(|key| !taken.contains(key.as_str()));
    free.next().unwrap_or_else(|| key.to_owned())
}

fn rename_in_priorities(campaign: &mut Value, id: &Value, key: &Value) {
    let groups = campaign["priorities"].as_array_mut().into_iter().flatten();
    let places = groups.filter_map(Value::as_array_mut).flatten();
    places.filter(|experiment| *experiment == id).for_each(|experiment| *experiment = key.clone());
}

pub(super) fn remove_field(resource: &mut Value, field: &str) {
    if let Some(fields) = resource.as_object_mut() {
        fields.shift_remove(field);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::next_key;

    #[test]
    fn phases_are_numbered() {
        let next = |key: &str| next_key(key, &HashSet::from([key]));

        assert_eq!(next("hero"), "hero-2");
        assert_eq!(next("hero-2"), "hero-3");
        assert_eq!(next("hero-v2"), "hero-v2-2");
        assert_eq!(next("black-friday"), "black-friday-2");
        assert_eq!(next_key("hero", &HashSet::from(["hero", "hero-2"])), "hero-3");
        assert_eq!(next(&"a".repeat(64)), format!("{}-2", "a".repeat(62)));
    }
}
