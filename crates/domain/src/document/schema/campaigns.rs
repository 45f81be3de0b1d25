//! Campaigns, experiments and variations.

use serde_json::{Value, json};

use super::parts::{Definition, about, entity, list_of, object, reference_to, switch, with, word};
use crate::limits::{MAX_CAMPAIGN_TAGS, MAX_CHANGES, MAX_ENTITIES};
use crate::{CampaignKind, CampaignStatus};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        ("campaign", campaign()),
        ("schedule", schedule()),
        ("experiment", experiment()),
        (
            "whom",
            json!({
                "description": "Which visitors an experiment targets: `everyone`, an audience, or a tree such as [or, phones, [not, members]].",
                "anyOf": [
                    reference_to("reference"),
                    {"type": "array", "items": reference_to("whom"), "minItems": 1},
                ],
            }),
        ),
        ("variation", variation()),
    ]
}

fn campaign() -> Value {
    let mut groups = list_of("reference", MAX_ENTITIES);
    groups = json!({"type": "array", "items": groups, "maxItems": MAX_ENTITIES});
    let mut experiments = list_of("experiment", MAX_ENTITIES);
    experiments["minItems"] = json!(1);
    let fields = [
        ("description", reference_to("description")),
        (
            "tags",
            with(list_of("campaign_tag", MAX_CAMPAIGN_TAGS), "Words to find it by.", json!([])),
        ),
        ("hypothesis", about(reference_to("description"), "What members expect of it, and why.")),
        ("owner", about(reference_to("name"), "The person or team responsible for it.")),
        (
            "type",
            about(
                word::<CampaignKind>(),
                "An A/B test has one experiment, a personalization one or more.",
            ),
        ),
        (
            "status",
            with(
                word::<CampaignStatus>(),
                "Its stage of life; the snippet has only running and shipped campaigns.",
                json!(CampaignStatus::NotStarted),
            ),
        ),
        (
            "shipped",
            switch("Whether every visitor it targets gets the winners, once it is concluded."),
        ),
        ("schedule", reference_to("schedule")),
        (
            "pages",
            with(list_of("reference", MAX_ENTITIES), "The pages on which it runs.", json!([])),
        ),
        (
            "holdback",
            with(
                reference_to("share"),
                "Share of visitors who are bucketed but shown nothing.",
                json!(0),
            ),
        ),
        (
            "priorities",
            with(
                groups,
                "Groups of equally important experiments, the most important first.",
                json!([]),
            ),
        ),
        (
            "changes",
            with(list_of("change", MAX_CHANGES), "Changes shared by all variations.", json!([])),
        ),
        ("metrics", with(reference_to("campaign_metrics"), "What it is measured by.", json!({}))),
        ("plan", reference_to("plan")),
        ("experiments", about(experiments, "What visitors are bucketed into.")),
    ];
    entity(
        "A container of experiments that run on the same pages.",
        fields,
        &["type", "experiments"],
    )
}

fn schedule() -> Value {
    let fields = [
        ("start", about(reference_to("minute"), "When it starts.")),
        ("stop", about(reference_to("minute"), "When it stops.")),
        (
            "time_zone",
            with(reference_to("time_zone"), "The time zone of both times.", json!("UTC")),
        ),
    ];
    let mut schema = object("When a campaign starts and stops automatically.", fields, &[]);
    schema["anyOf"] = json!([{"required": ["start"]}, {"required": ["stop"]}]);
    schema
}

fn experiment() -> Value {
    let mut variations = list_of("variation", MAX_ENTITIES);
    variations["minItems"] = json!(1);
    let fields = [
        ("audiences", with(reference_to("whom"), "Which visitors it targets.", json!("everyone"))),
        ("variations", about(variations, "The alternatives; a variation's index is its place.")),
        (
            "winner",
            about(
                reference_to("reference"),
                "The variation that members concluded to be the best; visitors get it once the campaign is shipped.",
            ),
        ),
        (
            "archived",
            switch("Whether it is archived: it keeps its priority, but is not in the snippet."),
        ),
    ];
    entity("What a visitor is bucketed into within a campaign.", fields, &["variations"])
}

fn variation() -> Value {
    let fields = [
        ("weight", about(reference_to("share"), "Share of the experiment's visitors.")),
        ("changes", with(list_of("change", MAX_CHANGES), "What it does to the page.", json!([]))),
        (
            "paused",
            switch("Whether it is stopped: its visitors keep it, but see the page unchanged."),
        ),
        ("archived", switch("Whether it is archived: it keeps its place, and has the weight 0.")),
    ];
    entity("One alternative of an experiment.", fields, &["weight"])
}
