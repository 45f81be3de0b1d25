//! `/projects/{id}/metrics`: what results compare between variations.

mod filters;

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::{
    CampaignStatus, Fault, GoodDirection, MeasuredEvents, Metric, MetricKind, MetricType, Pointer,
    Project,
};
use events::DoubtfulNumber;
use oauth::Timestamp;
use serde_json::{Map, Value, json};

use crate::choices;
use crate::edit::edited::Edited;
use crate::edit::field::{Field, Further};
use crate::edit::shape::{Shape, doubtful, percent};
use crate::edit::{Editor, Form, Listing, Users};
use crate::project_frame::Tab;

pub(crate) static EDITOR: Editor = Editor {
    kind: ResourceKind::Metric,
    tab: Tab::Metrics,
    blank: || json!({"name": null, "key": null, "type": "conversion", "event": null, "where": {}, "good": "up"}),
    shapes: &[
        ("/name", Shape::Line),
        ("/key", Shape::Line),
        ("/type", Shape::Line),
        ("/event", Shape::Line),
        ("/value", Shape::Line),
        ("/where/*/key", Shape::Line),
        ("/where/*/kind", Shape::Line),
        ("/where/*/value", Shape::Line),
        ("/per/event", Shape::Line),
        ("/per/value", Shape::Line),
        ("/per/where/*/key", Shape::Line),
        ("/per/where/*/kind", Shape::Line),
        ("/per/where/*/value", Shape::Line),
        ("/quantile", Shape::Percent),
        ("/window", Shape::Line),
        ("/cap", Shape::Number),
        ("/covariate", Shape::Line),
        ("/good", Shape::Line),
    ],
    element: |list, _| matches!(list, "/where" | "/per/where").then(filters::new_filter),
    opened,
    closed,
    refuses,
    content,
    form_path: "",
    listing: Some(Listing {
        title: "Metrics",
        about: "What results compare between variations: how many visitors do something, how often, and what it is worth.",
        sentence,
        users: Some(users),
    }),
    above: |project, _| (format!("/projects/{project}/metrics"), "Metrics".to_owned()),
};

const TYPES: &[(&str, &str)] = &[
    ("conversion", "Conversion: the share of visitors with the event"),
    ("count", "Count: events per visitor"),
    ("sum", "Sum: what a visitor's events are worth together"),
    ("mean", "Mean: what one event is worth"),
    ("ratio", "Ratio: one total divided by another"),
    ("quantile", "Quantile of what visitors' events are worth together"),
];

const DIRECTIONS: &[(&str, &str)] = &[("up", "More is better"), ("down", "Less is better")];

/// The type of metric that the form shows. What was sent there may be none.
fn type_of(metric: &Value) -> Option<MetricType> {
    let types = [
        MetricType::Conversion,
        MetricType::Count,
        MetricType::Sum,
        MetricType::Mean,
        MetricType::Ratio,
        MetricType::Quantile,
    ];
    types.into_iter().find(|one| metric["type"] == one.word())
}

fn has_value(metric_type: MetricType) -> bool {
    !matches!(metric_type, MetricType::Conversion | MetricType::Count)
}

fn has_cap(metric_type: MetricType) -> bool {
    matches!(metric_type, MetricType::Count | MetricType::Sum)
}

fn has_covariate(metric_type: MetricType) -> bool {
    matches!(metric_type, MetricType::Conversion | MetricType::Count | MetricType::Sum)
}

/// Filters are lists in the form, and a denominator can be filled in where there is none.
fn opened(mut metric: Value) -> Value {
    metric["where"] = filters::opened(&metric["where"]);
    if metric["per"].is_null() {
        metric["per"] = json!({"event": null, "where": {}, "value": null});
    }
    metric["per"]["where"] = filters::opened(&metric["per"]["where"]);
    metric
}

/// Leaves out what metrics of this type do not have.
fn closed(mut metric: Value) -> Value {
    metric["where"] = filters::closed(&metric["where"]);
    if metric["per"].is_object() {
        metric["per"]["where"] = filters::closed(&metric["per"]["where"]);
    }
    let Some(metric_type) = type_of(&metric) else { return metric };
    for (field, is_there) in [
        ("value", has_value(metric_type)),
        ("per", metric_type == MetricType::Ratio),
        ("quantile", metric_type == MetricType::Quantile),
        ("cap", has_cap(metric_type)),
        ("covariate", has_covariate(metric_type)),
    ] {
        if !is_there {
            metric[field] = Value::Null;
        }
    }
    metric
}

fn refuses(Edited { now, .. }: &Edited, wanted: &Map<String, Value>, _: Timestamp) -> Vec<Fault> {
    let mut faults = filters::refuses(&Pointer::root().field("where"), &now["where"]);
    if wanted.get("per").is_some_and(Value::is_object) {
        let at = Pointer::root().field("per").field("where");
        faults.extend(filters::refuses(&at, &now["per"]["where"]));
    }
    let cap = wanted.get("cap").and_then(Value::as_str);
    faults.extend(cap.and_then(|text| Some(doubtful_cap(text, &doubtful(text)?))));
    faults
}

