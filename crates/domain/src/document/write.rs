//! Writes a project as its document, the inverse of [`crate::parse`], with keys for references, since they read better than ids.
//!
//! `dto.rs` defines the form of the document; this module looks up the keys for references.

use std::collections::HashMap;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::condition_references::write_ids;
use super::dto::{
    AudiencesDto, CampaignDto, CampaignMetricsDto, ChangeDto, EventDto, ExperimentDto, GroupDto,
    GuardrailDto, HeaderDto, MeasuredDto, MemberDto, MetricDto, ProjectDto, Reference,
    VariationDto,
};
use super::project::VERSION;
use crate::ids::Id;
use crate::{
    AudienceId, AudienceTree, Audiences, Campaign, CampaignId, CampaignMetrics, Change, Event,
    EventId, Experiment, ExperimentId, Group, Key, MeasuredEvents, Metric, MetricId, PageId,
    Project, Variation, VariationId,
};

impl Serialize for Project {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Keys::of(self).project(self).serialize(serializer)
    }
}

impl Project {
    /// The document with ids for references, which stay valid when a key changes; its list of campaigns is empty.
    ///
    /// # Panics
    /// Never: everything in a project becomes JSON.
    pub(super) fn to_value_without_campaigns(&self) -> Value {
        let written = serde_json::to_value(Keys::default().project_of(self, Vec::new()));
        let mut document = written.expect("a project is always JSON");
        write_ids(self, &mut document);
        document
    }
}

impl Campaign {
    /// The campaign's part of the document, with ids for references.
    ///
    /// # Panics
    /// Never: everything in a campaign becomes JSON.
    pub(super) fn to_value_by_ids(&self) -> Value {
        serde_json::to_value(Keys::default().campaign(self)).expect("a campaign is always JSON")
    }
}

/// The keys of all resources that references can name. By default there are none, and references are ids.
#[derive(Default)]
struct Keys<'p> {
    pages: HashMap<PageId, &'p Key>,
    events: HashMap<EventId, &'p Key>,
    metrics: HashMap<MetricId, &'p Key>,
    audiences: HashMap<AudienceId, &'p Key>,
    campaigns: HashMap<CampaignId, &'p Key>,
    experiments: HashMap<ExperimentId, &'p Key>,
    variations: HashMap<VariationId, &'p Key>,
}

impl<'p> Keys<'p> {
    fn of(project: &'p Project) -> Self {
        let campaigns = project.campaigns.iter().map(|campaign| (campaign.id, &campaign.key));
        let experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
        let winners = experiments.clone().filter(|experiment| experiment.winner.is_some());
        let variations = winners.flat_map(|experiment| &experiment.variations);
        Self {
            pages: project.pages.iter().map(|page| (page.id, &page.key)).collect(),
            events: project.events.iter().map(|event| (event.id, &event.key)).collect(),
            metrics: project.metrics.iter().map(|metric| (metric.id, &metric.key)).collect(),
            audiences: project.audiences.iter().map(|one| (one.id, &one.key)).collect(),
            campaigns: campaigns.collect(),
            experiments: experiments.map(|one| (one.id, &one.key)).collect(),
            variations: variations.map(|one| (one.id, &one.key)).collect(),
        }
    }

    fn project(&self, project: &'p Project) -> ProjectDto<'p> {
        let campaigns = project.campaigns.iter().map(|campaign| self.campaign(campaign));
        self.project_of(project, campaigns.collect())
    }

    fn project_of(&self, project: &'p Project, campaigns: Vec<CampaignDto<'p>>) -> ProjectDto<'p> {
        let Project {
            id,
            key,
            name,
            holdback,
            archived,
            results,
            origins,
            snippet,
            attributes,
            pages,
            events,
            metrics,
            audiences,
            campaigns: _,
            groups,
            applications,
            integrations,
        } = project;
        let project = HeaderDto { id, key, name, holdback, archived, results, origins, snippet };
        ProjectDto {
            version: VERSION,
            project,
            attributes,
            pages,
            events: events.iter().map(|event| self.event(event)).collect(),
            metrics: metrics.iter().map(|metric| self.metric(metric)).collect(),
            audiences,
            campaigns,
            groups: groups.iter().map(|group| self.group(group)).collect(),
            applications,
            integrations,
        }
    }

