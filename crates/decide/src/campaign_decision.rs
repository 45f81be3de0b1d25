//! One campaign, decided for one visit, step by step in the order in which the page does it.

use domain::{
    AudienceTree, Audiences, Campaign, CampaignId, CampaignKind, CampaignStatus, Experiment,
    ExperimentId, Group,
};

use crate::answer::{CampaignAnswer, ChosenVariation, NamedEntity, NamedId, Step, StepKind};
use crate::bucketing::{Draw, bucket};
use crate::condition_tree::{ConditionTree, Truth};
use crate::decider::{named_audiences, place_of};
use crate::decision::{Decision, DecisionFormat, Label};
use crate::decision_string::decision_string;
use crate::shares::Shares;
use crate::view::View;

/// What came of a campaign.
pub(crate) struct CampaignDecision {
    pub(crate) answer: CampaignAnswer,
    /// Its group's id, and the campaign that the group gave the visitor, once that was asked.
    pub(crate) group: Option<(String, Option<String>)>,
}

struct Maker<'a> {
    campaign: &'a Campaign,
    view: &'a View<'a>,
    steps: Vec<Step>,
}

/// What a group of mutually exclusive campaigns gives a visitor.
struct GroupChoice<'a> {
    group: &'a Group,
    /// `None` for a visitor beyond the shares.
    campaign: Option<CampaignId>,
    how: String,
}

/// What a campaign comes to.
struct Outcome<'a> {
    chosen: Option<Chosen<'a>>,
    is_held_back: bool,
}

/// An experiment the visitor is in, and the place of their variation in it.
struct Chosen<'a> {
    experiment: &'a Experiment,
    variation: Option<usize>,
}

impl CampaignDecision {
    /// `is_active`: of each page of the project, by its place.
    pub(crate) fn of(campaign: &Campaign, view: &View<'_>, is_active: &[bool]) -> Self {
        let mut maker = Maker { campaign, view, steps: Vec::new() };
        if !maker.runs() || !maker.is_on_page(is_active) {
            return Self { answer: maker.undecided(), group: None };
        }
        let forced = maker.forced();
        let choice = maker.group_choice();
        let group = choice
            .as_ref()
            .map(|choice| (choice.group.id.to_string(), choice.campaign.map(|id| id.to_string())));
        if let Some(forced) = forced {
            let outcome = Outcome { chosen: Some(forced), is_held_back: false };
            return Self { answer: maker.decided(&outcome), group };
        }
        if let Some(choice) = &choice {
            maker.tell_choice(choice);
            if choice.campaign != Some(campaign.id) {
                return Self { answer: maker.undecided(), group };
            }
        }
        let experiment = maker.experiment();
        let is_held_back = maker.is_held_back();
        let chosen = experiment.map(|experiment| {
            let variation = maker.variation(experiment);
            Chosen { experiment, variation }
        });
        Self { answer: maker.decided(&Outcome { chosen, is_held_back }), group }
    }
}

impl<'a> Maker<'a> {
    fn say(&mut self, step: StepKind, text: impl Into<String>) {
        self.steps.push(Step { step, text: text.into() });
    }

    fn runs(&mut self) -> bool {
        let runs = self.campaign.status == CampaignStatus::Running;
        let status = self.campaign.status.word().replace('_', " ");
        let consequence = if runs { "" } else { ": only running campaigns are in the snippet" };
        self.say(StepKind::Status, format!("the campaign is {status}{consequence}"));
        runs
    }

    fn is_on_page(&mut self, is_active: &[bool]) -> bool {
        let decider = self.view.decider;
        let places =
            self.campaign.pages.iter().filter_map(|id| decider.page_places.get(id).copied());
        let places: Vec<usize> = places.collect();
        let key = |place: &usize| format!("`{}`", decider.project.pages[*place].key);
        let active = places.iter().find(|place| is_active[**place]);
        let text = match active {
            Some(place) => format!("page {} is active", key(place)),
            None if places.is_empty() => "it is on no page".to_owned(),
            None => format!(
                "none of its pages is active: {}",
                places.iter().map(key).collect::<Vec<_>>().join(", ")
            ),
        };
        self.say(StepKind::Pages, text);
        active.is_some()
    }

