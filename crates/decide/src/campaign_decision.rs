//! One campaign, decided for one visit, step by step in the order in which the page does it.

use domain::{Campaign, CampaignKind, Experiment};

use crate::answer::{CampaignAnswer, ChosenVariation, NamedEntity, NamedId, Step, StepKind};
use crate::decider::named_audiences;
use crate::decision::{Decision, DecisionFormat, Label};
use crate::decision_string::decision_string;
use crate::view::View;

/// What came of a campaign.
pub(crate) struct CampaignDecision {
    pub(crate) answer: CampaignAnswer,
    /// Its group's id, and the campaign that the group gave the visitor, once that was asked.
    pub(crate) group: Option<(String, Option<String>)>,
}

/// A campaign on its way to a decision. Its steps are in
/// `campaign_steps`, `group_choice` and `experiment_choice`.
pub(crate) struct Deciding<'a> {
    pub(crate) campaign: &'a Campaign,
    pub(crate) view: &'a View<'a>,
    steps: Vec<Step>,
}

/// What a campaign comes to.
struct Outcome<'a> {
    chosen: Option<Chosen<'a>>,
    is_held_back: bool,
}

/// An experiment the visitor is in, and the place of their variation in it.
pub(crate) struct Chosen<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) variation: Option<usize>,
}

impl CampaignDecision {
    /// `is_active`: of each page of the project, by its place.
    pub(crate) fn of(campaign: &Campaign, view: &View<'_>, is_active: &[bool]) -> Self {
        let mut deciding = Deciding { campaign, view, steps: Vec::new() };
        if !deciding.runs() || !deciding.is_on_page(is_active) {
            return Self { answer: deciding.undecided(), group: None };
        }
        let forced = deciding.forced();
        if forced.is_none() && deciding.awaits_location() {
            return Self { answer: deciding.undecided(), group: None };
        }
        let choice = deciding.group_choice();
        let group = choice
            .map(|choice| (choice.group_id.clone(), choice.campaign.map(|id| id.to_string())));
        if let Some(forced) = forced {
            let outcome = Outcome { chosen: Some(forced), is_held_back: false };
            return Self { answer: deciding.decided(&outcome), group };
        }
        if let Some(choice) = choice {
            deciding.tell_choice(choice);
            if choice.campaign != Some(campaign.id) {
                return Self { answer: deciding.undecided(), group };
            }
        }
        let experiment = deciding.experiment();
        let is_held_back = deciding.is_held_back_everywhere() || deciding.is_held_back();
        let chosen = experiment.map(|experiment| {
            let variation = deciding.variation(experiment);
            Chosen { experiment, variation }
        });
        let is_held_back =
            chosen.as_ref().is_some_and(|chosen| deciding.is_paused(chosen)) || is_held_back;
        Self { answer: deciding.decided(&Outcome { chosen, is_held_back }), group }
    }
}

impl Deciding<'_> {
    pub(crate) fn say(&mut self, step: StepKind, text: impl Into<String>) {
        self.steps.push(Step { step, text: text.into() });
    }

    fn undecided(self) -> CampaignAnswer {
        CampaignAnswer {
            is_decided: false,
            audiences: Vec::new(),
            ..self.decided(&Outcome { chosen: None, is_held_back: false })
        }
    }

    fn decided(self, outcome: &Outcome<'_>) -> CampaignAnswer {
        let Outcome { chosen, is_held_back } = outcome;
        let is_held_back = *is_held_back;
        let decider = self.view.decider;
        let campaign = self.campaign;
        let name = decider.shown(campaign.name.as_deref());
        let experiment = chosen.as_ref().map(|chosen| NamedEntity {
            id: chosen.experiment.id.to_string(),
            key: chosen.experiment.key.to_string(),
            name: decider.shown(chosen.experiment.name.as_deref()),
        });
        let variation = chosen.as_ref().and_then(|chosen| {
            let index = chosen.variation?;
            let variation = &chosen.experiment.variations[index];
            let (id, key) = (variation.id.to_string(), variation.key.to_string());
            Some(ChosenVariation { id, key, name: decider.shown(variation.name.as_deref()), index })
        });
        let id = campaign.id.to_string();
        let decision_string =
            experiment.as_ref().zip(variation.as_ref()).and_then(|(experiment, variation)| {
                let experiment = Label { name: experiment.name.as_deref(), id: &experiment.id };
                let variation = Label { name: variation.name.as_deref(), id: &variation.id };
                let decision = match campaign.kind {
                    CampaignKind::AbTest => {
                        Decision::AbTest { experiment, variation, is_held_back }
                    }
                    CampaignKind::Personalization => {
                        let campaign = Label { name: name.as_deref(), id: &id };
                        Decision::Personalization { campaign, experiment, variation, is_held_back }
                    }
                };
                decision_string(decision, DecisionFormat::default()).ok().flatten()
            });
        CampaignAnswer {
            audiences: self.met_audiences(),
            key: campaign.key.to_string(),
            r#type: campaign.kind.word(),
            is_decided: true,
            is_held_back,
            steps: self.steps,
            id,
            name,
            experiment,
            variation,
            decision_string,
        }
    }

    fn met_audiences(&self) -> Vec<NamedId> {
        let decider = self.view.decider;
        let named = self
            .campaign
            .experiments
            .iter()
            .flat_map(|experiment| named_audiences(&experiment.audiences));
        let mut places: Vec<usize> = Vec::new();
        for place in named.filter_map(|id| decider.audience_places.get(&id).copied()) {
            if !places.contains(&place) && self.view.audience(place).is_met() {
                places.push(place);
            }
        }
        let met = places.into_iter().map(|place| {
            let audience = &decider.project.audiences[place];
            NamedId { id: audience.id.to_string(), name: decider.shown(audience.name.as_deref()) }
        });
        met.collect()
    }
}
