//! Starts one campaign of a draft in a live project. What both have stays as it is live, because other campaigns run with it: only what is
//! not live yet comes from the draft.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use crate::group::GroupShare;
use crate::one_campaign::{names_of_attributes, pages_asked_for, pages_of, put, rest};
use crate::{
    Audience, Campaign, CampaignId, Fault, Group, GroupMember, Notice, Pointer, Project,
    SharedDocument, what_visitors_notice,
};

/// A shared resource that a campaign needs, and that is live in another state than in the draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBack {
    /// What it is, in a word: `page`.
    pub kind: &'static str,
    /// Its name as it is live, or its key.
    pub title: String,
}

/// The shared resources that a campaign of `draft` needs, and whose live state in the document `live` is another one. They stay so when
/// the campaign starts.
#[must_use]
pub fn kept_back(live: &SharedDocument, draft: &Project, id: CampaignId) -> Vec<KeptBack> {
    // References are ids in both: what only refers to a renamed resource has not changed.
    let needed = SharedDocument::of_project(&draft.with_campaign_alone(id));
    let kinds = [
        ("pages", "page"),
        ("events", "event"),
        ("metrics", "metric"),
        ("audiences", "audience"),
        ("attributes", "attribute"),
    ];
    let mut kept = Vec::new();
    for (list, kind) in kinds {
        let own: HashMap<_, _> =
            live.list(list).iter().map(|one| (one["id"].as_str(), one)).collect();
        let pairs =
            needed.list(list).iter().filter_map(|one| Some((one, own.get(&one["id"].as_str())?)));
        let changed = pairs.filter(|(theirs, own)| *theirs != **own);
        kept.extend(changed.map(|(_, own)| KeptBack { kind, title: title(own) }));
    }
    kept
}

fn title(resource: &Value) -> String {
    let title = resource["name"].as_str().or_else(|| resource["key"].as_str());
    title.unwrap_or_default().to_owned()
}

impl Project {
    /// The document of this live project with one campaign of `draft`, and with what the campaign needs from there. What this project has
    /// already stays as it is here, whatever the draft says; the caller must check that all of it fits together.
    ///
    /// # Errors
    /// If the campaign's share of a group is one that only the whole group of the draft gives it.
    pub fn with_campaign_started(
        &self,
        draft: &Self,
        id: CampaignId,
    ) -> Result<SharedDocument, Box<Fault>> {
        Ok(Start::of(self, draft, id)?.into_document())
    }

    /// What the start of this campaign of `draft` does to everything else of this live project: the first event that is live, for one, ends
    /// those of all other names. Nothing is checked: a start that is refused says so when a member tries it.
    #[must_use]
    pub fn what_others_notice_of_start(&self, draft: &Self, id: CampaignId) -> Vec<Notice> {
        let Ok(start) = Start::of(self, draft, id) else { return Vec::new() };
        let mut notices = what_visitors_notice(Some(self), &start.next);
        notices.retain(|notice| notice.kind != "campaign" || notice.id != id.to_string());
        notices
    }
}

/// A live project to which a draft's campaign is added.
struct Start<'p> {
    next: Project,
    draft: &'p Project,
    /// The audiences to add. Their conditions name attributes by the keys of the draft, which may be others than the live ones.
    audiences: Vec<&'p Audience>,
}

impl<'p> Start<'p> {
    fn of(live: &Project, draft: &'p Project, id: CampaignId) -> Result<Self, Box<Fault>> {
        let mut start = Self { next: live.clone(), draft, audiences: Vec::new() };
        if let Some(campaign) = draft.campaigns.iter().find(|one| one.id == id) {
            start.take(campaign);
            start.join_groups(id)?;
        }
        Ok(start)
    }

