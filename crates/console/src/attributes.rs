//! `/projects/{id}/attributes`: what the site tells the snippet about a visitor, such as their plan.

use std::collections::HashMap;

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::{AttributeId, ConditionKind, Project};
use serde_json::json;

use crate::edit::shape::Shape;
use crate::edit::{Editor, Form, Listing, Users, as_it_is, no_element, refuses_nothing};
use crate::project_frame::Tab;

pub(crate) static EDITOR: Editor = Editor {
    kind: ResourceKind::Attribute,
    tab: Tab::Attributes,
    blank: || json!({"name": null, "key": null}),
    shapes: &[("/name", Shape::Line), ("/key", Shape::Line)],
    element: no_element,
    opened: as_it_is,
    closed: as_it_is,
    refuses: refuses_nothing,
    content,
    form_path: "",
    listing: Some(Listing {
        title: "Attributes",
        about: "What your site tells about a visitor, such as their plan. Audiences ask about it.",
        sentence: |_, _| String::new(),
        users: Some(users),
    }),
    above: |project, _| (format!("/projects/{project}/attributes"), "Attributes".to_owned()),
};

#[derive(Template)]
#[template(path = "edit/attribute.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    /// How the site tells an attribute.
    example: String,
}

fn content(form: &Form<'_>, _draft: &Draft) -> String {
    let key = form.text("/key");
    let key = if key.is_empty() { "plan" } else { key };
    let attribute = json!({"type": "user", "attributes": {key: "gold"}});
    let example = format!("window.experimentation.push({attribute});");
    Content { form, example }.render().expect("writing to memory does not fail")
}

/// The audiences that ask about each attribute.
fn users(project: &Project) -> Users {
    let ids: HashMap<&str, AttributeId> =
        project.attributes.iter().map(|one| (one.key.as_str(), one.id)).collect();
    let mut users = Users::default();
    for audience in &project.audiences {
        for condition in audience.conditions.tree.leaves() {
            let name = condition
                .name
                .as_deref()
                .filter(|_| condition.kind == ConditionKind::CustomAttribute);
            if let Some(id) = name.and_then(|name| ids.get(name)) {
                users.add(id, audience.name.as_deref().unwrap_or(audience.key.as_str()));
            }
        }
    }
    users
}
