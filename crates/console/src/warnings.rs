//! The warnings of a draft as pages show them: what visitors may not get, and where that is mended.

use app::documents::ResourceKind;
use app::drafts::DraftWarning;
use domain::{ConditionTree, Pointer, Project, ProjectId};
use serde_json::Value;

use crate::words::{fault_with_hint, title};

/// The first ones; the others open on demand.
pub(crate) const AT_HAND: usize = 10;

/// A warning with its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShownWarning {
    /// The form in which it is mended.
    pub(crate) path: String,
    /// What it is about: `Campaign`.
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    /// The part of that, if it has several: `Variation B, change 2`.
    pub(crate) part: String,
    pub(crate) words: String,
}

impl ShownWarning {
    /// The warnings of a project, in their order.
    pub(crate) fn all(project: &Project, warnings: &[DraftWarning]) -> Vec<Self> {
        warnings.iter().map(|warning| Self::of(project, warning)).collect()
    }

    fn of(project: &Project, DraftWarning { resource, fault }: &DraftWarning) -> Self {
        let (id, pointer) = (project.id, &fault.pointer);
        let Some((kind, resource)) = resource else {
            let field = pointer.as_str().strip_prefix("/project").unwrap_or_default();
            let path = format!("/projects/{id}/settings{}", fragment(field));
            let (part, words) = (String::new(), fault_with_hint(fault));
            return Self { path, kind: "Project", title: title_of_project(project), part, words };
        };
        let (title, part) = (title(resource), part(resource, pointer));
        let own = resource["id"].as_str().unwrap_or_default();
        let shown = |at: &str, words: String| Self {
            path: format!("{}{}", form_of(id, *kind, own), fragment(at)),
            kind: kind_words(*kind),
            title: title.clone(),
            part: part.clone(),
            words,
        };
        match fault.code {
            "no_pages" => shown("/pages", NO_PAGES.to_owned()),
            "page_of_no_campaign" => shown(pointer.as_str(), OTHER_PAGE.to_owned()),
            "empty_audience" => {
                let names = resource.pointer(pointer.as_str()).unwrap_or(&Value::Null);
                let empty = empty_audience(project, names);
                let shown = shown(pointer.as_str(), EMPTY_AUDIENCE.to_owned());
                let Some((own, title)) = empty else { return shown };
                Self {
                    path: form_of(id, ResourceKind::Audience, &own),
                    kind: kind_words(ResourceKind::Audience),
                    part: format!("in {}", shown.title),
                    title,
                    ..shown
                }
            }
            _ => shown(pointer.as_str(), fault_with_hint(fault)),
        }
    }
}

const NO_PAGES: &str = "It has no page, so no visitor sees it. Choose where it runs: a page without conditions is every page of the site.";
const OTHER_PAGE: &str = "The campaign does not run on this page, so the change is made only while both pages are active. Add the page to the campaign, or make the change on all pages of the campaign.";
const EMPTY_AUDIENCE: &str = "The audience has no conditions, so no visitor is in it, and none sees what is for it. Give it conditions, or take it out of the campaign.";

fn form_of(project: ProjectId, kind: ResourceKind, id: &str) -> String {
    let form = if kind == ResourceKind::Campaign { "/edit" } else { "" };
    format!("/projects/{project}/{}/{id}{form}", kind.collection())
}

/// The fields of a form have their pointers as their ids.
fn fragment(pointer: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-');
    let is_field = !pointer.is_empty() && pointer.bytes().all(is_plain);
    if is_field { format!("#{pointer}") } else { String::new() }
}

const fn kind_words(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Attribute => "Attribute",
        ResourceKind::Page => "Page",
        ResourceKind::Audience => "Audience",
        ResourceKind::Event => "Event",
        ResourceKind::Metric => "Metric",
        ResourceKind::Campaign => "Campaign",
        ResourceKind::Experiment => "Experiment",
        ResourceKind::Variation => "Variation",
        ResourceKind::Group => "Group",
    }
}

fn title_of_project(project: &Project) -> String {
    project.name.clone().unwrap_or_else(|| project.key.to_string())
}

/// The part of a resource that a pointer leads to, as far as people count and name parts.
fn part(resource: &Value, pointer: &Pointer) -> String {
    let (mut at, mut list, mut parts) = (resource, String::new(), Vec::new());
    for token in pointer.tokens() {
        let Ok(place) = token.parse::<usize>() else {
            at = &at[&*token];
            list = token.into_owned();
            continue;
        };
        let has_operator = at[0].is_string();
        let is_only = at.as_array().is_some_and(|elements| elements.len() == 1);
        at = &at[place];
        match list.as_str() {
            "experiments" if !is_only => parts.push(title(at)),
            "variations" => parts.push(title(at)),
            "changes" => parts.push(format!("change {}", place + 1)),
            "conditions" => parts.push(format!("condition {}", place + usize::from(!has_operator))),
            _ => {}
        }
        list.clear();
    }
    parts.join(", ")
}

/// The first audience without conditions in a tree of audiences: its id and its name.
fn empty_audience(project: &Project, names: &Value) -> Option<(String, String)> {
    match names {
        Value::Array(parts) => parts.iter().find_map(|part| empty_audience(project, part)),
        Value::String(id) => {
            let mut audiences = project.audiences.iter();
            let audience = audiences.find(|one| one.id.to_string() == *id)?;
            let title = audience.name.as_deref().unwrap_or(audience.key.as_str());
            let is_empty = audience.conditions.tree == ConditionTree::Empty;
            is_empty.then(|| (id.clone(), title.to_owned()))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use domain::Pointer;
    use serde_json::json;

    use super::{fragment, part};

    #[test]
    fn a_part_is_named_as_people_count_it() {
        let variations =
            json!([{"name": "A"}, {"key": "b", "changes": [{}, {"selector": "h1 >"}]}]);
        let one = json!({"experiments": [{"name": "E", "variations": variations}]});
        let two = json!({"experiments": [{}, {"name": "E", "variations": variations}]});
        let tree = json!({"conditions": ["and", {}, ["or", {}, {}]]});
        let plain = json!({"conditions": [{}]});
        let change = |experiment: usize| {
            let variations = Pointer::root().field("experiments").element(experiment);
            let changes = variations.field("variations").element(1).field("changes");
            changes.element(1).field("selector")
        };
        let condition = |place| Pointer::root().field("conditions").element(place);

        assert_eq!(part(&one, &change(0)), "b, change 2");
        assert_eq!(part(&two, &change(1)), "E, b, change 2");
        assert_eq!(part(&tree, &condition(2).element(1).field("value")), "condition 2");
        assert_eq!(part(&plain, &condition(0)), "condition 1");
        assert_eq!(part(&plain, &Pointer::root()), "");
    }

    #[test]
    fn a_link_leads_to_a_field_whose_name_needs_no_escapes() {
        assert_eq!(fragment("/experiments/0/audiences"), "#/experiments/0/audiences");
        assert_eq!(fragment("/metadata/a b"), "");
        assert_eq!(fragment(""), "");
    }
}
