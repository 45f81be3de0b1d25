//! A member concludes a campaign: names the variation that won, and whether all its visitors get that variation from now on, until it is
//! built into the site.

use domain::{
    Campaign, CampaignStatus, Ending, Experiment, ExperimentId, Fault, Pointer, Variation,
    VariationId,
};
use serde_json::{Value, json};

use crate::campaigns::ended::ended_experiments;
use crate::drafts::EditError;

/// The code of the fault that a new phase keeps a winner from being named.
pub const NEW_PHASE_WAITS: &str = "new_phase_waits";

/// The winner and shipping of a concluded campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conclusion {
    /// What won, if that is said.
    pub winner: Option<Winner>,
    /// Whether all visitors in the campaign's audience get its winners.
    pub ship: Option<bool>,
}

/// What won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Winner {
    /// The variation of this id or key.
    Variation(String),
    /// No variation; who was named before is it no longer.
    Nothing,
}

/// The next state of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NextState {
    status: CampaignStatus,
    shipped: bool,
    /// For experiments where something was said.
    winners: Vec<(ExperimentId, Option<VariationId>)>,
}

impl Conclusion {
    /// Whether it says anything; if so, it also applies to a campaign already concluded.
    pub(super) fn says_something(&self) -> bool {
        self.winner.is_some() || self.ship.is_some()
    }

    /// Refuses to name a winner of a new phase that waits in the draft, and to ship one: no visitor has met its variations, and those that
    /// visitors have met are not in the draft. The campaign can still end without one.
    pub(super) fn check_phases(&self, live: &Campaign, draft: &Campaign) -> Result<(), EditError> {
        let is_met = |experiment| live.experiments.iter().any(|one| one.id == experiment);
        let named = self.winner_of(draft).ok().flatten();
        let field = match (&self.winner, self.ship) {
            (Some(Winner::Variation(_)), Some(false) | None)
                if named.is_some_and(|(experiment, _)| is_met(experiment)) =>
            {
                return Ok(());
            }
            (Some(Winner::Variation(_)), _) => "winner",
            (_, Some(true)) => "ship",
            (Some(Winner::Nothing) | None, Some(false) | None) => return Ok(()),
        };
        let mut ended = ended_experiments(live, draft);
        let Some((replaced, _)) = ended.find(|(_, how)| matches!(how, Ending::Replaced(_))) else {
            return Ok(());
        };
        let message = format!(
            "a new phase of the experiment `{}` waits in the draft, whose variations no visitor has met",
            replaced.key
        );
        let fault = Fault::error(NEW_PHASE_WAITS, Pointer::root().field(field), message);
        let hint = "discard the draft or publish it first, or conclude without a winner";
        Err(EditError::Invalid(vec![fault.hint(hint)]))
    }

    /// The state of a campaign that turns to `status`. Only a concluded campaign is shipped.
    pub(super) fn next(
        &self,
        campaign: &Campaign,
        status: CampaignStatus,
    ) -> Result<NextState, EditError> {
        let was_shipped = campaign.is_shipped() && status == CampaignStatus::Concluded;
        let shipped = self.ship.unwrap_or(was_shipped);
        let kept = || campaign.experiments.iter().filter(|one| !one.archived);
        if self.winner == Some(Winner::Nothing) {
            if let Some(experiment) = kept().next().filter(|_| shipped) {
                return Err(without_winner(experiment));
            }
            let winners = kept().map(|experiment| (experiment.id, None)).collect();
            return Ok(NextState { status, shipped, winners });
        }
        let named = self.winner_of(campaign)?;
        let mut winners: Vec<_> = named.into_iter().map(|(id, won)| (id, Some(won))).collect();
        let unnamed = kept().filter(|one| named.is_none_or(|(id, _)| id != one.id));
        if shipped {
            for experiment in unnamed {
                winners.push((experiment.id, Some(winner_to_ship(experiment)?)));
            }
        }
        Ok(NextState { status, shipped, winners })
    }

