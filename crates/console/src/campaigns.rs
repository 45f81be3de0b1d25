//! `/projects/{id}/campaigns`: the campaigns of a project, and the form in which one is made and edited with its experiments, their
//! variations and their changes. A campaign's own page is `campaign.rs`.

mod audiences;
mod changes;
mod weights;

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::BasisPoints;
use domain::Project;
use serde_json::{Value, json};

use crate::campaigns::audiences::{ANY_OF, is_simple};
pub(crate) use crate::campaigns::changes::change_words;
use crate::campaigns::changes::{CHANGE_TYPES, ChangeList, new_change};
use crate::choices;
use crate::edit::field::Field;
use crate::edit::shape::{Shape, Shapes, total_percent};
use crate::edit::{Editor, Form, Listing, Users};
use crate::project_frame::Tab;
use crate::projects::{kind_words, status_words};

pub(crate) static EDITOR: Editor = Editor {
    kind: ResourceKind::Campaign,
    tab: Tab::Campaigns,
    blank: || {
        let original = variation("Original", 5_000);
        let other = variation("Variation", 5_000);
        json!({
            "name": null,
            "key": null,
            "type": "ab_test",
            "pages": [],
            "description": null,
            "hypothesis": null,
            "owner": null,
            "tags": [],
            "holdback": 0,
            "schedule": null,
            "changes": [],
            "experiments": [{"name": null, "audiences": "everyone", "variations": [original, other]}],
        })
    },
    shapes: SHAPES,
    element,
    opened,
    closed,
    refuses: weights::refuses,
    content,
    form_path: "/edit",
    listing: Some(Listing {
        title: "Campaigns",
        about: "What visitors get: A/B tests, whose variations are compared, and personalizations for audiences.",
        sentence,
        users: |_| Users::default(),
    }),
    above: |project, campaign| match campaign["id"].as_str() {
        Some(id) => (format!("/projects/{project}/campaigns/{id}"), "Campaign".to_owned()),
        None => (format!("/projects/{project}/campaigns"), "Campaigns".to_owned()),
    },
};

const SHAPES: Shapes = &[
    ("/name", Shape::Line),
    ("/key", Shape::Line),
    ("/type", Shape::Line),
    ("/pages", Shape::Choices),
    ("/description", Shape::Trimmed),
    ("/hypothesis", Shape::Trimmed),
    ("/owner", Shape::Line),
    ("/tags", Shape::Lines),
    ("/holdback", Shape::Percent),
    ("/schedule/start", Shape::Line),
    ("/schedule/stop", Shape::Line),
    ("/schedule/time_zone", Shape::Line),
    ("/experiments/*/name", Shape::Line),
    ("/experiments/*/any_of", Shape::Choices),
    ("/experiments/*/variations/*/name", Shape::Line),
    ("/experiments/*/variations/*/key", Shape::Line),
    ("/experiments/*/variations/*/weight", Shape::Percent),
    ("/experiments/*/variations/*/paused", Shape::YesNo),
    ("/experiments/*/variations/*/changes/*/selector", Shape::Line),
    ("/experiments/*/variations/*/changes/*/value", Shape::Text),
    ("/experiments/*/variations/*/changes/*/name", Shape::Line),
    ("/experiments/*/variations/*/changes/*/to", Shape::Line),
    ("/experiments/*/variations/*/changes/*/position", Shape::Line),
    ("/experiments/*/variations/*/changes/*/destination", Shape::Line),
    ("/experiments/*/variations/*/changes/*/destination_code", Shape::Text),
    ("/experiments/*/variations/*/changes/*/preserve_parameters", Shape::YesNo),
    ("/experiments/*/variations/*/changes/*/allow_chain", Shape::YesNo),
    ("/experiments/*/variations/*/changes/*/page", Shape::Line),
    ("/experiments/*/variations/*/changes/*/async", Shape::YesNo),
    ("/experiments/*/variations/*/changes/*/id", Shape::Line),
    ("/experiments/*/variations/*/changes/*/depends_on", Shape::Lines),
];

const TYPES: &[(&str, &str)] = &[
    ("ab_test", "A/B test: one experiment, whose variations are compared"),
    ("personalization", "Personalization: experiences for different audiences"),
];

fn variation(name: &str, weight: u16) -> Value {
    json!({"name": name, "key": null, "weight": weight, "changes": []})
}

