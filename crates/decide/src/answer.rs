//! What a visitor gets on a page, and why: everything that a member needs to understand a decision. Serialized as it is.

use serde::Serialize;

/// The decisions for one visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Whom it is about.
    pub visitor_id: String,
    /// The page it is about.
    pub url: String,
    /// Every page of the project.
    pub pages: Vec<PageAnswer>,
    /// The audiences that running campaigns refer to.
    pub audiences: Vec<AudienceAnswer>,
    /// Every campaign of the project, running or not.
    pub campaigns: Vec<CampaignAnswer>,
    /// Ids of the experiments that are active, as the page's `getActiveExperimentIds` gives them.
    pub active_experiment_ids: Vec<String>,
    /// The visitor's variations after this visit, as the page's `getVariationMap` returns them, by experiment id in their order.
    pub variation_map: VariationMap,
    /// By group id: the campaign that the group gave the visitor; none for a visitor beyond its shares.
    pub groups: std::collections::BTreeMap<String, Option<String>>,
}

/// Experiment id to variation.
pub type VariationMap = std::collections::BTreeMap<String, MappedVariation>;

/// A page, active or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageAnswer {
    /// The page's id.
    pub id: String,
    /// The page's key.
    pub key: String,
    /// The page's name, where the snippet has it.
    pub name: Option<String>,
    /// Whether it is active.
    pub is_active: bool,
    /// The reason, in words.
    pub why: String,
}

/// An audience, and whether the visitor is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AudienceAnswer {
    /// The audience's id.
    pub id: String,
    /// The audience's key.
    pub key: String,
    /// The audience's name, where the snippet has it.
    pub name: Option<String>,
    /// Whether the visitor is in it; `None` where that cannot be said.
    pub is_met: Option<bool>,
    /// The reason, in words.
    pub why: String,
}

/// A campaign, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CampaignAnswer {
    /// The campaign's id.
    pub id: String,
    /// The campaign's key.
    pub key: String,
    /// The campaign's name, where the snippet has it.
    pub name: Option<String>,
    /// `ab_test` or `personalization`.
    pub r#type: &'static str,
    /// Whether the page decides it: it runs, one of its pages is active, and no group leaves it out.
    pub is_decided: bool,
    /// The experiment the visitor is in.
    pub experiment: Option<NamedEntity>,
    /// The variation the visitor is in.
    pub variation: Option<ChosenVariation>,
    /// Bucketed, but shown nothing.
    pub is_held_back: bool,
    /// The audiences met, of those that the campaign's experiments name.
    pub audiences: Vec<NamedId>,
    /// What the page's `getDecisionString` gives.
    pub decision_string: Option<String>,
    /// How it came, in the order in which it is decided.
    pub steps: Vec<Step>,
}

/// One step of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Which step it is.
    pub step: StepKind,
    /// What it found, in words.
    pub text: String,
}

/// The steps there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Whether the campaign runs.
    Status,
    /// Whether one of its pages is active.
    Pages,
    /// Whether a variation was asked for.
    Forced,
    /// Which campaign of a group the visitor was given.
    Group,
    /// Whom its experiments are for.
    Audiences,
    /// Which experiment of a personalization it is.
    Experiment,
    /// Whether the project holds the visitor back from all of its campaigns; only if the project has a holdback.
    ProjectHoldback,
    /// Whether the campaign holds the visitor back.
    Holdback,
    /// Whether a variation was given earlier.
    Stored,
    /// Which variation is drawn.
    Variation,
    /// Whether that variation is stopped; only where it is.
    Paused,
}

impl StepKind {
    /// The word for the step, as it is serialized.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Pages => "pages",
            Self::Forced => "forced",
            Self::Group => "group",
            Self::Audiences => "audiences",
            Self::Experiment => "experiment",
            Self::ProjectHoldback => "project_holdback",
            Self::Holdback => "holdback",
            Self::Stored => "stored",
            Self::Variation => "variation",
            Self::Paused => "paused",
        }
    }
}

/// Something with an id, a key and a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedEntity {
    /// Its id.
    pub id: String,
    /// Its key.
    pub key: String,
    /// Its name, where the snippet has it.
    pub name: Option<String>,
}

/// Something with an id and a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedId {
    /// Its id.
    pub id: String,
    /// Its name, where the snippet has it.
    pub name: Option<String>,
}

/// The variation the visitor is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChosenVariation {
    /// Its id.
    pub id: String,
    /// Its key.
    pub key: String,
    /// Its name, where the snippet has it.
    pub name: Option<String>,
    /// Its place in the experiment, from 0.
    pub index: usize,
}

/// An entry of the variation map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MappedVariation {
    /// The variation's id.
    pub id: String,
    /// Its name; `None` once it is gone from the snippet, too.
    pub name: Option<String>,
    /// Its place in the experiment, from 0; `None` where only the visitor's browser remembers it.
    pub index: Option<usize>,
}
