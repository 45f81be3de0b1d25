//! Describes what visitors notice of a publication: which campaigns stop, start and change for them. Members who edit a document see
//! fields; this module says what the fields do in the page.

mod results;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::document::percent;
use crate::words::words;
use crate::{
    Audience, AudienceId, BasisPoints, Campaign, CampaignId, Ending, Experiment, Key, Page, PageId,
    Project, Results, Variation, ending,
};

words! {
    /// What happens to a campaign, or to the settings that all campaigns share.
    pub enum Effect {
        /// It ran, and is no longer in the project.
        Removed = "removed",
        /// It ran, and no longer runs.
        Stops = "stops",
        /// It did not run, and now does.
        Starts = "starts",
        /// It keeps running, but differently.
        Changes = "changes",
    }
}

/// Something that visitors notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What happens to it.
    pub effect: Effect,
    /// `campaign`, or `project` for the settings that all campaigns share.
    pub kind: &'static str,
    /// Its id.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// The notice in words, with one line for each detail.
    pub text: String,
}

/// What visitors notice when `next` replaces `live`, losses first, or is the first that goes live: what begins to run.
#[must_use]
pub fn what_visitors_notice(live: Option<&Project>, next: &Project) -> Vec<Notice> {
    let Some(live) = live else {
        return next.served().map(|campaign| Notice::of(Effect::Starts, campaign, &[])).collect();
    };
    let comparison = Comparison::new(live, next);
    let mut notices = comparison.campaigns();
    notices.extend(comparison.project());
    notices.sort_by_key(|notice| match notice.effect {
        Effect::Removed => 0,
        Effect::Stops => 1,
        Effect::Starts => 2,
        Effect::Changes => 3,
    });
    notices
}

/// Two states of a project, and which of their shared resources differ.
struct Comparison<'p> {
    live: &'p Project,
    next: &'p Project,
    /// Pages that do not work as before, with their keys.
    pages: HashMap<PageId, &'p Key>,
    audiences: HashSet<AudienceId>,
}

impl<'p> Comparison<'p> {
    fn new(live: &'p Project, next: &'p Project) -> Self {
        let known: HashMap<PageId, &Page> = live.pages.iter().map(|page| (page.id, page)).collect();
        let pages = next
            .pages
            .iter()
            .filter(|page| known.get(&page.id).is_some_and(|before| !works_alike(before, page)));
        let known: HashMap<AudienceId, &Audience> =
            live.audiences.iter().map(|audience| (audience.id, audience)).collect();
        let audiences = next.audiences.iter().filter(|audience| {
            known.get(&audience.id).is_some_and(|before| before.conditions != audience.conditions)
        });
        Self {
            pages: pages.map(|page| (page.id, &page.key)).collect(),
            audiences: audiences.map(|audience| audience.id).collect(),
            live,
            next,
        }
    }

    fn campaigns(&self) -> Vec<Notice> {
        let after = self.next.campaigns_by_id();
        let before = self.live.campaigns_by_id();
        let shares = [self.live.group_shares(), self.next.group_shares()];
        let mut notices = Vec::new();
        for campaign in self.live.served() {
            let (effect, mut details) = self.becomes(campaign, after.get(&campaign.id).copied());
            let [before, after] = shares.each_ref().map(|one| one.get(&campaign.id));
            if effect == Effect::Changes && before != after {
                details.push("its share of a group of campaigns changes".to_owned());
            }
            if !details.is_empty() {
                notices.push(Notice::of(effect, campaign, &details));
            }
        }
        let starting = self.next.served().filter(|campaign| {
            let earlier = before.get(&campaign.id);
            self.live.archived || earlier.is_none_or(|earlier| !earlier.is_served())
        });
        notices.extend(starting.map(|campaign| Notice::of(Effect::Starts, campaign, &[])));
        notices
    }

    /// What happens to a campaign that visitors get, with the details; without details, nothing happens.
    fn becomes(&self, campaign: &Campaign, next: Option<&Campaign>) -> (Effect, Vec<String>) {
        match next {
            None => (Effect::Removed, vec!["the document does not have it".to_owned()]),
            Some(_) if self.next.archived => {
                (Effect::Stops, vec!["the project is archived".to_owned()])
            }
            Some(next) if !next.is_served() => {
                let from = if campaign.is_shipped() { "shipped" } else { campaign.status.word() };
                let to = next.status.word();
                (Effect::Stops, vec![format!("it is {from}, and becomes {to}")])
            }
            Some(next) => (Effect::Changes, self.details_of(campaign, next)),
        }
    }