    fn event(&self, event: &'p Event) -> EventDto<'p> {
        let Event { id, key, name, kind, category, page, selector, properties, archived } = event;
        let page = page.map(|page| found(&self.pages, page));
        EventDto { id, key, name, kind, category, page, selector, properties, archived }
    }

    fn metric(&self, metric: &'p Metric) -> MetricDto<'p> {
        let Metric { id, key, name, kind, measured, window, good, archived } = metric;
        MetricDto {
            id,
            key,
            name,
            kind: kind.metric_type(),
            measured: self.measured(measured),
            per: kind.per().map(|per| self.measured(per)),
            quantile: kind.quantile(),
            window,
            cap: kind.cap(),
            covariate: kind.covariate(),
            good,
            archived,
        }
    }

    fn measured(&self, measured: &'p MeasuredEvents) -> MeasuredDto<'p> {
        let MeasuredEvents { event, filters, value } = measured;
        MeasuredDto { event: found(&self.events, *event), filters, value }
    }

    fn campaign_metrics(&self, metrics: &'p CampaignMetrics) -> CampaignMetricsDto<'p> {
        let CampaignMetrics { primary, secondary, guardrails } = metrics;
        let named = |ids: &[MetricId]| ids.iter().map(|id| found(&self.metrics, *id)).collect();
        let guardrails = guardrails.iter().map(|guardrail| GuardrailDto {
            metric: found(&self.metrics, guardrail.metric),
            margin: guardrail.margin,
        });
        CampaignMetricsDto {
            primary: named(primary),
            secondary: named(secondary),
            guardrails: guardrails.collect(),
        }
    }

    fn campaign(&self, campaign: &'p Campaign) -> CampaignDto<'p> {
        let Campaign {
            id,
            key,
            name,
            description,
            tags,
            hypothesis,
            owner,
            kind,
            status,
            shipped,
            schedule,
            pages,
            holdback,
            priorities,
            changes,
            metrics,
            plan,
            experiments,
        } = campaign;
        let priorities = priorities.iter();
        CampaignDto {
            id,
            key,
            name,
            description,
            tags,
            hypothesis,
            owner,
            kind,
            status,
            shipped,
            schedule,
            pages: pages.iter().map(|page| found(&self.pages, *page)).collect(),
            holdback,
            priorities: priorities
                .map(|group| group.iter().map(|id| found(&self.experiments, *id)).collect())
                .collect(),
            changes: self.changes(changes),
            metrics: self.campaign_metrics(metrics),
            plan,
            experiments: experiments.iter().map(|one| self.experiment(one)).collect(),
        }
    }

    fn experiment(&self, experiment: &'p Experiment) -> ExperimentDto<'p> {
        let Experiment { id, key, name, audiences, variations, winner, archived } = experiment;
        ExperimentDto {
            id,
            key,
            name,
            audiences: self.audiences(audiences),
            variations: variations.iter().map(|one| self.variation(one)).collect(),
            winner: winner.map(|winner| found(&self.variations, winner)),
            archived,
        }
    }

    fn variation(&self, variation: &'p Variation) -> VariationDto<'p> {
        let Variation { id, key, name, weight, changes, paused, archived } = variation;
        let changes = self.changes(changes);
        VariationDto { id, key, name, weight, changes, paused, archived }
    }

    fn changes(&self, changes: &'p [Change]) -> Vec<ChangeDto<'p>> {
        changes.iter().map(|change| self.change(change)).collect()
    }

    fn change(&self, change: &'p Change) -> ChangeDto<'p> {
        let Change { id, page, is_async, depends_on, kind } = change;
        let page = page.map(|page| found(&self.pages, page));
        ChangeDto { id: id.as_deref(), page, is_async: *is_async, depends_on, kind }
    }

    fn audiences(&self, audiences: &'p Audiences) -> AudiencesDto<'p> {
        match audiences {
            Audiences::Everyone => AudiencesDto::Word("everyone"),
            Audiences::Tree(tree) => self.tree(tree),
        }
    }

    fn tree(&self, tree: &'p AudienceTree) -> AudiencesDto<'p> {
        let list = |word, operands: &'p [AudienceTree]| {
            let operands = operands.iter().map(|operand| self.tree(operand));
            let word = std::iter::once(AudiencesDto::Word(word));
            AudiencesDto::List(word.chain(operands).collect())
        };
        match tree {
            AudienceTree::Audience(id) => AudiencesDto::Audience(found(&self.audiences, *id)),
            AudienceTree::And(operands) => list("and", operands),
            AudienceTree::Or(operands) => list("or", operands),
            AudienceTree::Not(operand) => list("not", std::slice::from_ref(operand)),
        }
    }

    fn group(&self, group: &'p Group) -> GroupDto<'p> {
        let Group { id, key, name, members, archived } = group;
        let members = members.iter().map(|member| MemberDto {
            campaign: found(&self.campaigns, member.campaign),
            weight: member.weight,
        });
        GroupDto { id, key, name, members: members.collect(), archived }
    }
}

fn found<'p, I: Id>(keys: &HashMap<I, &'p Key>, id: I) -> Reference<'p> {
    keys.get(&id).map_or(Reference::Id(id.number()), |key| Reference::Key(key))
}