    /// Takes a campaign from the draft, with all that it needs but its groups.
    fn take(&mut self, campaign: &Arc<Campaign>) {
        let (draft, next) = (self.draft, &mut self.next);
        let here = next.audiences.iter().chain(self.audiences.iter().copied());
        let known = here.map(|audience| audience.id).collect();
        let audiences = draft.unknown_audiences_of(campaign, known);
        let metrics = missing(&next.metrics, draft.metrics_of(campaign), |one| one.id);
        let events = missing(&next.events, draft.events_of(&metrics), |one| one.id);
        let mut pages = pages_of(campaign);
        pages.extend(pages_asked_for(&audiences));
        pages.extend(events.iter().filter_map(|event| event.page));
        let pages = draft.pages.iter().filter(|page| pages.contains(&page.id)).collect();
        let pages = missing(&next.pages, pages, |one| one.id);
        let names = names_of_attributes(&audiences);
        let attributes = draft.attributes.iter().filter(|one| names.contains(one.key.as_str()));
        let attributes = missing(&next.attributes, attributes.collect(), |one| one.id);
        next.attributes.extend(attributes.into_iter().cloned());
        next.pages.extend(pages.into_iter().cloned());
        next.events.extend(events.into_iter().cloned());
        next.metrics.extend(metrics.into_iter().cloned());
        put(&mut next.campaigns, [campaign], |one| one.id);
        self.audiences.extend(audiences);
    }

    /// Gives the campaign the share of a group that it has in the draft. The shares of others stay as they are live. Campaigns that stand before
    /// it in its group and are not live come along, but do not start: its share begins where theirs end.
    fn join_groups(&mut self, id: CampaignId) -> Result<(), Box<Fault>> {
        let draft = self.draft;
        let before = self.next.group_shares();
        for group in &mut self.next.groups {
            group.members.retain(|member| member.campaign != id);
        }
        for theirs in draft.groups.iter().filter(|group| group.has(id)) {
            let last = theirs.members.iter().position(|member| member.campaign == id);
            let members = &theirs.members[..=last.unwrap_or_default()];
            for member in members {
                self.take_along(member.campaign);
            }
            self.join(theirs, members);
        }
        let [after, wanted] = [&self.next, draft].map(Project::group_shares);
        let is_moved = |campaign: &CampaignId, share: &GroupShare| {
            *campaign != id && after.get(campaign) != Some(share)
        };
        let moved = before.iter().find(|(campaign, share)| is_moved(campaign, share));
        let share = moved.map(|(_, share)| share).or_else(|| {
            let [own, wanted] = [&after, &wanted].map(|shares| shares.get(&id));
            if own == wanted { None } else { wanted.or(own) }
        });
        share.map_or(Ok(()), |share| Err(Box::new(self.refuse_share(*share))))
    }

    /// Adds a campaign that is not live, and does not start it.
    fn take_along(&mut self, id: CampaignId) {
        if self.next.campaign(id).is_some() {
            return;
        }
        let Some(campaign) = self.draft.campaigns.iter().find(|one| one.id == id) else { return };
        self.take(campaign);
        if let Some(added) = self.next.campaign_mut(id) {
            rest(added);
        }
    }

    /// Puts these members of a draft's group first in the same group here.
    fn join(&mut self, theirs: &Group, members: &[GroupMember]) {
        let mut members = members.to_vec();
        let Some(own) = self.next.groups.iter_mut().find(|group| group.id == theirs.id) else {
            self.next.groups.push(Group { members, ..theirs.clone() });
            return;
        };
        let first: HashSet<CampaignId> = members.iter().map(|member| member.campaign).collect();
        members.extend(own.members.iter().filter(|member| !first.contains(&member.campaign)));
        own.members = members;
    }

    fn refuse_share(&self, share: GroupShare) -> Fault {
        let groups = self.next.groups.iter().chain(&self.draft.groups);
        let group = groups.into_iter().find(|group| group.id == share.group);
        let key = group.map_or("", |group| group.key.as_str());
        let message = format!(
            "the group `{key}` has unpublished changes that the share of the campaign depends on"
        );
        Fault::error("group_differs", Pointer::root(), message)
    }

    fn into_document(self) -> SharedDocument {
        let mut document = SharedDocument::of_project(&self.next);
        // In documents, conditions name attributes by their ids.
        let added = Project {
            attributes: self.draft.attributes.clone(),
            audiences: self.audiences.into_iter().cloned().collect(),
            ..self.draft.without_contents()
        };
        for audience in SharedDocument::of_project(&added).list("audiences") {
            document.push("audiences", Value::clone(audience));
        }
        document
    }
}

/// Those of `wanted` that are not here.
fn missing<'p, T, I: PartialEq>(
    here: &[T],
    wanted: Vec<&'p T>,
    id: impl Fn(&T) -> I,
) -> Vec<&'p T> {
    let is_here = |one: &&T| here.iter().any(|here| id(here) == id(one));
    wanted.into_iter().filter(|one| !is_here(one)).collect()
}