    fn winner_of(
        &self,
        campaign: &Campaign,
    ) -> Result<Option<(ExperimentId, VariationId)>, EditError> {
        let Some(Winner::Variation(name)) = &self.winner else { return Ok(None) };
        let pointer = Pointer::root().field("winner");
        let candidates = || {
            let experiments = campaign.experiments.iter().filter(|experiment| !experiment.archived);
            experiments.flat_map(|experiment| {
                let variations = experiment.variations.iter().filter(|one| !one.archived);
                variations.map(move |variation| (experiment, variation))
            })
        };
        let is_id = |(_, one): &(&Experiment, &Variation)| one.id.to_string() == *name;
        let is_key = |(_, one): &(&Experiment, &Variation)| one.key.as_str() == name;
        let found: Vec<_> = match candidates().find(is_id) {
            Some(found) => vec![found],
            None => candidates().filter(is_key).collect(),
        };
        match found.as_slice() {
            [(experiment, variation)] => Ok(Some((experiment.id, variation.id))),
            [] => {
                let message = format!("the campaign has no variation `{name}`");
                let fault = Fault::error("unknown_reference", pointer, message);
                let keys = candidates().map(|(_, variation)| variation.key.as_str());
                Err(EditError::Invalid(vec![fault.did_you_mean(name, keys)]))
            }
            [_, _, ..] => {
                let message = format!("several experiments have a variation `{name}`");
                let fault = Fault::error("ambiguous_reference", pointer, message);
                Err(EditError::Invalid(vec![fault.expected("the id of a variation")]))
            }
        }
    }
}

/// The winner named before; a single variation wins without being named.
fn winner_to_ship(experiment: &Experiment) -> Result<VariationId, EditError> {
    if let Some(place) = experiment.winning_place() {
        return Ok(experiment.variations[place].id);
    }
    let mut candidates = experiment.variations.iter().filter(|variation| !variation.archived);
    if let (Some(only), None) = (candidates.next(), candidates.next()) {
        return Ok(only.id);
    }
    Err(without_winner(experiment))
}

fn without_winner(experiment: &Experiment) -> EditError {
    let message =
        format!("the experiment `{}` has no winner that could be shipped", experiment.key);
    let fault = Fault::error("missing_field", Pointer::root().field("winner"), message);
    EditError::Invalid(vec![fault.expected("the key or the id of a variation")])
}

impl NextState {
    /// Whether it changes more than the campaign's status.
    pub(super) fn is_more_than_status(&self, campaign: &Campaign) -> bool {
        self.shipped != campaign.shipped || !self.winners.is_empty()
    }

    /// Writes it into a campaign of a document.
    pub(super) fn write(&self, campaign: &mut Value) {
        campaign["status"] = json!(self.status);
        campaign["shipped"] = json!(self.shipped);
        for experiment in campaign["experiments"].as_array_mut().into_iter().flatten() {
            let winner = self.winners.iter().find(|(id, _)| experiment["id"] == *id.to_string());
            let Some((_, winner)) = winner else { continue };
            experiment["winner"] = json!(winner);
            let Some(winner) = winner else { continue };
            let variations = experiment["variations"].as_array_mut().into_iter().flatten();
            // It may have been stopped before: no visitor would see what all are to get.
            for shipped in variations.filter(|one| self.shipped && one["id"] == winner.to_string())
            {
                shipped["paused"] = json!(false);
            }
        }
    }

    /// Applies this state to a live campaign.
    pub(super) fn apply(&self, campaign: &mut Campaign) {
        campaign.status = self.status;
        campaign.shipped = self.shipped;
        for experiment in &mut campaign.experiments {
            let winner = self.winners.iter().find(|(id, _)| *id == experiment.id);
            experiment.winner = winner.map_or(experiment.winner, |(_, winner)| *winner);
            let winner = experiment.winner.filter(|_| self.shipped);
            for shipped in experiment.variations.iter_mut().filter(|one| Some(one.id) == winner) {
                shipped.paused = false;
            }
        }
    }
}