    fn details_of(&self, before: &Campaign, after: &Campaign) -> Vec<String> {
        let mut details = Vec::new();
        if !before.is_shipped() && after.is_shipped() {
            details.push("all visitors it is for get its winner".to_owned());
        }
        if before.is_shipped() && !after.is_shipped() {
            details.push("its visitors get their variations again".to_owned());
        }
        if before.kind != after.kind {
            details.push(format!("it becomes {} instead of {}", after.kind, before.kind));
        }
        if before.pages != after.pages {
            details.push("it runs on other pages".to_owned());
        }
        if before.holdback != after.holdback {
            let [before, after] = [before.holdback, after.holdback].map(share);
            details.push(format!("its holdback is {after} instead of {before}"));
        }
        if before.priorities != after.priorities {
            details.push("the order of its experiments changes".to_owned());
        }
        if before.changes != after.changes {
            details.push("the changes that all variations share change".to_owned());
        }
        compare_experiments(&before.experiments, &after.experiments, &mut details);
        details.extend(results::other_judge((self.live, before), (self.next, after)));
        let pages = after.pages.iter().filter_map(|page| self.pages.get(page));
        details.extend(pages.map(|key| format!("its page `{key}` changes")));
        if !self.audiences.is_empty() {
            let audiences = self.next.audiences_of(after).into_iter();
            let audiences = audiences.filter(|audience| self.audiences.contains(&audience.id));
            details.extend(
                audiences.map(|Audience { key, .. }| format!("its audience `{key}` changes")),
            );
        }
        details
    }

    /// What changes in the settings that all campaigns share.
    fn project(&self) -> Option<Notice> {
        let (live, next) = (self.live, self.next);
        let mut details = Vec::new();
        if live.holdback != next.holdback {
            let [before, after] = [live.holdback, next.holdback].map(share);
            details.push(format!("the holdback of all campaigns is {after} instead of {before}"));
        }
        let settings = changed_fields(&live.snippet, &next.snippet);
        details.extend(settings.iter().map(|name| format!("the snippet's `{name}` changes")));
        if live.results != next.results {
            details.push(match next.results {
                Results::On => "visitors' decisions and events are sent to this server".to_owned(),
                Results::Off => "nothing more is sent to this server".to_owned(),
            });
        }
        details.extend(results::refused_events(live, next));
        if live.integrations != next.integrations {
            details.push("other analytics tools are told of decisions".to_owned());
        }
        let name = next.name.as_deref().unwrap_or(next.key.as_str());
        (!details.is_empty()).then(|| Notice {
            effect: Effect::Changes,
            kind: "project",
            id: next.id.to_string(),
            name: name.to_owned(),
            text: with_details(format!("project `{name}` ({}) changes", next.id), &details),
        })
    }
}

/// Whether two states of a page are the same to visitors. Names and categories are for reports.
fn works_alike(before: &Page, after: &Page) -> bool {
    before.conditions == after.conditions
        && before.activation == after.activation
        && before.deactivation == after.deactivation
        && before.undo_changes == after.undo_changes
        && before.archived == after.archived
}

/// Compares a removed experiment with the one in its place: its new phase, most often.
fn compare_experiments(before: &[Experiment], after: &[Experiment], details: &mut Vec<String>) {
    let is_new = |one: &Experiment| before.iter().all(|before| before.id != one.id);
    for (place, earlier) in before.iter().enumerate() {
        if let Some(later) = after.iter().find(|later| later.id == earlier.id) {
            compare_experiment(earlier, later, details);
            continue;
        }
        match ending(place, before, after) {
            Some(Ending::Replaced(later)) => {
                details.push(format!(
                    "experiment `{}` ({}) begins in the place of `{}` ({}): all visitors are drawn anew",
                    later.key, later.id, earlier.key, earlier.id
                ));
                compare_variations(&earlier.variations, &later.variations, details);
            }
            Some(Ending::Archived | Ending::Removed) | None => {
                details.push(format!("experiment `{}` ({}) ends", earlier.key, earlier.id));
            }
        }
    }
    let in_places: HashSet<usize> = (0..before.len())
        .filter(|place| after.iter().all(|later| later.id != before[*place].id))
        .collect();
    let begins = after
        .iter()
        .enumerate()
        .filter(|(place, later)| is_new(later) && !in_places.contains(place));
    details.extend(
        begins.map(|(_, later)| format!("experiment `{}` ({}) begins", later.key, later.id)),
    );
}

