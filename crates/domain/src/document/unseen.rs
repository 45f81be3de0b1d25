//! Warns of what runs, and yet no visitor sees.

use std::collections::HashSet;

use super::reader::{At, Reader};
use super::seen::{empty_audiences, shows_variation};
use crate::{
    AudienceId, AudienceTree, Audiences, BasisPoints, Campaign, CampaignStatus, Change, Condition,
    ConditionKind, ConditionTree, MatchKind, Page, Project,
};

/// Comes after the whole document, since it compares its parts.
pub(super) fn warn_of_unseen(reader: &mut Reader<'_>, at: &At<'_>, project: &Project) {
    if project.archived {
        return;
    }
    let of = |section: &str, place| at.field_or_self(section).element(place);
    // `never_holds.rs` tells of the others.
    let empty = empty_audiences(&project.audiences, &|_| true);
    let campaigns = project.campaigns.iter().enumerate();
    let served: Vec<_> = campaigns.filter(|(_, campaign)| will_be_served(campaign)).collect();
    for (place, campaign) in &served {
        warn_of_campaign(reader, &of("campaigns", *place), campaign, &empty);
        if let Some((group, member)) = project.member_without_share(campaign.id) {
            let at = of("groups", group).field_or_self("members").element(member);
            warn_of_no_share(reader, &at.field_or_self("weight"));
        }
    }
    for (place, campaign) in project.campaigns.iter().enumerate() {
        if campaign.status == CampaignStatus::NotStarted {
            warn_of_no_weight(reader, &of("campaigns", place), campaign);
        }
    }
    if !served.is_empty() {
        warn_of_holdback(reader, &at.field_or_self("project"), project.holdback);
    }
    for (place, page) in project.pages.iter().enumerate().filter(|(_, page)| !page.archived) {
        warn_of_other_site(reader, &of("pages", place), page, project);
    }
}

/// Whether visitors get it, or will by its schedule alone.
fn will_be_served(campaign: &Campaign) -> bool {
    let is_waiting = campaign.status == CampaignStatus::NotStarted;
    let is_scheduled = || campaign.schedule.as_ref().is_some_and(|one| one.start.is_some());
    campaign.is_served() || is_waiting && is_scheduled()
}

fn warn_of_campaign(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    campaign: &Campaign,
    empty: &HashSet<AudienceId>,
) {
    if campaign.pages.is_empty() {
        let at = at.field_or_self("pages");
        let message = "the campaign has no pages, so no visitor sees it";
        let hint = "name some; a page without conditions is every page of the site";
        reader.report(&at, at.warning("no_pages", message).hint(hint));
    }
    warn_of_holdback(reader, at, campaign.holdback);
    warn_of_other_pages(reader, at, campaign);
    let experiments = at.field_or_self("experiments");
    for (place, experiment) in campaign.experiments.iter().enumerate() {
        let has_paused = experiment.variations.iter().any(|variation| variation.paused);
        if !experiment.archived && has_paused && !shows_variation(campaign, experiment) {
            let at = experiments.element(place).field_or_self("variations");
            let message = "all variations that visitors get are paused, so no visitor sees this";
            let hint = "let one of them run, or pause the campaign";
            reader.report(&at, at.warning("all_paused", message).hint(hint));
        }
        let Audiences::Tree(tree) = &experiment.audiences else { continue };
        if !experiment.archived && !may_have_members(tree, empty) {
            let at = experiments.element(place).field_or_self("audiences");
            let message =
                "an audience without conditions contains no visitor, so no visitor sees this";
            let hint = "give the audience conditions, or leave `audiences` out for everyone";
            reader.report(&at, at.warning("empty_audience", message).hint(hint));
        }
    }
}

/// A variation that no visitor can get. Once the campaign runs, visitors may have it, and `weight: 0` keeps it from new ones.
fn warn_of_no_weight(reader: &mut Reader<'_>, at: &At<'_>, campaign: &Campaign) {
    let experiments = at.field_or_self("experiments");
    let of_campaign = campaign.experiments.iter().enumerate();
    for (place, experiment) in of_campaign.filter(|(_, experiment)| !experiment.archived) {
        let variations = experiments.element(place).field_or_self("variations");
        let of_experiment = experiment.variations.iter().enumerate();
        for (place, variation) in of_experiment.filter(|(_, one)| !one.archived && !one.paused) {
            if variation.weight == BasisPoints::ZERO {
                let at = variations.element(place).field_or_self("weight");
                let message = "no visitor gets this variation";
                let hint = "give it a share, or say that it is `paused` or `archived`";
                reader.report(&at, at.warning("no_weight", message).hint(hint));
            }
        }
    }
}

fn warn_of_holdback(reader: &mut Reader<'_>, at: &At<'_>, holdback: BasisPoints) {
    if holdback == BasisPoints::ALL {
        let at = at.field_or_self("holdback");
        let message = "all visitors are held back, so no visitor sees this";
        let hint = "lower it: the share is of those who are shown nothing";
        reader.report(&at, at.warning("all_held_back", message).hint(hint));
    }
}

