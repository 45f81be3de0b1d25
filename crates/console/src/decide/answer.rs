//! An answer as the page shows it: what the visitor gets first, then everything that led to it.

use app::decisions::{Outcome, outcome_sentence};
use decide::{Answer, CampaignAnswer};

use crate::words::kind_words;
use crate::words::sentence;

/// The whole answer.
pub(super) struct ShownAnswer {
    pub(super) visitor_id: String,
    pub(super) url: String,
    /// Campaigns that decide something on this page.
    pub(super) decided: Vec<ShownCampaign>,
    /// The others.
    pub(super) silent: Vec<ShownCampaign>,
    /// Pages and audiences.
    pub(super) lists: Vec<FactList>,
}

/// A campaign with what came of it.
pub(super) struct ShownCampaign {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) is_decided: bool,
    pub(super) kind: String,
    /// What came of it in a word, and the class that colours the word.
    pub(super) word: &'static str,
    pub(super) mood: &'static str,
    pub(super) outcome: String,
    pub(super) steps: Vec<ShownStep>,
    pub(super) decision_string: Option<String>,
}

/// One step of a decision.
pub(super) struct ShownStep {
    pub(super) label: &'static str,
    pub(super) text: String,
}

/// What holds of several things of one kind.
pub(super) struct FactList {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) facts: Vec<Fact>,
}

/// What holds of one thing, and why.
pub(super) struct Fact {
    pub(super) title: String,
    pub(super) key: String,
    pub(super) word: &'static str,
    pub(super) mood: &'static str,
    pub(super) why: String,
}

impl From<Answer> for ShownAnswer {
    fn from(answer: Answer) -> Self {
        let pages = answer.pages.into_iter().map(|page| Fact {
            title: page.name.unwrap_or_else(|| page.key.clone()),
            key: page.key,
            word: if page.is_active { "active" } else { "not active" },
            mood: if page.is_active { "good" } else { "" },
            why: sentence(&page.why),
        });
        let audiences = answer.audiences.into_iter().map(|audience| Fact {
            title: audience.name.unwrap_or_else(|| audience.key.clone()),
            key: audience.key,
            word: audience
                .is_met
                .map_or("unknown", |is_met| if is_met { "met" } else { "not met" }),
            mood: audience.is_met.map_or("held", |is_met| if is_met { "good" } else { "" }),
            why: sentence(&audience.why),
        });
        let lists = [
            FactList { id: "pages", title: "Pages", facts: pages.collect() },
            FactList { id: "audiences", title: "Audiences", facts: audiences.collect() },
        ];
        let campaigns = answer.campaigns.into_iter().map(ShownCampaign::from);
        let (decided, silent) = campaigns.partition(|campaign| campaign.is_decided);
        Self {
            visitor_id: answer.visitor_id,
            url: answer.url,
            decided,
            silent,
            lists: lists.into_iter().filter(|list| !list.facts.is_empty()).collect(),
        }
    }
}

impl From<CampaignAnswer> for ShownCampaign {
    fn from(campaign: CampaignAnswer) -> Self {
        let (word, mood) = match Outcome::of(&campaign) {
            Outcome::Shown => ("shown", "good"),
            Outcome::HeldBack => ("held back", "held"),
            Outcome::LeftOut => ("left out", ""),
            Outcome::Silent => ("not decided", ""),
        };
        Self {
            is_decided: campaign.is_decided,
            word,
            mood,
            outcome: sentence(&outcome_sentence(&campaign)),
            kind: kind_words(campaign.r#type).to_owned(),
            title: campaign.name.unwrap_or(campaign.key),
            id: campaign.id,
            steps: campaign
                .steps
                .into_iter()
                .map(|step| ShownStep { label: step.step.word(), text: sentence(&step.text) })
                .collect(),
            decision_string: campaign.decision_string,
        }
    }
}