fn compare_experiment(before: &Experiment, after: &Experiment, details: &mut Vec<String>) {
    if before.audiences != after.audiences {
        details.push(format!("experiment `{}` is for other visitors", after.key));
    }
    if before.archived != after.archived {
        let word = if after.archived { "ends" } else { "begins" };
        details.push(format!("experiment `{}` {word}", after.key));
    }
    if before.winner != after.winner && after.winner.is_some() {
        details.push(format!("experiment `{}` has another winner", after.key));
    }
    compare_variations(&before.variations, &after.variations, details);
}

/// Variations of a new phase have other ids, so this compares variations with the same key.
fn compare_variations(before: &[Variation], after: &[Variation], details: &mut Vec<String>) {
    let twin = |one: &Variation, others: &[Variation]| {
        let by_id = others.iter().position(|other| other.id == one.id);
        by_id.or_else(|| others.iter().position(|other| other.key == one.key))
    };
    for earlier in before {
        let Some(later) = twin(earlier, after).map(|place| &after[place]) else {
            details.push(format!("variation `{}` is not there any more", earlier.key));
            continue;
        };
        let key = &later.key;
        if earlier.archived != later.archived {
            let word = if later.archived { "is archived" } else { "is there again" };
            details.push(format!("variation `{key}` {word}"));
        }
        if earlier.weight != later.weight {
            let [before, after] = [earlier.weight, later.weight].map(share);
            details.push(format!("variation `{key}` has the weight {after} instead of {before}"));
        }
        if earlier.paused != later.paused {
            let what = if later.paused { "the original" } else { "it again" };
            details.push(format!("the visitors of variation `{key}` see {what}"));
        }
        if earlier.changes != later.changes {
            details.push(if later.changes.is_empty() {
                format!("variation `{key}` loses all its changes: its visitors see the original")
            } else {
                format!("variation `{key}` changes the page otherwise")
            });
        }
    }
    let new = after.iter().filter(|later| twin(later, before).is_none());
    details.extend(new.map(|later| format!("variation `{}` is new", later.key)));
}

/// A share as members write it.
fn share(share: BasisPoints) -> String {
    percent(share.get().into())
}

/// The names of the fields in which two settings differ.
fn changed_fields(before: &impl serde::Serialize, after: &impl serde::Serialize) -> Vec<String> {
    let fields = |value: serde_json::Result<Value>| value.ok().unwrap_or_default();
    let before = fields(serde_json::to_value(before));
    let after = fields(serde_json::to_value(after));
    let names = after.as_object().into_iter().flatten();
    let changed = names.filter(|(name, value)| before.get(name.as_str()) != Some(value));
    changed.map(|(name, _)| name.clone()).collect()
}

impl Notice {
    fn of(effect: Effect, campaign: &Campaign, details: &[String]) -> Self {
        let name = campaign.title().to_owned();
        let text = match effect {
            Effect::Removed => {
                format!("campaign `{name}` ({}) is removed while it runs", campaign.id)
            }
            Effect::Stops | Effect::Starts | Effect::Changes => {
                format!("campaign `{name}` ({}) {effect}", campaign.id)
            }
        };
        let text = with_details(text, details);
        Self { effect, kind: "campaign", id: campaign.id.to_string(), name, text }
    }
}

fn with_details(text: String, details: &[String]) -> String {
    details.iter().fold(text, |text, detail| text + "\n  " + detail)
}

impl Project {
    /// The campaigns that visitors get.
    pub fn served(&self) -> impl Iterator<Item = &Campaign> {
        self.campaigns
            .iter()
            .map(|campaign| &**campaign)
            .filter(|campaign| !self.archived && campaign.is_served())
    }

    fn campaigns_by_id(&self) -> HashMap<CampaignId, &Campaign> {
        self.campaigns.iter().map(|campaign| (campaign.id, &**campaign)).collect()
    }
}
