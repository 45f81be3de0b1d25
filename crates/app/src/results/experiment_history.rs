//! When visitors took part in the experiments of campaigns: phases that a later one replaced, what was archived or removed, and campaigns
//! that have ended.

use std::cmp::Reverse;
use std::collections::HashMap;

use domain::{Campaign, CampaignStatus, Experiment, Project};
use events::Millis;
use oauth::{Moment, Timestamp};

use crate::results::report::EarlierExperiment;

/// What the revisions of a project tell of its campaigns, by the campaign's number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ExperimentHistory {
    /// The experiments that each had.
    lives: HashMap<u64, Vec<Life>>,
    /// When visitors took part in each.
    spans: HashMap<u64, Span>,
}

/// When visitors took part in a campaign, or in one of its experiments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Span {
    /// Since when a revision has it.
    pub(super) known: Option<Millis>,
    /// Since when, if ever.
    pub(super) started: Option<Millis>,
    /// Since when no longer; none if it goes on.
    pub(super) ended: Option<Millis>,
}

/// When visitors could take part in an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Life {
    experiment: u64,
    name: String,
    /// The last revision that has it.
    revision: u32,
    /// Since when visitors took part in it.
    started_at: Millis,
    /// Since when visitors get another revision; none if they get this one.
    ended_at: Option<Millis>,
}

impl ExperimentHistory {
    /// Adds what went live at a moment, after all that is known.
    pub(super) fn add(&mut self, (number, project): (u32, &Project), since: Millis) {
        for campaign in &project.campaigns {
            self.add_to_span(campaign, since);
            if campaign.status == CampaignStatus::NotStarted {
                continue;
            }
            let lives = self.lives.entry(campaign.id.get()).or_default();
            for experiment in campaign.experiments.iter().filter(|one| !one.archived) {
                let own = experiment.id.get();
                let known = lives.extract_if(.., |life| life.experiment == own).last();
                lives.push(Life {
                    experiment: own,
                    name: experiment.title().to_owned(),
                    revision: number,
                    started_at: known.map_or(since, |life| life.started_at),
                    ended_at: None,
                });
            }
        }
        let lives = self.lives.values_mut().flatten();
        for life in lives.filter(|life| life.revision < number) {
            life.ended_at.get_or_insert(since);
        }
    }

    /// A campaign that ends before it started, in a revision that is known, has no visitors.
    fn add_to_span(&mut self, campaign: &Campaign, since: Millis) {
        let id = campaign.id.get();
        let never_ran = self.spans.get(&id).is_some_and(|span| span.started.is_none());
        let span = self.spans.entry(id).or_default();
        span.known.get_or_insert(since);
        if campaign.status == CampaignStatus::NotStarted || never_ran && has_ended(campaign) {
            return;
        }
        span.started.get_or_insert(since);
        span.ended = has_ended(campaign).then(|| span.ended.unwrap_or(since));
    }

    /// The experiments of a campaign that visitors take part in no longer, those that ended last first.
    pub(super) fn ended(&self, campaign: u64) -> Vec<EarlierExperiment> {
        let lives = self.lives.get(&campaign).into_iter().flatten();
        let mut ended: Vec<_> = lives.filter_map(Life::ended).collect();
        ended.sort_by_key(|one| Reverse(one.revision));
        ended
    }

    /// When visitors took part in a campaign.
    pub(super) fn span(&self, campaign: &Campaign) -> Span {
        self.spans.get(&campaign.id.get()).copied().unwrap_or_default()
    }

    /// When visitors took part in an experiment of it. One that a new phase replaced goes on for those who have its revision.
    pub(super) fn span_of_experiment(&self, campaign: &Campaign, experiment: &Experiment) -> Span {
        let mut lives = self.lives.get(&campaign.id.get()).into_iter().flatten();
        let life = lives.find(|life| life.experiment == experiment.id.get());
        Span { started: life.map(|life| life.started_at), ..self.span(campaign) }
    }
}

/// Whether no visitor takes part in the campaign any more, for good.
pub(super) fn has_ended(campaign: &Campaign) -> bool {
    [CampaignStatus::Concluded, CampaignStatus::Archived].contains(&campaign.status)
}

impl Span {
    /// Whether visitors take part no longer at this moment.
    pub(super) fn is_over(self, at: Millis) -> bool {
        self.ended.is_some_and(|ended| at >= ended)
    }
}

