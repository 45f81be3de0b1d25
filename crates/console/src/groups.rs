//! `/projects/{id}/groups`: campaigns of which a visitor sees at most one.

use std::collections::HashSet;

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::{BasisPoints, Project};
use serde_json::{Value, json};

use crate::choices;
use crate::edit::field::{Choice, Field};
use crate::edit::shape::{Shape, percent, total_percent};
use crate::edit::{Editor, Form, Listing, as_it_is, refuses_nothing};
use crate::project_frame::Tab;

pub(crate) static EDITOR: Editor = Editor {
    kind: ResourceKind::Group,
    tab: Tab::Groups,
    blank: || json!({"name": null, "key": null, "members": [member(), member()]}),
    shapes: &[
        ("/name", Shape::Line),
        ("/key", Shape::Line),
        ("/members/*/campaign", Shape::Line),
        ("/members/*/weight", Shape::Percent),
    ],
    element: |list, _| (list == "/members").then(member),
    opened: as_it_is,
    closed: as_it_is,
    refuses: refuses_nothing,
    content,
    form_path: "",
    listing: Some(Listing {
        title: "Groups",
        about: "Campaigns that exclude each other: a visitor sees at most one of a group.",
        sentence,
        users: None,
    }),
    above: |project, _| (format!("/projects/{project}/groups"), "Groups".to_owned()),
};

fn member() -> Value {
    json!({"campaign": null, "weight": 5000})
}

#[derive(Template)]
#[template(path = "edit/group.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    members: Vec<Member>,
    total: String,
    /// What the total means.
    meaning: String,
    is_too_much: bool,
}

struct Member {
    at: String,
    campaign: Field,
    weight: Field,
}

/// In a project with more campaigns, a member of a group is one campaign: to list all of them in each row would make megabytes.
const CHOICES_IN_EACH_ROW: usize = 50;

/// The campaigns that a row offers.
fn offered(campaigns: &[Choice], own: &str, taken: &HashSet<&str>) -> Vec<Choice> {
    let is_fixed = campaigns.len() > CHOICES_IN_EACH_ROW && !own.is_empty();
    let is_offered =
        |one: &&Choice| one.value == own || !is_fixed && !taken.contains(one.value.as_str());
    campaigns.iter().filter(is_offered).cloned().collect()
}

fn content(form: &Form<'_>, draft: &Draft) -> String {
    let campaigns = choices::campaigns(&draft.project);
    let chosen = |at: &str| form.at(&format!("{at}/campaign")).as_str().unwrap_or_default();
    let places = form.elements("/members");
    let taken = places.iter().map(|at| chosen(at)).collect();
    let members = form.elements("/members").into_iter().map(|at| Member {
        campaign: form.choice(
            &format!("{at}/campaign"),
            "Campaign",
            "",
            offered(&campaigns, chosen(&at), &taken),
        ),
        weight: form.field(&format!("{at}/weight"), "Share of visitors in percent", ""),
        at,
    });
    let weights = form.elements("/members");
    let weights = weights.iter().filter_map(|at| form.at(&format!("{at}/weight")).as_u64());
    let total: u64 = weights.sum();
    let all = u64::from(BasisPoints::ALL.get());
    let rest = all.checked_sub(total).and_then(|rest| BasisPoints::new(u16::try_from(rest).ok()?));
    let meaning = match rest {
        None => "more than all visitors. Lower some shares.".to_owned(),
        Some(BasisPoints::ZERO) => "every visitor gets one of the campaigns.".to_owned(),
        Some(rest) => format!("{} % of the visitors get none of the campaigns.", percent(rest)),
    };
    let content = Content {
        members: members.collect(),
        form,
        total: total_percent(total),
        meaning,
        is_too_much: rest.is_none(),
    };
    content.render().expect("writing to memory does not fail")
}

fn sentence(group: &Value, project: &Project) -> String {
    let members = group["members"].as_array().into_iter().flatten().map(|member| {
        let id = member["campaign"].as_str().unwrap_or_default();
        let campaign = project.campaigns.iter().find(|one| one.id.to_string() == id);
        let title = campaign.map_or(id, |one| one.title());
        format!("{title} {} %", total_percent(member["weight"].as_u64().unwrap_or_default()))
    });
    members.collect::<Vec<_>>().join(", ")
}
