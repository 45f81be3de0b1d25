//! A campaign as its page shows it.

use domain::{BasisPoints, Ending, Experiment, Project};
use oauth::Timestamp;
use serde_json::{Value, json};
use storage::ScheduledAction;

use crate::campaigns::change_words;
use crate::day;
use crate::edit::shape::percent;
use crate::words::{kind_words, status_words, title};

/// A campaign.
pub(super) struct CampaignView {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) status: String,
    pub(super) status_words: String,
    pub(super) kind: String,
    /// What it is about: labels and texts.
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) is_shipped: bool,
    /// Whether its experiments have begun, and have not ended.
    pub(super) is_begun: bool,
    pub(super) experiments: Vec<ExperimentView>,
}

/// An experiment of it.
pub(super) struct ExperimentView {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) standing: Standing,
    pub(super) audiences: String,
    pub(super) variations: Vec<VariationView>,
}

/// Where an experiment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// In the draft and live.
    Both,
    /// In the draft alone: no visitor has met it.
    Draft,
    /// Live alone: a new phase has replaced it in the draft.
    Replaced,
    /// Live alone: the draft ends it.
    Ends,
}

impl Standing {
    fn of_ended(how: Ending<'_>) -> Self {
        match how {
            Ending::Replaced(_) => Self::Replaced,
            Ending::Archived | Ending::Removed => Self::Ends,
        }
    }

    /// Whether publishing the draft ends it.
    pub(super) fn is_ended(self) -> bool {
        matches!(self, Self::Replaced | Self::Ends)
    }
}

/// A variation of that.
pub(super) struct VariationView {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) key: String,
    pub(super) share: String,
    /// The share in hundredths of the chart's width, and where it begins.
    pub(super) width: u64,
    pub(super) start: u64,
    pub(super) is_winner: bool,
    pub(super) is_paused: bool,
    pub(super) changes: Vec<String>,
}

impl CampaignView {
    /// The campaign of the draft, with what visitors still meet of the live one, of which the draft ends some experiments.
    pub(super) fn of(
        (project, now): (&Project, Timestamp),
        (campaign, missed): (&Value, &[ScheduledAction]),
        (live, ended): (Option<&Value>, &[(&Experiment, Ending<'_>)]),
    ) -> Self {
        let text = |name: &str| campaign[name].as_str().unwrap_or_default().to_owned();
        let status = text("status");
        let is_begun = matches!(status.as_str(), "running" | "paused");
        let live = live.map(experiments_of).unwrap_or_default();
        let draft = experiments_of(campaign);
        let in_draft = draft.iter().map(|&one| match with_id(&one["id"], &live) {
            Some(live) => ExperimentView::of((one, Some(live)), project, Standing::Both),
            None => ExperimentView::of((one, None), project, Standing::Draft),
        });
        let ended = ended.iter().filter(|_| is_begun).filter_map(|(experiment, how)| {
            let one = with_id(&json!(experiment.id.to_string()), &live)?;
            Some(ExperimentView::of((one, Some(one)), project, Standing::of_ended(*how)))
        });
        let experiments = ended.chain(in_draft).collect();
        Self {
            id: text("id"),
            title: title(campaign),
            status_words: status_words(&status),
            is_begun,
            status,
            kind: kind_words(&text("type")).to_owned(),
            facts: facts((campaign, missed), project, now),
            is_shipped: campaign["shipped"] == Value::Bool(true),
            experiments,
        }
    }
}

/// The experiments of a campaign that are not archived.
fn experiments_of(campaign: &Value) -> Vec<&Value> {
    let experiments = campaign["experiments"].as_array().into_iter().flatten();
    experiments.filter(|one| one["archived"] != Value::Bool(true)).collect()
}

fn with_id<'v>(wanted: &Value, experiments: &[&'v Value]) -> Option<&'v Value> {
    experiments.iter().find(|one| one["id"] == *wanted).copied()
}

fn facts(
    (campaign, missed): (&Value, &[ScheduledAction]),
    project: &Project,
    now: Timestamp,
) -> Vec<(&'static str, String)> {
    let text = |name: &str| campaign[name].as_str().unwrap_or_default().to_owned();
    let pages = names(&campaign["pages"], |id| {
        let page = project.pages.iter().find(|page| page.id.to_string() == id);
        page.map(|page| page.name.clone().unwrap_or_else(|| page.key.to_string()))
    });
    let metric = |id: &str| {
        let metric = project.metrics.iter().find(|metric| metric.id.to_string() == id);
        metric.map(|metric| metric.title().to_owned())
    };
    let tags = names(&campaign["tags"], |tag| Some(tag.to_owned()));
    let held = share(&campaign["holdback"]).filter(|share| share != "0");
    let schedule = &campaign["schedule"];
    let moment = |action: ScheduledAction| {
        let zone = schedule["time_zone"].as_str().unwrap_or_default();
        let written = schedule[action.as_str()].as_str()?.replace('T', " ");
        let then = if missed.contains(&action) { missed_words(action) } else { "" };
        Some(format!("{written} {zone}{then}"))
    };
    let facts = [
        ("Hypothesis", text("hypothesis")),
        ("Description", text("description")),
        ("Pages", pages),
        ("Primary metrics", names(&campaign["metrics"]["primary"], metric)),
        ("Secondary metrics", names(&campaign["metrics"]["secondary"], metric)),
        ("Guardrails", guardrails(&campaign["metrics"]["guardrails"], metric)),
        ("Plan", plan(&campaign["plan"], now)),
        ("Held back", held.map(|share| format!("{share} % of the visitors")).unwrap_or_default()),
        ("Starts", moment(ScheduledAction::Start).unwrap_or_default()),
        ("Stops", moment(ScheduledAction::Stop).unwrap_or_default()),
        ("Owner", text("owner")),
        ("Tags", tags),
    ];
    facts.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

/// What a missed moment means.
const fn missed_words(action: ScheduledAction) -> &'static str {
    match action {
        ScheduledAction::Start => {
            ": missed. It will no longer start by itself: start it, or choose another moment"
        }
        ScheduledAction::Stop => {
            ": missed. It does not stop by itself any more: conclude it, or choose another moment"
        }
    }
}