fn doubtful_cap(text: &str, DoubtfulNumber { thousands, fraction }: &DoubtfulNumber) -> Fault {
    let message = format!("`{text}` may be {thousands} or {fraction}: write one of these");
    Fault::error("doubtful_number", Pointer::root().field("cap"), message)
}

#[derive(Template)]
#[template(path = "edit/metric.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    measured: CountedEvents,
    per: Option<CountedEvents>,
    quantile: Option<Field>,
    further: Further,
}

/// Which events count, and for how much.
struct CountedEvents {
    fields: Vec<Field>,
    filters: String,
}

fn content(form: &Form<'_>, draft: &Draft) -> String {
    let metric_type = type_of(form.value).unwrap_or(MetricType::Conversion);
    let project = &draft.project;
    let content = Content {
        measured: measured(form, project, "", metric_type),
        per: (metric_type == MetricType::Ratio)
            .then(|| measured(form, project, "/per", metric_type)),
        quantile: (metric_type == MetricType::Quantile).then(|| {
            let hint = "`50` is the median, `95` what only one visitor in twenty is above.";
            form.field("/quantile", "Which quantile, in percent", hint)
        }),
        further: Further::of(further(form, metric_type)),
        form,
    };
    content.render().expect("writing to memory does not fail")
}

fn measured(
    form: &Form<'_>,
    project: &Project,
    at: &str,
    metric_type: MetricType,
) -> CountedEvents {
    let events = choices::events(project);
    let mut fields = vec![form.choice(&format!("{at}/event"), "Event", "", events)];
    // What a ratio is divided by has a value, too.
    if has_value(metric_type) {
        let hint = match metric_type {
            MetricType::Ratio | MetricType::Quantile => {
                "`revenue`, `value`, or a property with a number. Without one, each event counts one."
            }
            MetricType::Sum | MetricType::Mean | MetricType::Conversion | MetricType::Count => {
                "`revenue`, `value`, or a property with a number."
            }
        };
        fields.push(form.field(&format!("{at}/value"), "What an event is worth", hint));
    }
    CountedEvents { fields, filters: filters::content(form, &format!("{at}/where")) }
}

fn further(form: &Form<'_>, metric_type: MetricType) -> Vec<Field> {
    let mut further = vec![form.field(
        "/window",
        "Counts for",
        "How long after a visitor's first exposure: `14d`, `72h`. Without one, all counts.",
    )];
    if has_cap(metric_type) {
        let hint = "The most that one visitor can be worth, so that one reseller does not decide. Revenue is in cents.";
        further.push(form.field("/cap", "At most", hint));
    }
    if has_covariate(metric_type) {
        let hint = "Days such as `14d`: what visitors did then makes intervals narrower.";
        further.push(form.field("/covariate", "Compared with the days before", hint));
    }
    further
}

fn sentence(metric: &Value, project: &Project) -> String {
    let id = metric["id"].as_str().unwrap_or_default();
    let metric = project.metrics.iter().find(|one| one.id.to_string() == id);
    metric.map(|metric| words(metric, project)).unwrap_or_default()
}

fn words(metric: &Metric, project: &Project) -> String {
    let what = event_in_words(&metric.measured, project);
    let worth = worth(&metric.measured, project);
    let words = match &metric.kind {
        MetricKind::Conversion { .. } => format!("The share of visitors with {what}"),
        MetricKind::Count { .. } => format!("How often a visitor has {what}"),
        MetricKind::Sum { .. } => format!("The {worth} per visitor"),
        MetricKind::Mean => format!("The {worth}, per event"),
        MetricKind::Ratio { per } => {
            format!("The {worth}, divided by the {}", self::worth(per, project))
        }
        MetricKind::Quantile { level } => {
            format!("The {} % quantile of the {worth}", percent(*level))
        }
    };
    let window = metric.window.map(|window| format!(", for {window}")).unwrap_or_default();
    let direction = match metric.good {
        GoodDirection::Up => "",
        GoodDirection::Down => " Less is better.",
    };
    format!("{words}{window}.{direction}")
}

/// The event, and which of them count.
fn event_in_words(measured: &MeasuredEvents, project: &Project) -> String {
    let event = project.events.iter().find(|event| event.id == measured.event);
    let name = event.map_or("", |one| one.name.as_deref().unwrap_or(one.key.as_str()));
    let filters: Vec<_> = measured.filters.iter().map(|filter| filter.name.as_str()).collect();
    if filters.is_empty() { name.to_owned() } else { format!("{name} (by {})", filters.join(", ")) }
}

fn worth(measured: &MeasuredEvents, project: &Project) -> String {
    let what = event_in_words(measured, project);
    match &measured.value {
        Some(value) => format!("{value} of {what}"),
        None => format!("number of {what}"),
    }
}

/// The campaigns that are measured by it: by all that there are where they name none.
fn users(project: &Project) -> Users {
    let mut users = Users::default();
    let present = || project.metrics.iter().filter(|metric| !metric.archived);
    for campaign in &project.campaigns {
        if campaign.metrics.all().next().is_some() {
            users.add_all(campaign.metrics.all(), campaign.title());
        } else if campaign.status != CampaignStatus::Archived {
            users.add_all(present().map(|metric| metric.id), campaign.title());
        }
    }
    users
}
