//! A program copies a campaign, or an experience of a personalization. No visitor has seen the copy.

use std::collections::{HashMap, HashSet};

use domain::limits::MAX_NAME_LENGTH;
use domain::{Fault, Pointer, ProjectId};
use serde_json::{Value, json};

use crate::App;
use crate::campaigns::new_phase::{next_key, remove_field};
use crate::documents::{ResourceKind, ResourcePath, find};
use crate::drafts::{Draft, Edit, EditError, ExpectedVersion, ReadError, edit_draft, view};
use crate::request;
use crate::roles::Actor;

/// What can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// A campaign with its experiments.
    Campaign,
    /// An experience of a personalization, placed beside the original.
    Experiment,
}

impl Copied {
    /// Everything that can be copied.
    pub const ALL: [Self; 2] = [Self::Campaign, Self::Experiment];

    /// The kind of the copied resource.
    #[must_use]
    pub const fn kind(self) -> ResourceKind {
        match self {
            Self::Campaign => ResourceKind::Campaign,
            Self::Experiment => ResourceKind::Experiment,
        }
    }
}

request! {
    /// A copy to make.
    pub struct CopyRequest: "copy_to_make" {
        /// The copy's name; that of the original with `(copy)`, or a number, if it is left out.
        name: Option<String>,
        /// The copy's key; that of the original with a number if it is left out.
        key: Option<String>,
    }
}

/// Adds a copy behind the campaign or experiment with this name, and returns it. The copy has new ids and a new key, and the same
/// references as the original; it is not started, and has no schedule, no winner, and nothing archived or paused. `request` may set its
/// name and key.
///
/// # Errors
/// See [`EditError`].
pub async fn duplicate(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (copied, name): (Copied, String),
    (request, expected): (CopyRequest, ExpectedVersion),
) -> Result<Value, EditError> {
    let kind = copied.kind();
    let change = move |draft: &Draft| {
        let path = find(&draft.document, kind, &name).ok_or(ReadError::NotFound)?;
        let current = view(draft, kind, &path);
        expected.check(&current)?;
        match copied {
            Copied::Campaign => Ok(with_campaign(draft, &path, &request)),
            Copied::Experiment => with_experiment(draft, &path, &request),
        }
    };
    let (draft, changed) = edit_draft(app, actor, id, change).await?;
    let path = ResourcePath::of(&changed).ok_or(ReadError::NotFound)?;
    Ok(view(&draft, kind, &path))
}

fn with_campaign(draft: &Draft, path: &ResourcePath, request: &CopyRequest) -> Edit {
    let kind = ResourceKind::Campaign;
    let campaigns = draft.document.list(kind.collection());
    let siblings: Vec<&Value> = campaigns.iter().map(|campaign| &**campaign).collect();
    let mut copy = renamed(path.get(&draft.document), &siblings, request);
    make_new_campaign(&mut copy);
    let changed = ResourcePath::top(kind, campaigns.len()).pointer();
    let mut document = (*draft.document).clone();
    document.push(kind.collection(), copy);
    Edit { document, changed, word: kind.word() }
}

fn with_experiment(
    draft: &Draft,
    path: &ResourcePath,
    request: &CopyRequest,
) -> Result<Edit, EditError> {
    let kind = ResourceKind::Experiment;
    let parent = path.parent().ok_or(ReadError::NotFound)?;
    let campaign = parent.get(&draft.document);
    if campaign["type"] == "ab_test" {
        let message = "an A/B test has exactly one experiment";
        let fault = Fault::error("experiment_count", Pointer::root(), message);
        return Err(EditError::Invalid(vec![fault.hint("duplicate its campaign")]));
    }
    let experiment = path.get(&draft.document);
    let siblings: Vec<&Value> =
        campaign[kind.collection()].as_array().into_iter().flatten().collect();
    let mut copy = renamed(experiment, &siblings, request);
    make_new_experiment(&mut copy);
    copy["archived"] = json!(false);
    let mut document = (*draft.document).clone();
    let campaign = parent.get_mut(&mut document);
    stand_beside(&mut campaign["priorities"], &experiment["id"], &copy["key"]);
    let experiments = campaign[kind.collection()].as_array_mut();
    let experiments = experiments.expect("a draft has every list that it can have");
    let changed = parent.inside(kind, experiments.len()).pointer();
    experiments.push(copy);
    Ok::<_, EditError>(Edit { document, changed, word: kind.word() })
}

