//! `/projects/{id}/audiences`: groups of visitors, described by conditions.

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::{AudienceTree, Audiences, Project};
use serde_json::{Value, json};

use crate::conditions::{self, Node, Subject};
use crate::edit::shape::{Shape, Shapes};
use crate::edit::{Editor, Form, Listing, Users};
use crate::project_frame::Tab;

pub(crate) static EDITOR: Editor = Editor {
    kind: ResourceKind::Audience,
    tab: Tab::Audiences,
    blank: || json!({"name": null, "key": null, "description": null, "conditions": []}),
    shapes: SHAPES,
    element: conditions::element,
    opened: |mut audience| {
        audience["conditions"] = conditions::opened(&audience["conditions"], "and");
        audience
    },
    closed: |mut audience| {
        audience["conditions"] = conditions::closed(&audience["conditions"]);
        audience
    },
    refuses: |edited, _, _| conditions::unanswered(edited),
    content,
    form_path: "",
    listing: Some(Listing {
        title: "Audiences",
        about: "Groups of visitors. Experiments are for some of them, or for everyone.",
        sentence,
        users: Some(users),
    }),
    above: |project, _| (format!("/projects/{project}/audiences"), "Audiences".to_owned()),
};

const SHAPES: Shapes = &[
    ("/name", Shape::Line),
    ("/key", Shape::Line),
    ("/description", Shape::Trimmed),
    ("/conditions/**/0", Shape::Line),
    ("/conditions/**/name", Shape::Line),
    ("/conditions/**/match", Shape::Line),
    ("/conditions/**/audience", Shape::Line),
    ("/conditions/**/value", Shape::Trimmed),
    ("/conditions/**/value/event", Shape::Line),
    ("/conditions/**/value/page", Shape::Line),
    ("/conditions/**/value/at_least", Shape::Number),
    ("/conditions/**/value/at_most", Shape::Number),
    ("/conditions/**/value/within_days", Shape::Number),
];

#[derive(Template)]
#[template(path = "edit/audience.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    conditions: Node,
    visit: [Fact<'a>; 8],
}

/// A field of the visitor to try.
struct Fact<'a> {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    value: &'a str,
}

/// The facts about a visitor that conditions ask for; the first three have several lines.
const FACTS: [(&str, &str, &str); 8] = [
    ("attributes", "Custom attributes", "One per line: name=value."),
    ("cookies", "Cookies", "One per line: name=value."),
    ("url", "Address of the page", "With its query."),
    ("referrer", "Came from", "The address of the page before."),
    ("user_agent", "User agent", "It tells the device, the browser and the operating system."),
    ("language", "Language", "Such as en-US."),
    ("local_time", "Local time", "Such as 2026-11-22T09:30."),
    ("location", "Location", "Such as US|CA|SANFRANCISCO."),
];

fn content(form: &Form<'_>, draft: &Draft) -> String {
    let conditions = conditions::root(form, &draft.project, conditions::AT, Subject::Audience);
    let visit =
        FACTS.map(|(name, label, hint)| Fact { name, label, hint, value: form.typed(name) });
    Content { form, conditions, visit }.render().expect("writing to memory does not fail")
}

fn sentence(audience: &Value, project: &Project) -> String {
    let description = audience["description"].as_str().unwrap_or_default();
    if !description.is_empty() {
        return description.chars().take(200).collect();
    }
    let id = audience["id"].as_str().unwrap_or_default();
    let found = project.audiences.iter().find(|one| one.id.to_string() == id);
    match found.map_or(0, |one| one.conditions.tree.leaves().len()) {
        0 => "No conditions: no visitor is in it.".to_owned(),
        1 => "One condition.".to_owned(),
        count => format!("{count} conditions."),
    }
}

/// The experiments that are for an audience, and the audiences that build on it.
fn users(project: &Project) -> Users {
    let mut users = Users::default();
    for campaign in &project.campaigns {
        for experiment in &campaign.experiments {
            if let Audiences::Tree(tree) = &experiment.audiences {
                users.add_all(AudienceTree::audiences(tree), campaign.title());
            }
        }
    }
    for audience in &project.audiences {
        let leaves = audience.conditions.tree.leaves();
        for condition in leaves {
            if let domain::ConditionKind::Audience(id) = condition.kind {
                users.add(id, audience.name.as_deref().unwrap_or(audience.key.as_str()));
            }
        }
    }
    users
}
