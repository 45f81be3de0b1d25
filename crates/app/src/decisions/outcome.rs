//! The outcome of a campaign in one sentence: what people want to know first about a decision.

use decide::CampaignAnswer;

/// The outcome of a campaign for a visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The visitor sees a variation.
    Shown,
    /// The visitor is counted with a variation, but shown nothing.
    HeldBack,
    /// The campaign was decided, and the visitor is not in it.
    LeftOut,
    /// The campaign decides nothing on this page.
    Silent,
}

impl Outcome {
    /// The outcome of this campaign.
    #[must_use]
    pub fn of(campaign: &CampaignAnswer) -> Self {
        match (campaign.is_decided, &campaign.variation) {
            (false, _) => Self::Silent,
            (true, None) => Self::LeftOut,
            (true, Some(_)) if campaign.is_held_back => Self::HeldBack,
            (true, Some(_)) => Self::Shown,
        }
    }
}

/// The outcome of a campaign, as a sentence about the visitor that quotes names in backticks.
#[must_use]
pub fn outcome_sentence(campaign: &CampaignAnswer) -> String {
    let experiment = campaign.experiment.as_ref();
    let experiment = experiment.map(|found| found.name.as_ref().unwrap_or(&found.key));
    let variation = campaign.variation.as_ref();
    let variation = variation.map(|found| found.name.as_ref().unwrap_or(&found.key));
    match (Outcome::of(campaign), experiment, variation) {
        (Outcome::Shown, Some(experiment), Some(variation)) => {
            format!("sees `{variation}` of experiment `{experiment}`")
        }
        (Outcome::HeldBack, Some(experiment), Some(variation)) => {
            format!(
                "held back: counted with `{variation}` of experiment `{experiment}`, but shown nothing"
            )
        }
        (Outcome::Silent, ..) => "nothing is decided here".to_owned(),
        (_, Some(experiment), _) => {
            format!("in experiment `{experiment}`, but in none of its variations")
        }
        (_, None, _) => "in no experiment".to_owned(),
    }
}