    /// The first of the campaign's variations that the visitor's tab asked for.
    fn forced(&mut self) -> Option<Chosen<'a>> {
        let forced = self.view.forced_variations();
        let found = forced.iter().find_map(|id| {
            self.campaign.experiments.iter().find_map(|experiment| {
                let place = place_of(experiment, id)?;
                Some(Chosen { experiment, variation: Some(place) })
            })
        })?;
        let key = found.variation.map(|place| &found.experiment.variations[place].key)?;
        self.say(
            StepKind::Forced,
            format!("variation `{key}` was asked for: audiences, groups and holdback do not count"),
        );
        Some(found)
    }

    /// Which campaign its group gives the visitor: the one given earlier, as long as it is in the group.
    fn group_choice(&self) -> Option<GroupChoice<'a>> {
        let place = *self.view.decider.groups.get(&self.campaign.id)?;
        let group = &self.view.decider.project.groups[place];
        let id = group.id.to_string();
        let earlier = self.view.visit.groups.get(&id);
        let mut members = group.members.iter().map(|member| member.campaign);
        let earlier =
            earlier.and_then(|given| members.find(|campaign| campaign.to_string() == *given));
        let bucket = bucket(&self.view.visit.visitor_id, Draw::Group(&id));
        let shares = Shares::weighted(group.members.iter().map(|member| member.weight.get()));
        let drawn = || shares.place_of(bucket).map(|place| group.members[place].campaign);
        let how = match earlier {
            Some(_) => "gave the visitor earlier".to_owned(),
            None => format!("gives bucket {} of 10000", bucket.get()),
        };
        Some(GroupChoice { group, campaign: earlier.or_else(drawn), how })
    }

    fn tell_choice(&mut self, choice: &GroupChoice<'_>) {
        let mut campaigns = self.view.decider.project.campaigns.iter();
        let given = choice.campaign.and_then(|id| campaigns.find(|campaign| campaign.id == id));
        let given = given
            .map_or("no campaign".to_owned(), |campaign| format!("campaign `{}`", campaign.key));
        let outcome =
            if choice.campaign == Some(self.campaign.id) { "" } else { ": this one is left out" };
        self.say(
            StepKind::Group,
            format!("group `{}` {} {given}{outcome}", choice.group.key, choice.how),
        );
    }

    /// The experiment the visitor takes part in: the only one of an A/B test, or one of a personalization's first priority group
    /// that has any for them.
    fn experiment(&mut self) -> Option<&'a Experiment> {
        let open: Vec<ExperimentId> = self
            .campaign
            .experiments
            .iter()
            .filter(|experiment| self.is_open(experiment))
            .map(|experiment| experiment.id)
            .collect();
        let texts: Vec<String> =
            self.campaign.experiments.iter().map(|experiment| self.openness(experiment)).collect();
        for text in texts {
            self.say(StepKind::Audiences, text);
        }
        let find = |id: ExperimentId| {
            self.campaign.experiments.iter().find(|experiment| experiment.id == id)
        };
        if self.campaign.kind == CampaignKind::AbTest {
            return open.first().copied().and_then(find);
        }
        let mut ranked = self.campaign.priorities.iter().enumerate().map(|(rank, group)| {
            let eligible: Vec<ExperimentId> =
                group.iter().copied().filter(|id| open.contains(id)).collect();
            (rank, eligible)
        });
        let Some((rank, eligible)) = ranked.find(|(_, eligible)| !eligible.is_empty()) else {
            self.say(StepKind::Experiment, "no experiment is for this visitor");
            return None;
        };
        let campaign_id = self.campaign.id.to_string();
        let bucket = bucket(&self.view.visit.visitor_id, Draw::Experiment(&campaign_id));
        let shares = Shares::equal(eligible.len());
        let place = shares.place_of(bucket)?;
        let experiment = find(eligible[place])?;
        let text = format!(
            "priority group {} has {} for this visitor; bucket {} of 10000 is for `{}`, whose share ends at {}",
            rank + 1,
            counted(eligible.len(), "experiment"),
            bucket.get(),
            experiment.key,
            shares.ends()[place],
        );
        self.say(StepKind::Experiment, text);
        Some(experiment)
    }

    fn is_open(&self, experiment: &Experiment) -> bool {
        match &experiment.audiences {
            Audiences::Everyone => true,
            Audiences::Tree(tree) => self.truth_of(tree).is_met(),
        }
    }

    fn truth_of(&self, tree: &AudienceTree) -> Truth {
        let view = self.view;
        let mut ask = |id: &domain::AudienceId| {
            let place = view.decider.audience_places.get(id).copied();
            Ok::<_, std::convert::Infallible>(
                place.map_or(Truth::Unknown, |place| view.audience(place)),
            )
        };
        match over(tree).evaluate(&mut ask) {
            Ok(truth) => truth,
        }
    }

    fn openness(&self, experiment: &Experiment) -> String {
        let Audiences::Tree(tree) = &experiment.audiences else {
            return format!("experiment `{}` is for everyone", experiment.key);
        };
        let mut named: Vec<String> = Vec::new();
        for id in tree.audiences() {
            let Some(place) = self.view.decider.audience_places.get(&id) else { continue };
            let key = &self.view.decider.project.audiences[*place].key;
            let word = match self.view.audience(*place) {
                Truth::Yes => "met",
                Truth::No => "not met",
                Truth::Unknown => "not known",
            };
            let text = format!("`{key}` is {word}");
            if !named.contains(&text) {
                named.push(text);
            }
        }
        let word = if self.truth_of(tree).is_met() { "is" } else { "is not" };
        format!("experiment `{}` {word} for this visitor: {}", experiment.key, named.join(", "))
    }

    fn is_held_back(&mut self) -> bool {
        let holdback = self.campaign.holdback.get();
        if holdback == 0 {
            self.say(StepKind::Holdback, "nobody is held back");
            return false;
        }
        let id = self.campaign.id.to_string();
        let bucket = bucket(&self.view.visit.visitor_id, Draw::Holdback(&id));
        let is_within = bucket.is_within(holdback);
        let word = if is_within { "below" } else { "not below" };
        let end = if is_within { ": held back, so nothing is shown" } else { ": not held back" };
        self.say(
            StepKind::Holdback,
            format!("bucket {} of 10000 is {word} {holdback}{end}", bucket.get()),
        );
        is_within
    }

    /// A variation once given wins over new weights; when it is gone, the visitor is in none.
    fn variation(&mut self, experiment: &Experiment) -> Option<usize> {
        let experiment_id = experiment.id.to_string();
        if let Some(given) = self.view.visit.variations.get(&experiment_id) {
            let place = place_of(experiment, given);
            let text = match place {
                Some(place) => format!(
                    "variation `{}` was given earlier, and stays whatever the weights",
                    experiment.variations[place].key
                ),
                None => format!(
                    "variation {given} was given earlier, and is gone: the visitor is in none"
                ),
            };
            self.say(StepKind::Stored, text);
            return place;
        }
        let bucket = bucket(&self.view.visit.visitor_id, Draw::Variation(&experiment_id));
        let shares =
            Shares::weighted(experiment.variations.iter().map(|variation| variation.weight.get()));
        let place = shares.place_of(bucket);
        let text = match place {
            Some(place) => format!(
                "bucket {} of 10000 is for `{}`, whose share ends at {}",
                bucket.get(),
                experiment.variations[place].key,
                shares.ends()[place]
            ),
            None => format!(
                "bucket {} of 10000 is beyond the last share, which ends at {}: no variation",
                bucket.get(),
                shares.ends().last().copied().unwrap_or_default()
            ),
        };
        self.say(StepKind::Variation, text);
        place
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

fn over(tree: &AudienceTree) -> ConditionTree<domain::AudienceId> {
    let all = |operands: &[AudienceTree]| operands.iter().map(over).collect();
    match tree {
        AudienceTree::Audience(id) => ConditionTree::Leaf(*id),
        AudienceTree::And(operands) => ConditionTree::And(all(operands)),
        AudienceTree::Or(operands) => ConditionTree::Or(all(operands)),
        AudienceTree::Not(operand) => ConditionTree::Not(Box::new(over(operand))),
    }
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("one {thing}") } else { format!("{count} {thing}s") }
}
