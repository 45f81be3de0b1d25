//! Which experiment of a campaign a visitor takes part in, by the audiences they are in.

use domain::{AudienceTree, Audiences, CampaignKind, Experiment, ExperimentId};

use crate::answer::StepKind;
use crate::bucketing::{Draw, bucket};
use crate::campaign_decision::Deciding;
use crate::condition_tree::{ConditionTree, Truth};
use crate::shares::Shares;

impl<'a> Deciding<'a> {
    /// The experiment the visitor takes part in: the only one of an A/B test, or one of a personalization's first priority group
    /// that has any for them.
    pub(crate) fn experiment(&mut self) -> Option<&'a Experiment> {
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
