//! The form of a written document: every field of every resource, in the document's order, with keys for references. `write.rs` fills it;
//! resources without references serialize themselves.

use serde::{Serialize, Serializer};

use crate::{
    ApplicationDeclaration, Attribute, Audience, BasisPoints, CampaignId, CampaignKind,
    CampaignStatus, ChangeKind, CovariateDays, EventCategory, EventId, EventKind, EventProperty,
    ExperimentId, GoodDirection, GroupId, Integration, Key, MetricCap, MetricId, MetricType,
    MetricValue, MetricWindow, Origin, Page, Plan, ProjectId, PropertyFilter, Results, Schedule,
    SnippetSettings, VariationId,
};

#[derive(Serialize)]
pub(super) struct ProjectDto<'p> {
    pub(super) version: u64,
    pub(super) project: HeaderDto<'p>,
    pub(super) attributes: &'p [Attribute],
    pub(super) pages: &'p [Page],
    pub(super) events: Vec<EventDto<'p>>,
    pub(super) metrics: Vec<MetricDto<'p>>,
    pub(super) audiences: &'p [Audience],
    pub(super) campaigns: Vec<CampaignDto<'p>>,
    pub(super) groups: Vec<GroupDto<'p>>,
    pub(super) applications: &'p [ApplicationDeclaration],
    pub(super) integrations: &'p [Integration],
}

#[derive(Serialize)]
pub(super) struct HeaderDto<'p> {
    pub(super) id: &'p ProjectId,
    pub(super) key: &'p Key,
    pub(super) name: &'p Option<String>,
    pub(super) holdback: &'p BasisPoints,
    pub(super) archived: &'p bool,
    pub(super) results: &'p Results,
    pub(super) origins: &'p Vec<Origin>,
    pub(super) snippet: &'p SnippetSettings,
}

#[derive(Serialize)]
pub(super) struct EventDto<'p> {
    pub(super) id: &'p EventId,
    pub(super) key: &'p Key,
    pub(super) name: &'p Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: &'p EventKind,
    pub(super) category: &'p EventCategory,
    pub(super) page: Option<Reference<'p>>,
    pub(super) selector: &'p Option<String>,
    pub(super) properties: &'p [EventProperty],
    pub(super) archived: &'p bool,
}

#[derive(Serialize)]
pub(super) struct MetricDto<'p> {
    pub(super) id: &'p MetricId,
    pub(super) key: &'p Key,
    pub(super) name: &'p Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: MetricType,
    #[serde(flatten)]
    pub(super) measured: MeasuredDto<'p>,
    pub(super) per: Option<MeasuredDto<'p>>,
    pub(super) quantile: Option<BasisPoints>,
    pub(super) window: &'p Option<MetricWindow>,
    pub(super) cap: Option<MetricCap>,
    pub(super) covariate: Option<CovariateDays>,
    pub(super) good: &'p GoodDirection,
    pub(super) archived: &'p bool,
}

#[derive(Serialize)]
pub(super) struct MeasuredDto<'p> {
    pub(super) event: Reference<'p>,
    #[serde(rename = "where", serialize_with = "by_name")]
    pub(super) filters: &'p [PropertyFilter],
    pub(super) value: &'p Option<MetricValue>,
}

fn by_name<S: Serializer>(filters: &[PropertyFilter], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(filters.iter().map(|filter| (&filter.name, &filter.value)))
}

#[derive(Serialize)]
pub(super) struct CampaignMetricsDto<'p> {
    pub(super) primary: Vec<Reference<'p>>,
    pub(super) secondary: Vec<Reference<'p>>,
    pub(super) guardrails: Vec<GuardrailDto<'p>>,
}

#[derive(Serialize)]
pub(super) struct GuardrailDto<'p> {
    pub(super) metric: Reference<'p>,
    pub(super) margin: BasisPoints,
}

#[derive(Serialize)]
pub(super) struct CampaignDto<'p> {
    pub(super) id: &'p CampaignId,
    pub(super) key: &'p Key,
    pub(super) name: &'p Option<String>,
    pub(super) description: &'p Option<String>,
    pub(super) tags: &'p [String],
    pub(super) hypothesis: &'p Option<String>,
    pub(super) owner: &'p Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: &'p CampaignKind,
    pub(super) status: &'p CampaignStatus,
    pub(super) shipped: &'p bool,
    pub(super) schedule: &'p Option<Schedule>,
    pub(super) pages: Vec<Reference<'p>>,
    pub(super) holdback: &'p BasisPoints,
    pub(super) priorities: Vec<Vec<Reference<'p>>>,
    pub(super) changes: Vec<ChangeDto<'p>>,
    pub(super) metrics: CampaignMetricsDto<'p>,
    pub(super) plan: &'p Option<Plan>,
    pub(super) experiments: Vec<ExperimentDto<'p>>,
}

#[derive(Serialize)]
pub(super) struct ExperimentDto<'p> {
    pub(super) id: &'p ExperimentId,
    pub(super) key: &'p Key,
    pub(super) name: &'p Option<String>,
    pub(super) audiences: AudiencesDto<'p>,
    pub(super) variations: Vec<VariationDto<'p>>,
    pub(super) winner: Option<Reference<'p>>,
    pub(super) archived: &'p bool,
}

/// Which visitors an experiment targets: a word, an audience, or a list of both.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AudiencesDto<'p> {
    Word(&'static str),
    Audience(Reference<'p>),
    List(Vec<AudiencesDto<'p>>),
}

#[derive(Serialize)]
pub(super) struct VariationDto<'p> {
    pub(super) id: &'p VariationId,
    pub(super) key: &'p Key,
    pub(super) name: &'p Option<String>,
    pub(super) weight: &'p BasisPoints,
    pub(super) changes: Vec<ChangeDto<'p>>,
    pub(super) paused: &'p bool,
    pub(super) archived: &'p bool,
}

#[derive(Serialize)]
pub(super) struct ChangeDto<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<Reference<'p>>,
    #[serde(rename = "async")]
    pub(super) is_async: bool,
    pub(super) depends_on: &'p [String],
    #[serde(flatten)]
    pub(super) kind: &'p ChangeKind,
}

#[derive(Serialize)]
pub(super) struct GroupDto<'p> {
    pub(super) id: &'p GroupId,
    pub(super) key: &'p Key,
    pub(super) name: &'p Option<String>,
    pub(super) members: Vec<MemberDto<'p>>,
    pub(super) archived: &'p bool,
}

#[derive(Serialize)]
pub(super) struct MemberDto<'p> {
    pub(super) campaign: Reference<'p>,
    pub(super) weight: BasisPoints,
}

/// A key, or an id where part of a project is written without the resources that it refers to.
pub(super) enum Reference<'p> {
    Key(&'p Key),
    Id(u64),
}

impl Serialize for Reference<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Key(key) => key.serialize(serializer),
            Self::Id(id) => serializer.collect_str(id),
        }
    }
}