/// A moment as programs read it.
pub(super) fn machine(at: Millis) -> String {
    Moment::from(Timestamp::from_milliseconds(at.0)).machine()
}

impl Life {
    fn ended(&self) -> Option<EarlierExperiment> {
        let ended_at = machine(self.ended_at?);
        let (id, name) = (self.experiment.to_string(), self.name.clone());
        Some(EarlierExperiment { id, name, revision: self.revision, ended_at })
    }
}

#[cfg(test)]
mod tests {
    use domain::{NoFiles, Project, Source, parse};
    use events::Millis;

    use super::{ExperimentHistory, Span};

    const HERO: u64 = 2;

    fn shop(status: &str, experiments: &[&str]) -> Project {
        let variations = "variations: [{key: original, weight: 1}, {key: short, weight: 1}]";
        let experiments = experiments.iter().map(|key| format!("{{key: {key}, {variations}}}"));
        let text = format!(
            "version: 1
project: {{key: shop}}
pages: [{{key: home}}]
campaigns:
  - {{key: hero, id: {HERO}, type: ab_test, status: {status}, pages: [home], experiments: [{}]}}
",
            experiments.collect::<Vec<_>>().join(", ")
        );
        parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
    }

    /// What ended after these revisions, one a second: its name, its last revision, and when.
    fn ended(revisions: &[Project]) -> Vec<(String, u32, String)> {
        let mut history = ExperimentHistory::default();
        for (number, project) in (1..).zip(revisions) {
            history.add((number, project), Millis(i64::from(number) * 1_000));
        }
        let ended = history.ended(HERO).into_iter();
        ended.map(|one| (one.name, one.revision, one.ended_at)).collect()
    }

    #[test]
    fn an_experiment_without_further_visitors_has_ended() {
        let ended = ended(&[
            shop("not_started", &["drafted"]),
            shop("running", &["first"]),
            shop("paused", &["first"]),
            shop("running", &["second"]),
            shop("running", &["third"]),
        ]);

        let second = ("second".to_owned(), 4, "1970-01-01T00:00:05Z".to_owned());
        assert_eq!(ended, [second, ("first".to_owned(), 3, "1970-01-01T00:00:04Z".to_owned())]);
    }

    #[test]
    fn a_campaign_has_ended_since_it_was_concluded() {
        let all = ["not_started", "running", "paused", "concluded", "archived", "running"];
        let all = all.map(|status| shop(status, &["first"]));
        let mut history = ExperimentHistory::default();
        let mut spans = Vec::new();
        for (number, project) in (1..).zip(&all) {
            history.add((number, project), Millis(i64::from(number)));
            let Span { started, ended, .. } = history.span(&project.campaigns[0]);
            spans.push([started, ended].map(|at| at.map(|Millis(at)| at)));
        }

        let running = [Some(2), None];
        let concluded = [Some(2), Some(4)];
        assert_eq!(spans, [[None, None], running, running, concluded, concluded, running]);
    }

    #[test]
    fn a_campaign_that_was_archived_before_it_started_never_ran() {
        let mut history = ExperimentHistory::default();
        let [planned, archived] =
            ["not_started", "archived"].map(|status| shop(status, &["first"]));
        history.add((1, &planned), Millis(1));
        history.add((2, &archived), Millis(2));

        let never_ran = Span { known: Some(Millis(1)), ..Span::default() };
        assert_eq!(history.span(&archived.campaigns[0]), never_ran);
    }

    #[test]
    fn an_experiment_started_with_its_phase() {
        let mut history = ExperimentHistory::default();
        let [first, second] = ["first", "second"].map(|phase| shop("running", &[phase]));
        for (number, project) in (1..).zip([&first, &first, &second, &second]) {
            history.add((number, project), Millis(i64::from(number)));
        }

        let started = |project: &Project| {
            let campaign = &project.campaigns[0];
            let span = history.span_of_experiment(campaign, &campaign.experiments[0]);
            span.started.map(|Millis(at)| at)
        };
        assert_eq!([&first, &second].map(started), [Some(1), Some(3)]);
    }

    #[test]
    fn an_experiment_that_comes_back_has_not_ended() {
        let first = || shop("running", &["first"]);
        let ended = ended(&[first(), shop("running", &["second"]), first()]);

        assert_eq!(ended, [("second".to_owned(), 2, "1970-01-01T00:00:03Z".to_owned())]);
    }
}
