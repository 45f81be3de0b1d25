//! Which of several mutually exclusive campaigns a visitor is given.

use domain::{CampaignId, Group};

use crate::answer::StepKind;
use crate::bucketing::{Draw, bucket};
use crate::campaign_decision::Deciding;
use crate::decider::Decider;
use crate::shares::Shares;
use crate::visit::Visit;

/// What a group of mutually exclusive campaigns gives a visitor: the same for all of its members.
#[derive(Debug, Clone)]
pub(crate) struct GroupChoice {
    pub(crate) group_id: String,
    /// `None` for a visitor beyond the shares.
    pub(crate) campaign: Option<CampaignId>,
    /// The choice in words.
    told: String,
}

impl GroupChoice {
    /// The campaign given earlier, as long as it is in the group; else one is drawn.
    pub(crate) fn new(group: &Group, decider: &Decider, visit: &Visit) -> Self {
        let group_id = group.id.to_string();
        let earlier = visit.groups.get(&group_id).and_then(|given| member(group, given));
        let bucket = bucket(&visit.visitor_id, Draw::Group(&group_id));
        let how = match earlier {
            Some(_) => "gave the visitor earlier".to_owned(),
            None => format!("gives bucket {} of 10000", bucket.get()),
        };
        let shares = Shares::weighted(group.members.iter().map(|member| member.weight.get()));
        let drawn = || shares.place_of(bucket).map(|place| group.members[place].campaign);
        let campaign = earlier.or_else(drawn);
        let mut campaigns = decider.project.campaigns.iter();
        let given = campaign
            .and_then(|id| campaigns.find(|campaign| campaign.id == id))
            .map_or("no campaign".to_owned(), |campaign| format!("campaign `{}`", campaign.key));
        let told = format!("group `{}` {how} {given}", group.key);
        Self { group_id, campaign, told }
    }
}

fn member(group: &Group, campaign_id: &str) -> Option<CampaignId> {
    let mut campaigns = group.members.iter().map(|member| member.campaign);
    campaigns.find(|campaign| campaign.to_string() == campaign_id)
}

impl<'a> Deciding<'a> {
    /// What its group gives the visitor; `None` for a campaign that excludes no other.
    pub(crate) fn group_choice(&self) -> Option<&'a GroupChoice> {
        let place = *self.view.decider.groups.get(&self.campaign.id)?;
        Some(self.view.group_choice(place))
    }

    pub(crate) fn tell_choice(&mut self, choice: &GroupChoice) {
        let is_chosen = choice.campaign == Some(self.campaign.id);
        let outcome = if is_chosen { "" } else { ": this one is left out" };
        self.say(StepKind::Group, format!("{}{outcome}", choice.told));
    }
}