/// A copy without its id, under a key and a name that no sibling has.
fn renamed(original: &Value, siblings: &[&Value], request: &CopyRequest) -> Value {
    let mut copy = original.clone();
    remove_field(&mut copy, "id");
    let taken = |field: &str| -> HashSet<&str> {
        siblings.iter().filter_map(|one| one[field].as_str()).collect()
    };
    let next = || json!(next_key(original["key"].as_str().unwrap_or_default(), &taken("key")));
    copy["key"] = request.key.as_ref().map_or_else(next, |key| json!(key));
    let names = taken("name");
    let name = original["name"].as_str();
    let name = name.map(|name| name_of_copy(name, |other| names.contains(other)));
    copy["name"] = json!(request.name.as_ref().or(name.as_ref()));
    copy
}

/// `Hero (copy)`, `Hero (copy 2)`, …: the first name that is free.
#[must_use]
pub fn name_of_copy(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let names = (1_u64..).map(|number| {
        let end = if number == 1 { " (copy)".to_owned() } else { format!(" (copy {number})") };
        let kept = MAX_NAME_LENGTH - end.chars().count();
        name.chars().take(kept).chain(end.chars()).collect::<String>()
    });
    let mut free = names.filter(|name| !is_taken(name));
    free.next().unwrap_or_else(|| name.to_owned())
}

/// Makes of a campaign one like it that no visitor has seen: without the ids of the campaign, its experiments and their variations, not started, and
/// without a schedule, a winner, and what is archived or paused. It keeps its name and its key.
pub fn make_new_campaign(campaign: &mut Value) {
    remove_field(campaign, "id");
    (campaign["status"], campaign["shipped"]) = (json!("not_started"), json!(false));
    campaign["schedule"] = Value::Null;
    let keys = keys_by_id(campaign);
    each(campaign, "experiments", make_new_experiment);
    campaign["priorities"] = priorities(&campaign["priorities"], &keys);
}

/// Removes the history of an experiment.
fn make_new_experiment(experiment: &mut Value) {
    remove_field(experiment, "id");
    experiment["winner"] = Value::Null;
    each(experiment, "variations", |variation| {
        remove_field(variation, "id");
        variation["paused"] = json!(false);
    });
}

/// Keeps the unarchived items of a list, and applies `make_new` to each.
fn each(owner: &mut Value, list: &str, make_new: impl Fn(&mut Value)) {
    if let Some(resources) = owner[list].as_array_mut() {
        resources.retain(|resource| resource["archived"] != true);
        resources.iter_mut().for_each(make_new);
    }
}

/// The keys of the experiments to copy, by id.
fn keys_by_id(campaign: &Value) -> HashMap<String, Value> {
    let experiments = campaign["experiments"].as_array().into_iter().flatten();
    let copied = experiments.filter(|experiment| experiment["archived"] != true);
    let keys = copied.filter_map(|one| Some((one["id"].as_str()?.to_owned(), one["key"].clone())));
    keys.collect()
}

/// The same order, by key, for experiments that have no ids yet.
fn priorities(groups: &Value, keys: &HashMap<String, Value>) -> Value {
    let groups = groups.as_array().into_iter().flatten().map(|group| {
        let ids = group.as_array().into_iter().flatten().filter_map(Value::as_str);
        ids.filter_map(|id| keys.get(id).cloned()).collect::<Vec<Value>>()
    });
    groups.filter(|group| !group.is_empty()).map(Value::Array).collect()
}

/// Adds an experiment to the priority group of another.
fn stand_beside(groups: &mut Value, id: &Value, key: &Value) {
    let groups = groups.as_array_mut().into_iter().flatten().filter_map(Value::as_array_mut);
    for group in groups.filter(|group| group.contains(id)) {
        group.push(key.clone());
    }
}
