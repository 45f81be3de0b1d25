//! `/projects/{id}/campaigns`: the campaigns of a project, and the form in which one is made and edited with its experiments, their
//! variations and their changes. A campaign's own page is `campaign.rs`.

mod audiences;
mod changes;
mod measures;
mod priorities;
mod schedule;
mod summary;
mod weights;

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::BasisPoints;
use domain::Project;
use serde_json::{Value, json};

use crate::campaigns::audiences::are_boxes;
pub(crate) use crate::campaigns::changes::change_words;
use crate::campaigns::changes::{ChangeList, new_change};
use crate::campaigns::priorities::PRIORITY;
use crate::choices;
use crate::conditions::{self, Node, Subject};
use crate::edit::field::{Field, Further};
use crate::edit::shape::{Shape, Shapes, total_percent};
use crate::edit::{Editor, Form, Listing, make_keys};
use crate::project_frame::Tab;

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
            "metrics": {"primary": [], "secondary": [], "guardrails": []},
            "plan": null,
            "experiments": [{"name": null, "audiences": "everyone", "variations": [original, other]}],
        })
    },
    shapes: SHAPES,
    element,
    opened,
    closed,
    refuses: |edited, wanted, now| {
        let mut faults = weights::refuses(&edited.was, wanted);
        faults.extend(schedule::refuses(&edited.was, wanted, now));
        faults
    },
    content,
    form_path: "/edit",
    listing: Some(Listing {
        title: "Campaigns",
        about: "What visitors get: A/B tests, whose variations are compared, and personalizations for audiences.",
        sentence: summary::summary_line,
        users: None,
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
    ("/schedule/start", Shape::Minute),
    ("/schedule/stop", Shape::Minute),
    ("/schedule/time_zone", Shape::Line),
    ("/metrics/primary", Shape::Choices),
    ("/metrics/secondary", Shape::Choices),
    ("/metrics/guardrails/*/metric", Shape::Line),
    ("/metrics/guardrails/*/margin", Shape::Percent),
    ("/plan/effect", Shape::Percent),
    ("/plan/power", Shape::Percent),
    ("/plan/confidence", Shape::Percent),
    ("/plan/until", Shape::Line),
    ("/plan/method", Shape::Line),
    ("/plan/max_loss", Shape::Percent),
    ("/experiments/*/name", Shape::Line),
    ("/experiments/*/key", Shape::Line),
    ("/experiments/*/priority", Shape::Number),
    ("/experiments/*/audiences", Shape::Choices),
    ("/experiments/*/audiences/**/0", Shape::Line),
    ("/experiments/*/audiences/**/audience", Shape::Line),
    ("/experiments/*/variations/*/name", Shape::Line),
    ("/experiments/*/variations/*/key", Shape::Line),
    ("/experiments/*/variations/*/weight", Shape::Percent),
    ("/experiments/*/variations/*/paused", Shape::YesNo),
    ("/***/changes/*/selector", Shape::Line),
    ("/***/changes/*/value", Shape::Text),
    ("/***/changes/*/name", Shape::Line),
    ("/***/changes/*/to", Shape::Line),
    ("/***/changes/*/position", Shape::Line),
    ("/***/changes/*/destination", Shape::Line),
    ("/***/changes/*/destination_code", Shape::Text),
    ("/***/changes/*/preserve_parameters", Shape::YesNo),
    ("/***/changes/*/allow_chain", Shape::YesNo),
    ("/***/changes/*/page", Shape::Line),
    ("/***/changes/*/async", Shape::YesNo),
    ("/***/changes/*/id", Shape::Line),
    ("/***/changes/*/depends_on", Shape::Lines),
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
            "key": null,
            PRIORITY: 1,
            "audiences": [],
            "variations": [variation("Only", BasisPoints::ALL.get())],
        })),
        Some("variations") => Some(variation("Variation", 0)),
        Some("changes") => new_change(word),
        Some("guardrails") => Some(measures::new_guardrail()),
        _ if list.contains("/audiences") => conditions::new_node(word),
        _ => None,
    }
}

/// A schedule can be filled in where there is none, an experiment without a name is called as its campaign and has its priority itself,
/// and audiences in an any-of are boxes.
fn opened(mut campaign: Value) -> Value {
    if campaign["schedule"].is_null() {
        campaign["schedule"] = json!({"start": null, "stop": null, "time_zone": null});
    }
    measures::open(&mut campaign);
    for experiment in experiments_of(&mut campaign) {
        experiment["audiences"] = audiences::opened(&experiment["audiences"]);
    }
    priorities::open(&mut campaign);
    campaign
}

fn closed(mut campaign: Value) -> Value {
    let schedule = campaign["schedule"].as_object();
    if schedule.is_some_and(|schedule| schedule.values().all(Value::is_null)) {
        campaign["schedule"] = Value::Null;
    }
    measures::close(&mut campaign);
    let name = campaign["name"].clone();
    for experiment in experiments_of(&mut campaign) {
        experiment["audiences"] = audiences::closed(&experiment["audiences"]);
        if experiment["name"].is_null() && experiment["key"].is_null() {
            experiment["name"] = name.clone();
        }
        if let Some(variations) = experiment["variations"].as_array_mut() {
            make_keys(variations, "variation");
        }
    }
    if let Some(experiments) = campaign["experiments"].as_array_mut() {
        make_keys(experiments, "experiment");
    }
    priorities::close(&mut campaign);
    campaign
}

