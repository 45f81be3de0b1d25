//! Which of several mutually exclusive campaigns a visitor is given.

use domain::{CampaignId, Group};

use crate::answer::StepKind;
use crate::bucketing::{Draw, bucket};
use crate::campaign_decision::Deciding;
use crate::shares::Shares;

/// What a group of mutually exclusive campaigns gives a visitor.
pub(crate) struct GroupChoice<'a> {
    pub(crate) group: &'a Group,
    /// `None` for a visitor beyond the shares.
    pub(crate) campaign: Option<CampaignId>,
    how: String,
}

impl<'a> Deciding<'a> {
    /// Which campaign its group gives the visitor: the one given earlier, as long as it is in the group.
    pub(crate) fn group_choice(&self) -> Option<GroupChoice<'a>> {
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

    pub(crate) fn tell_choice(&mut self, choice: &GroupChoice<'_>) {
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
}
