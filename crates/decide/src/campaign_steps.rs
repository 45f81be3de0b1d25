//! The steps of a campaign's decision: each checks one thing, and explains its result.

use domain::{ConditionKind, Experiment};

use crate::answer::StepKind;
use crate::bucketing::{Bucket, Draw, bucket};
use crate::campaign_decision::{Chosen, Deciding};
use crate::decider::place_of;
use crate::shares::Shares;

impl<'a> Deciding<'a> {
    pub(crate) fn runs(&mut self) -> bool {
        let runs = self.campaign.is_served();
        let status = self.campaign.status.word().replace('_', " ");
        let consequence = match (runs, self.campaign.is_shipped()) {
            (true, true) => ", and its winner is shipped: every targeted visitor gets it",
            (true, false) => "",
            (false, _) => ": only running campaigns are in the snippet",
        };
        self.say(StepKind::Status, format!("the campaign is {status}{consequence}"));
        runs
    }

    pub(crate) fn is_on_page(&mut self, is_active: &[bool]) -> bool {
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

    /// Whether the campaign cannot be decided yet, since its audiences ask where the visitor is.
    pub(crate) fn awaits_location(&mut self) -> bool {
        let project = &self.view.decider.project;
        let awaits = self.view.visit.location.is_none()
            && project.asks_about(self.campaign, ConditionKind::Location);
        if awaits {
            let text = "its audiences ask for the visitor's location, which the page has not told: it waits";
            self.say(StepKind::Audiences, text);
        }
        awaits
    }

    /// The first of the campaign's variations that the visitor's tab asked for.
    pub(crate) fn forced(&mut self) -> Option<Chosen<'a>> {
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

    /// Whether the project itself holds the visitor back: from this campaign as from all others.
    pub(crate) fn is_held_back_everywhere(&mut self) -> bool {
        let holdback = self.view.decider.project.holdback.get();
        if holdback == 0 {
            return false;
        }
        let bucket = bucket(&self.view.visit.visitor_id, Draw::ProjectHoldback);
        let is_within = bucket.is_within(holdback);
        let end = "held back from all campaigns, so nothing is shown";
        self.say_holdback(StepKind::ProjectHoldback, bucket, holdback, end);
        is_within
    }

    pub(crate) fn is_held_back(&mut self) -> bool {
        let holdback = self.campaign.holdback.get();
        if holdback == 0 {
            self.say(StepKind::Holdback, "no visitors are held back");
            return false;
        }
        let id = self.campaign.id.to_string();
        let bucket = bucket(&self.view.visit.visitor_id, Draw::Holdback(&id));
        let is_within = bucket.is_within(holdback);
        self.say_holdback(StepKind::Holdback, bucket, holdback, "held back, so nothing is shown");
        is_within
    }

    /// Whether the visitor's variation is stopped: then they are held back.
    pub(crate) fn is_paused(&mut self, chosen: &Chosen<'_>) -> bool {
        let variation = chosen.variation.map(|place| &chosen.experiment.variations[place]);
        let Some(variation) = variation.filter(|variation| variation.paused) else { return false };
        let key = &variation.key;
        let text =
            format!("variation `{key}` is paused: its visitors keep it, and are shown nothing");
        self.say(StepKind::Paused, text);
        true
    }

    fn say_holdback(&mut self, step: StepKind, bucket: Bucket, holdback: u16, within: &str) {
        let (word, end) = if bucket.is_within(holdback) {
            ("below", within)
        } else {
            ("not below", "not held back")
        };
        self.say(step, format!("bucket {} of 10000 is {word} {holdback}: {end}", bucket.get()));
    }

    /// A variation once given wins over new weights; when it is gone, the visitor is in none.
    pub(crate) fn variation(&mut self, experiment: &Experiment) -> Option<usize> {
        let winner = experiment.winning_place().filter(|_| self.campaign.is_shipped());
        if let Some(place) = winner {
            let key = &experiment.variations[place].key;
            let text = format!("variation `{key}` won and is shipped, whatever was given earlier");
            self.say(StepKind::Variation, text);
            return winner;
        }
        let experiment_id = experiment.id.to_string();
        if let Some(given) = self.view.visit.given_variation(&experiment_id) {
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
}