/// The elements that the form's buttons add.
fn element(list: &str, word: &str) -> Option<Value> {
    match list.rsplit('/').next() {
        Some("experiments") => Some(json!({
            "name": null,
            ANY_OF: [],
            "variations": [variation("Only", BasisPoints::ALL.get())],
        })),
        Some("variations") => Some(variation("Variation", 0)),
        Some("changes") => new_change(word),
        _ => None,
    }
}

/// A schedule can be filled in where there is none, an experiment without a name is called as its campaign, and audiences in an any-of are boxes.
fn opened(mut campaign: Value) -> Value {
    if campaign["schedule"].is_null() {
        campaign["schedule"] = json!({"start": null, "stop": null, "time_zone": null});
    }
    for experiment in campaign["experiments"].as_array_mut().into_iter().flatten() {
        audiences::open(experiment);
    }
    campaign
}

fn closed(mut campaign: Value) -> Value {
    let schedule = campaign["schedule"].as_object();
    if schedule.is_some_and(|schedule| schedule.values().all(Value::is_null)) {
        campaign["schedule"] = Value::Null;
    }
    let name = campaign["name"].clone();
    for experiment in campaign["experiments"].as_array_mut().into_iter().flatten() {
        audiences::close(experiment);
        if experiment["name"].is_null() && experiment["key"].is_null() {
            experiment["name"] = name.clone();
        }
    }
    campaign
}

#[derive(Template)]
#[template(path = "edit/campaign.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    project: &'a Project,
    is_personalization: bool,
    experiments: Vec<Experiment<'a>>,
}

struct Experiment<'a> {
    at: String,
    title: String,
    name: Field,
    /// `None` where the audiences are more than an any-of.
    audiences: Option<Field>,
    variations: Vec<Variation<'a>>,
    total: String,
    is_whole: bool,
}

struct Variation<'a> {
    at: String,
    title: &'a str,
    fields: Vec<Field>,
    changes: ChangeList,
}

fn content(form: &Form<'_>, draft: &Draft) -> String {
    let project = &draft.project;
    let experiments = form.elements("/experiments").into_iter();
    let content = Content {
        is_personalization: form.text("/type") == "personalization",
        experiments: experiments.map(|at| experiment(form, project, at)).collect(),
        form,
        project,
    };
    content.render().expect("writing to memory does not fail")
}

fn experiment<'a>(form: &'a Form<'_>, project: &Project, at: String) -> Experiment<'a> {
    let variations = form.elements(&format!("{at}/variations"));
    let weights = variations.iter().map(|at| form.at(&format!("{at}/weight")).as_u64());
    let total: u64 = weights.flatten().sum();
    let name = form.text(&format!("{at}/name"));
    Experiment {
        title: if name.is_empty() { "Experiment".to_owned() } else { name.to_owned() },
        name: form.field(
            &format!("{at}/name"),
            "Name of the experiment",
            "Without one, it is called as the campaign.",
        ),
        audiences: is_simple(form.at(&at)).then(|| {
            let hint = "Visitors in one of these; everyone, if none is checked.";
            form.choice(&format!("{at}/{ANY_OF}"), "Audiences", hint, choices::audiences(project))
        }),
        variations: variations.into_iter().map(|at| variation_part(form, project, at)).collect(),
        is_whole: total == u64::from(BasisPoints::ALL.get()),
        total: total_percent(total),
        at,
    }
}

fn variation_part<'a>(form: &'a Form<'_>, project: &Project, at: String) -> Variation<'a> {
    let field = |name: &str, label: &str, hint| form.field(&format!("{at}/{name}"), label, hint);
    let name = form.text(&format!("{at}/name"));
    Variation {
        title: if name.is_empty() { "Variation" } else { name },
        fields: vec![
            field("name", "Name", ""),
            field("key", "Key", "Without one, Assay makes it from the name."),
            field("weight", "Share of visitors in percent", ""),
            field("paused", "Paused: its visitors see no change", ""),
        ],
        changes: ChangeList::of(form, project, &format!("{at}/changes")),
        at,
    }
}

fn sentence(campaign: &Value, _: &Project) -> String {
    let text = |name: &str| campaign[name].as_str().unwrap_or_default();
    let experiments = campaign["experiments"].as_array().map_or(&[][..], Vec::as_slice);
    let variations = experiments.iter().filter_map(|one| one["variations"].as_array());
    let count: usize = variations.map(Vec::len).sum();
    let kind = kind_words(text("type"));
    format!("{kind}, {}, {count} variations.", status_words(text("status")))
}
