//! What is told of the addresses of resources, for each kind.

use app::documents::ResourceKind;
use oauth::Scope;
use serde_json::json;

use crate::openapi::Operation;
use crate::resources::ActedOnCampaignsDto;
use crate::resources::Choice;
use crate::resources::filter::{Filter, Sorting, WhichState};

/// Who may say what visitors get.
const WRITER: &str = "editor";

pub(super) fn list(kind: ResourceKind) -> Operation {
    let plural = kind.collection();
    let operation = Operation::new(
        format!("list_{plural}"),
        format!("List the {plural} of a project"),
    )
    .needs(Scope::ConfigRead, "viewer")
    .query("archived", &Choice::schema(), Choice::DESCRIPTION)
    .query("state", &WhichState::schema(), STATE)
    .query(
        "q",
        &json!({"type": "string"}),
        "Those that have each of these words in their name, key, description, tags, owner or type, or this as their whole id or status.",
    )
    .query("key", &json!({"type": "string"}), "The one with this key.")
    .query("sort", &Sorting::schema(), Sorting::DESCRIPTION)
    .with_shared("if_none_match_or_not")
    .answers_pages_of(&schema(kind))
    .answers_not_modified()
    .may_be(&[409]);
    filters(kind).iter().fold(operation, |operation, (name, description)| {
        let schema = match *name {
            "status" => Filter::status_schema(),
            _ => json!({"type": "string"}),
        };
        operation.query(name, &schema, description)
    })
}

/// What a list can be narrowed by.
fn filters(kind: ResourceKind) -> &'static [(&'static str, &'static str)] {
    const STATUS: (&str, &str) = ("status", "Those whose campaign has this status.");
    const CAMPAIGN: (&str, &str) = ("campaign_id", "Those of this campaign.");
    match kind {
        ResourceKind::Campaign => {
            &[STATUS, ("tag", "Those with this tag."), ("owner", "Those of this owner.")]
        }
        ResourceKind::Experiment => &[STATUS, CAMPAIGN],
        ResourceKind::Variation => &[CAMPAIGN, ("experiment_id", "Those of this experiment.")],
        ResourceKind::Attribute
        | ResourceKind::Page
        | ResourceKind::Audience
        | ResourceKind::Event
        | ResourceKind::Metric
        | ResourceKind::Group => &[],
    }
}

pub(super) fn create(kind: ResourceKind) -> Operation {
    let word = kind.word();
    Operation::new(format!("create_{word}"), format!("Add {}", one(kind)))
        .needs(Scope::ConfigWrite, WRITER)
        .takes(&format!("{word}_to_add"))
        .answers_tagged(201, &schema(kind))
        .with_header(201, "Location")
        .may_be(&[409])
}

pub(super) fn show(kind: ResourceKind) -> Operation {
    Operation::new(format!("get_{}", kind.word()), format!("Read {}", one(kind)))
        .needs(Scope::ConfigRead, "viewer")
        .query("state", &WhichState::schema(), STATE)
        .with_shared("if_none_match_or_not")
        .answers_tagged(200, &schema(kind))
        .answers_not_modified()
        .may_be(&[409])
}

pub(super) fn list_references() -> Operation {
    Operation::new("list_audience_references", "List the experiments that name an audience")
        .needs(Scope::ConfigRead, "viewer")
        .answers_list_of("experiment_reference")
}

const STATE: &str = "Of the draft, or as visitors get it.";

pub(super) fn change(kind: ResourceKind) -> Operation {
    let word = kind.word();
    Operation::new(format!("change_{word}"), format!("Change {} by a merge patch", one(kind)))
        .needs(Scope::ConfigWrite, WRITER)
        .if_match()
        .takes(&format!("{word}_patch"))
        .answers_tagged(200, &schema(kind))
        .may_be(&[409])
}

pub(super) fn archive(kind: ResourceKind) -> Operation {
    Operation::new(format!("archive_{}", kind.word()), format!("Archive {}", one(kind)))
        .needs(Scope::ConfigWrite, WRITER)
        .if_match_is_heeded()
        .answers_nothing()
        .may_be(&[409, 422])
}

pub(super) fn act(kind: ResourceKind) -> Operation {
    let word = kind.word();
    Operation::new(format!("act_on_{word}"), format!("Start an action on {}", one(kind)))
        .needs(Scope::ConfigWrite, "editor; scope `publish` and publisher where visitors notice")
        .if_match_is_heeded()
        .takes(&format!("{word}_action"))
        .answers_tagged(200, &schema(kind))
        .may_be(&[409])
}

pub(super) fn act_on_all() -> Operation {
    let summary =
        "Pause every campaign that runs, or take back every scheduled start, in one revision";
    Operation::new("act_on_campaigns", summary)
        .needs(Scope::Publish, "publisher")
        .takes("campaigns_action")
        .answers_dto::<ActedOnCampaignsDto>(200)
        .may_be(&[409])
}

pub(super) fn start_new_phase() -> Operation {
    Operation::new(
        "start_phase",
        "Start a new phase: a copy in the experiment's place, whose visitors are drawn anew",
    )
    .needs(Scope::ConfigWrite, WRITER)
    .if_match_is_heeded()
    .takes("phase_patch")
    .answers_tagged(201, "phase_resource")
    .may_be(&[409])
}

fn schema(kind: ResourceKind) -> String {
    format!("{}_resource", kind.word())
}

/// The kind with its article.
fn one(kind: ResourceKind) -> String {
    let word = kind.word();
    let article = if word.starts_with(['a', 'e']) { "an" } else { "a" };
    format!("{article} {word}")
}
