//! Decodes campaigns.

use std::collections::HashSet;

use super::campaign_metrics::campaign_metrics;
use super::changes::changes;
use super::experiments::experiments;
use super::fields::{Fields, list};
use super::identity::{Identity, Scope, entities};
use super::names::{named, reference};
use super::plans::plan;
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, description, name, share, tag, word};
use super::schedules::schedule;
use crate::limits::{MAX_CAMPAIGN_TAGS, MAX_ENTITIES};
use crate::{
    BasisPoints, Campaign, CampaignId, CampaignKind, CampaignMetrics, CampaignStatus, Experiment,
    ExperimentId, Kind, PageId,
};

/// Decodes the project's campaigns.
pub(super) fn campaigns(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Campaign>> {
    let keep = |reader: &mut Reader<'_>, names| reader.campaigns = names;
    entities(reader, at, Scope::of(Kind::Campaign), keep, campaign)
}

fn campaign(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<CampaignId>>,
) -> Decoded<Campaign> {
    let key = identity.as_ref().ok().map(|identity| &identity.key);
    let mut fields = Fields::of_entity(reader, at)?;
    let about = fields.optional("description", description);
    let tags = fields.or("tags", Vec::new(), tags);
    let hypothesis = fields.optional("hypothesis", description);
    let owner = fields.optional("owner", name);
    let kind = fields.required("type", word);
    let status = fields.or("status", CampaignStatus::NotStarted, word);
    let shipped = fields.or("shipped", false, boolean);
    let schedule = fields.optional("schedule", schedule);
    let pages = fields.or("pages", Vec::new(), pages);
    let holdback = fields.or("holdback", BasisPoints::ZERO, share);
    let changes_of_all = fields.or("changes", Vec::new(), changes);
    let metrics = fields.or("metrics", CampaignMetrics::default(), campaign_metrics);
    let plan = fields.optional("plan", plan);
    let experiments = fields.required("experiments", |reader, at| {
        let experiments = experiments(reader, at, key)?;
        check_count(reader, at, kind?, &experiments)?;
        check_only(reader, at, kind?, &experiments)?;
        Ok(experiments)
    });
    let priorities = fields.or("priorities", Vec::new(), priorities);
    fields.finish();
    let (experiments, priorities) = (experiments?, priorities?);
    warn_of_unreachable(reader, at, &priorities, &experiments);
    let (status, shipped) = (status?, shipped?);
    if shipped {
        check_shipped(reader, at, status, &experiments)?;
    }
    let Identity { id, key, name } = identity?;
    Ok(Campaign {
        id,
        key,
        name,
        description: about?,
        tags: tags?,
        hypothesis: hypothesis?,
        owner: owner?,
        kind: kind?,
        status,
        shipped,
        schedule: schedule?,
        pages: pages?,
        holdback: holdback?,
        priorities: if priorities.is_empty() { one_group(&experiments) } else { priorities },
        changes: changes_of_all?,
        metrics: metrics?,
        plan: plan?,
        experiments,
    })
}

fn tags(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<String>> {
    let mut known = HashSet::new();
    list(reader, at, MAX_CAMPAIGN_TAGS, |reader, at| {
        let tag = tag(reader, at)?;
        if known.insert(tag.clone()) {
            return Ok(tag);
        }
        reader.refuse(at, at.error("repeated", "the tag is there twice"))
    })
}

fn pages(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<PageId>> {
    let mut pages = HashSet::new();
    list(reader, at, MAX_ENTITIES, |reader, at| {
        let page = reference(reader, at, "page", |reader| &reader.pages)?;
        if pages.insert(page) {
            return Ok(page);
        }
        reader.refuse(at, at.error("repeated", "the page is there twice"))
    })
}

/// An A/B test has exactly one experiment, a personalization at least one.
fn check_count(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    kind: CampaignKind,
    experiments: &[Experiment],
) -> Decoded<()> {
    let (fits, expected) = match kind {
        CampaignKind::AbTest => (experiments.len() == 1, "exactly one"),
        CampaignKind::Personalization => (!experiments.is_empty(), "at least one"),
    };
    if fits {
        return Ok(());
    }
    let message = format!("the campaign has {} experiments", experiments.len());
    let fault = at.error("experiment_count", message).expected(expected);
    match experiments.len() {
        0 => reader.refuse(at, fault),
        _ => reader.refuse(at, fault.hint("`type: personalization` takes several")),
    }
}

/// An A/B test needs its only experiment.
fn check_only(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    kind: CampaignKind,
    experiments: &[Experiment],
) -> Decoded<()> {
    if kind != CampaignKind::AbTest || !experiments[0].archived {
        return Ok(());
    }
    let at = at.element(0).field_or_self("archived");
    let fault = at.error("archived_experiment", "the experiment of an A/B test cannot be archived");
    reader.refuse(&at, fault.hint("archive the campaign: `status: archived`"))
}

/// Only concluded campaigns with winners can be shipped.
fn check_shipped(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    status: CampaignStatus,
    experiments: &[Experiment],
) -> Decoded<()> {
    if status != CampaignStatus::Concluded {
        let message = format!("the campaign is {status}, and only what is concluded is shipped");
        let at = at.field_or_self("shipped");
        let fault = at.error("shipped_status", message);
        return reader.refuse(&at, fault.expected("`status: concluded`"));
    }
    let is_open = |one: &&Experiment| !one.archived && one.winning_place().is_none();
    let Some(open) = experiments.iter().find(is_open) else { return Ok(()) };
    let message = format!("the experiment `{}` has no winner that can be shipped", open.key);
    let at = at.field_or_self("shipped");
    let fault = at.error("shipped_without_winner", message);
    reader.refuse(&at, fault.expected("a `winner` that is not archived"))
}

fn one_group(experiments: &[Experiment]) -> Vec<Vec<ExperimentId>> {
    vec![experiments.iter().map(|experiment| experiment.id).collect()]
}

/// Archived experiments keep their ranks.
fn priorities(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Vec<ExperimentId>>> {
    let mut ranked = HashSet::new();
    list(reader, at, MAX_ENTITIES, |reader, at| {
        list(reader, at, MAX_ENTITIES, |reader, at| {
            let experiment =
                named(reader, at, "experiment of this campaign", |reader| &reader.experiments)?;
            if ranked.insert(experiment) {
                return Ok(experiment);
            }
            reader.refuse(at, at.error("repeated", "the experiment is there twice"))
        })
    })
}

fn warn_of_unreachable(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    priorities: &[Vec<ExperimentId>],
    experiments: &[Experiment],
) {
    let Some(at) = at.field("priorities").filter(|_| !priorities.is_empty()) else { return };
    let ranked: HashSet<&ExperimentId> = priorities.iter().flatten().collect();
    let is_unreachable =
        |experiment: &&Experiment| !experiment.archived && !ranked.contains(&experiment.id);
    for experiment in experiments.iter().filter(is_unreachable) {
        let message =
            format!("the experiment `{}` is in no group, so no visitor sees it", experiment.key);
        reader.report(&at, at.warning("unreachable_experiment", message));
    }
}