fn warn_of_no_share(reader: &mut Reader<'_>, at: &At<'_>) {
    let message = "no visitors of the group get this campaign, so no visitor sees it";
    let hint = "give it a share, such as `50%`, or take it out of the group";
    reader.report(at, at.warning("no_share", message).hint(hint));
}

/// Changes limited to a page that the campaign is not on need both pages to be active at once.
fn warn_of_other_pages(reader: &mut Reader<'_>, at: &At<'_>, campaign: &Campaign) {
    warn_of_changes(reader, at, &campaign.changes, campaign);
    let experiments = at.field_or_self("experiments");
    let of_campaign = campaign.experiments.iter().enumerate();
    for (place, experiment) in of_campaign.filter(|(_, experiment)| !experiment.archived) {
        let variations = experiments.element(place).field_or_self("variations");
        let of_experiment = experiment.variations.iter().enumerate();
        for (place, variation) in of_experiment.filter(|(_, variation)| !variation.archived) {
            warn_of_changes(reader, &variations.element(place), &variation.changes, campaign);
        }
    }
}

fn warn_of_changes(reader: &mut Reader<'_>, at: &At<'_>, changes: &[Change], campaign: &Campaign) {
    let is_elsewhere =
        |change: &Change| change.page.is_some_and(|page| !campaign.pages.contains(&page));
    for (place, _) in changes.iter().enumerate().filter(|(_, change)| is_elsewhere(change)) {
        let at = at.field_or_self("changes").element(place).field_or_self("page");
        let message = "the campaign is not on this page, so that the change is made only while both are active";
        let hint = "add the page to the campaign's `pages`, or leave `page` out";
        reader.report(&at, at.warning("page_of_no_campaign", message).hint(hint));
    }
}

/// Whether there can be a visitor for whom the tree holds.
pub(super) fn may_have_members(tree: &AudienceTree, empty: &HashSet<AudienceId>) -> bool {
    match tree {
        AudienceTree::Audience(id) => !empty.contains(id),
        AudienceTree::And(operands) => operands.iter().all(|one| may_have_members(one, empty)),
        AudienceTree::Or(operands) => operands.iter().any(|one| may_have_members(one, empty)),
        AudienceTree::Not(_) => true,
    }
}

/// The project knows its sites only if it has `origins`.
fn warn_of_other_site(reader: &mut Reader<'_>, at: &At<'_>, page: &Page, project: &Project) {
    let is_ours = |host: &str| {
        let plain = host.strip_prefix("www.").unwrap_or(host);
        let www = format!("www.{plain}");
        project.origins.iter().any(|origin| origin.has_host(plain) || origin.has_host(&www))
    };
    let tree = &page.conditions.tree;
    let may_hold =
        may_hold(tree, &|condition| host_of(condition).is_none_or(|host| is_ours(&host)));
    if project.origins.is_empty() || may_hold {
        return;
    }
    let mut hosts = tree.leaves().into_iter().filter_map(host_of);
    let Some(host) = hosts.find(|host| !is_ours(host)) else { return };
    let at = at.field_or_self("conditions");
    let message = format!("`{host}` is of none of the project's `origins`");
    let hint = format!(
        "correct the address, or add `https://{host}` to `origins`: what happens on other sites is not counted"
    );
    reader.report(&at, at.warning("other_site", message).hint(hint));
}

/// Whether there can be an address, or a visitor, for which the tree holds.
pub(super) fn may_hold(tree: &ConditionTree, leaf: &impl Fn(&Condition) -> bool) -> bool {
    match tree {
        ConditionTree::And(operands) => operands.iter().all(|one| may_hold(one, leaf)),
        ConditionTree::Or(operands) => operands.iter().any(|one| may_hold(one, leaf)),
        ConditionTree::Leaf(condition) => leaf(condition),
        ConditionTree::Not(_) | ConditionTree::Empty => true,
    }
}

/// The host that a condition asks for, if it asks for one.
fn host_of(condition: &Condition) -> Option<String> {
    let match_kind = condition.match_kind.filter(|_| condition.kind == ConditionKind::Url)?;
    let address = condition.value.as_ref()?.as_str()?.trim().to_ascii_lowercase();
    let after = |schemes: &[&str]| {
        let rest = schemes.iter().find_map(|scheme| address.strip_prefix(scheme));
        rest.map(str::to_owned)
    };
    let from_host = match match_kind {
        MatchKind::Simple | MatchKind::Exact => {
            after(&["https://", "http://", "//"]).unwrap_or(address)
        }
        MatchKind::Regex => after(&["^https?://", "^https://", "^http://"])?.replace(r"\.", "."),
        // A part may belong to any host that ends so.
        MatchKind::Substring | MatchKind::Exists | MatchKind::Range => return None,
    };
    let mut parts = from_host.split(['/', '?', '#', ':']);
    let host = parts.next().filter(|host| host.contains('.'))?;
    // A pattern may leave it open.
    let is_whole = match_kind != MatchKind::Regex || from_host.len() > host.len();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    (is_whole && host.bytes().all(is_name)).then(|| host.to_owned())
}