impl ExperimentView {
    /// An experiment, and the same as visitors meet it.
    fn of(
        (experiment, live): (&Value, Option<&Value>),
        project: &Project,
        standing: Standing,
    ) -> Self {
        let winner = &experiment["winner"];
        let live = live.and_then(|live| live["variations"].as_array());
        let live: Vec<_> = live.into_iter().flatten().collect();
        let variations = experiment["variations"].as_array().into_iter().flatten();
        let variations = variations.filter(|one| one["archived"] != Value::Bool(true));
        let mut start = 0;
        let variations = variations.map(|one| {
            let width = one["weight"].as_u64().unwrap_or_default();
            let changes = one["changes"].as_array().into_iter().flatten();
            let view = VariationView {
                id: one["id"].as_str().unwrap_or_default().to_owned(),
                title: title(one),
                key: one["key"].as_str().unwrap_or_default().to_owned(),
                share: share(&one["weight"]).unwrap_or_default(),
                width,
                start,
                is_winner: !winner.is_null() && (*winner == one["id"] || *winner == one["key"]),
                is_paused: with_id(&one["id"], &live).unwrap_or(one)["paused"] == Value::Bool(true),
                changes: changes.map(change_words).collect(),
            };
            start += width;
            view
        });
        Self {
            id: experiment["id"].as_str().unwrap_or_default().to_owned(),
            title: title(experiment),
            standing,
            variations: variations.collect(),
            audiences: audiences(&experiment["audiences"], project),
        }
    }
}

/// Audiences in words.
fn audiences(tree: &Value, project: &Project) -> String {
    match tree {
        Value::String(name) if name == "everyone" => "everyone".to_owned(),
        Value::String(name) => {
            let audience = project.audiences.iter().find(|one| one.id.to_string() == *name);
            let title = audience.map(|one| one.name.as_deref().unwrap_or(one.key.as_str()));
            title.unwrap_or(name).to_owned()
        }
        Value::Array(parts) => {
            let operator = parts.first().and_then(Value::as_str).unwrap_or("or");
            let names: Vec<_> = parts.iter().skip(1).map(|one| audiences(one, project)).collect();
            match (operator, names.as_slice()) {
                ("not", [one]) => format!("not {one}"),
                (_, [one]) => one.clone(),
                (operator, _) => format!("({})", names.join(&format!(" {operator} "))),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "everyone".to_owned(),
    }
}

fn names(list: &Value, name: impl Fn(&str) -> Option<String>) -> String {
    let names = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    names.map(|one| name(one).unwrap_or_else(|| one.to_owned())).collect::<Vec<_>>().join(", ")
}

fn guardrails(list: &Value, name: impl Fn(&str) -> Option<String>) -> String {
    let guardrails = list.as_array().into_iter().flatten().filter_map(|guardrail| {
        let id = guardrail["metric"].as_str()?;
        let margin = share(&guardrail["margin"])?;
        let name = name(id).unwrap_or_else(|| id.to_owned());
        Some(format!("{name}, worse by {margin} % at most"))
    });
    guardrails.collect::<Vec<_>>().join("; ")
}

/// A plan in words, and whether it is over; empty without one.
fn plan(plan: &Value, now: Timestamp) -> String {
    let effect = share(&plan["effect"]).map(|effect| format!("find an effect of {effect} %"));
    let until = plan["until"].as_str().map(|last| {
        let is_over = day::end(last).is_some_and(|end| end <= now);
        let over = if is_over { " (over: visitors who come later do not count)" } else { "" };
        format!("until {last}{over}")
    });
    // Only what is to be found by a certain day or size can be missed.
    let is_bound = effect.is_some() || until.is_some();
    let power = share(&plan["power"]).filter(|_| is_bound).map(|power| format!("power {power} %"));
    let confidence = share(&plan["confidence"]).map(|share| format!("confidence {share} %"));
    let once = (plan["method"] == "fixed_horizon").then(|| "told at the end alone".to_owned());
    let loss = share(&plan["max_loss"]);
    let loss = loss.map(|loss| format!("Bayesian, expected loss of {loss} % at most"));
    let parts: Vec<_> =
        [effect, until, once, loss, power, confidence].into_iter().flatten().collect();
    parts.join(", ")
}

/// Basis points as percent.
fn share(points: &Value) -> Option<String> {
    let points = u16::try_from(points.as_u64()?).ok()?;
    BasisPoints::new(points).map(percent)
}