fn experiments_of(campaign: &mut Value) -> impl Iterator<Item = &mut Value> {
    let experiments = campaign["experiments"].as_array_mut();
    experiments.into_iter().flatten().filter(|experiment| experiment.is_object())
}

#[derive(Template)]
#[template(path = "edit/campaign.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    project: &'a Project,
    is_personalization: bool,
    experiments: Vec<Experiment<'a>>,
    changes: ChangeList,
    measures: String,
    further: Further,
}

struct Experiment<'a> {
    at: String,
    title: String,
    identity: Vec<Field>,
    audiences: Whom,
    variations: Vec<Variation<'a>>,
    total: String,
    is_whole: bool,
}

/// Audiences as boxes or as a tree.
enum Whom {
    AnyOf(Field),
    Tree(Node),
}

struct Variation<'a> {
    at: String,
    title: &'a str,
    fields: Vec<Field>,
    changes: ChangeList,
}

fn content(form: &Form<'_>, draft: &Draft) -> String {
    let project = &draft.project;
    let places = form.elements("/experiments");
    let is_personalization = form.text("/type") == "personalization";
    let count = if is_personalization { places.len() } else { 0 };
    let experiments: Vec<_> =
        places.iter().map(|at| experiment(form, project, at, count)).collect();
    let of_test = if is_personalization { None } else { places.first() };
    let content = Content {
        is_personalization,
        experiments,
        changes: ChangeList::of(form, project, "/changes", "all variations"),
        measures: measures::content(form, project),
        further: Further::of(further(form, of_test)),
        form,
        project,
    };
    content.render().expect("writing to memory does not fail")
}

/// The part of an experiment that is one of so many; of a personalization's, or else the count is 0.
fn experiment<'a>(form: &'a Form<'_>, project: &Project, at: &str, count: usize) -> Experiment<'a> {
    let variations = form.elements(&format!("{at}/variations"));
    let weights = variations.iter().map(|at| form.at(&format!("{at}/weight")).as_u64());
    let total: u64 = weights.flatten().sum();
    let name = form.text(&format!("{at}/name"));
    let is_one_of_many = count > 0;
    let title = if is_one_of_many { "Experience" } else { "Experiment" };
    Experiment {
        title: if name.is_empty() { title.to_owned() } else { name.to_owned() },
        identity: if is_one_of_many { experience(form, at, count) } else { Vec::new() },
        audiences: whom(form, project, &format!("{at}/audiences")),
        variations: variations.into_iter().map(|at| variation_part(form, project, at)).collect(),
        is_whole: total == u64::from(BasisPoints::ALL.get()),
        total: total_percent(total),
        at: at.to_owned(),
    }
}

/// The fields of a personalization's experiment.
fn experience(form: &Form<'_>, at: &str, count: usize) -> Vec<Field> {
    let hint = "A visitor gets one of the first priority that fits; equals share the visitors.";
    let priorities = priorities::choices(count);
    let priority = form.choice(&format!("{at}/{PRIORITY}"), "Priority", hint, priorities);
    identity(form, at).into_iter().chain([priority]).collect()
}

fn identity(form: &Form<'_>, at: &str) -> Vec<Field> {
    vec![
        form.field(
            &format!("{at}/name"),
            "Name of the experiment",
            "Without one, it is called as the campaign.",
        ),
        form.field(
            &format!("{at}/key"),
            "Key of the experiment",
            "Without one, Assay makes it from the name.",
        ),
    ]
}

fn whom(form: &Form<'_>, project: &Project, at: &str) -> Whom {
    if are_boxes(form.at(at)) {
        let hint = "Visitors in one of these; everyone, if none is checked.";
        return Whom::AnyOf(form.choice(at, "Audiences", hint, choices::audiences(project)));
    }
    Whom::Tree(conditions::root(form, project, at, Subject::Experiment))
}

/// What few members need. The experiment of a test is called as its campaign, unless they want it otherwise.
fn further(form: &Form<'_>, of_test: Option<&String>) -> Vec<Field> {
    let field = |at: &str, label: &str, hint| form.field(at, label, hint);
    let mut further = vec![
        field("/description", "Description", "").prose(),
        field("/owner", "Owner", "The person or team responsible for it."),
        field("/tags", "Tags", "One per line."),
        field("/schedule/start", "Starts", "Local time, as `2026-12-01 09:00`."),
        field("/schedule/stop", "Stops", ""),
        field("/schedule/time_zone", "Time zone", "Such as `Europe/Berlin`."),
    ];
    further.extend(of_test.into_iter().flat_map(|at| identity(form, at)));
    further
}

fn variation_part<'a>(form: &'a Form<'_>, project: &Project, at: String) -> Variation<'a> {
    let field = |name: &str, label: &str, hint| form.field(&format!("{at}/{name}"), label, hint);
    let name = form.text(&format!("{at}/name"));
    let whose = if name.is_empty() { "Variation" } else { name };
    Variation {
        title: whose,
        fields: vec![
            field("name", "Name", ""),
            field("key", "Key", "Without one, Assay makes it from the name."),
            field("weight", "Share of visitors in percent", ""),
            field(
                "paused",
                "Paused: its visitors see no change",
                "In the draft. The campaign's page pauses it at once.",
            ),
        ],
        changes: ChangeList::of(form, project, &format!("{at}/changes"), whose),
        at,
    }
}
