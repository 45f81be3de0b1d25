//! Which features of the runtime a project uses.

use std::collections::HashSet;

use domain::{
    ActivationKind, Audience, AudienceTree, Audiences, Campaign, CampaignKind, Change, ChangeKind,
    Condition, ConditionKind, ConditionTree, EventKind, Group, Integration, LocatorType, MatchKind,
    Page, Project, Results, Tag, ValueType, VisitorIdSource, VisitorIdSourceKind,
};
use serde_json::Value;

use super::Feature;
use crate::config::{self, running};

/// All that `project` uses.
pub(super) fn used(project: &Project) -> HashSet<Feature> {
    let observes_attributes = !config::observed_attributes::names(project).is_empty();
    let has_rivals = config::change::in_force_at_most(project) > 1;
    let mut used: HashSet<_> = settings(project).collect();
    used.extend(config::group::used(project).into_iter().flat_map(group));
    used.extend(project.pages.iter().flat_map(page));
    used.extend(observes_attributes.then_some(Feature::ObservedAttributes));
    used.extend(has_rivals.then_some(Feature::ChangeRivals));
    used.extend(running(project).flat_map(campaign));
    used.extend(config::audience::used(project).into_iter().flat_map(audience));
    used.extend(results(project));
    used.extend(integrations(project));
    used
}

fn group(group: &Group) -> impl Iterator<Item = Feature> {
    [Feature::Groups]
        .into_iter()
        .chain(config::group::has_weights(group).then_some(Feature::Weights))
}

fn page(page: &Page) -> impl Iterator<Item = Feature> {
    let asks = [
        (page.undo_changes, Feature::Undo),
        (!page.metadata.is_empty(), Feature::PageMetadata),
        (is_more_than_or(&page.conditions.tree), Feature::Trees),
    ];
    let conditions = page.conditions.tree.leaves().into_iter().map(page_condition);
    if_true(asks).chain(activation(page)).chain(page.tags.iter().flat_map(tag)).chain(conditions)
}

fn campaign(campaign: &Campaign) -> impl Iterator<Item = Feature> {
    let has_paused = config::campaign::has_paused(campaign);
    let asks = [
        (campaign.pages.len() != 1, Feature::CampaignPages),
        (campaign.kind == CampaignKind::Personalization, Feature::Personalization),
        (has_paused, Feature::PausedVariations),
        // A visitor in a paused variation is held back.
        (has_paused || campaign.holdback.get() > 0, Feature::Holdback),
        (config::campaign::has_weights(campaign), Feature::Weights),
        (config::campaign::has_gaps(campaign), Feature::ArchivedVariations),
        (campaign.is_shipped(), Feature::Shipped),
    ];
    let own = campaign.experiments.iter().flat_map(|experiment| &experiment.variations);
    let changes = own.flat_map(|variation| &variation.changes).chain(&campaign.changes);
    let audiences = campaign.experiments.iter().flat_map(|one| audiences(&one.audiences));
    if_true(asks).chain(audiences).chain(changes.flat_map(change))
}

fn audiences(audiences: &Audiences) -> impl Iterator<Item = Feature> {
    let (has_some, is_tree) = match audiences {
        Audiences::Everyone => (false, false),
        Audiences::Tree(tree) => (true, names_more_than_or(tree)),
    };
    if_true([(has_some, Feature::Audiences), (is_tree, Feature::Trees)])
}

fn change(change: &Change) -> impl Iterator<Item = Feature> {
    let is_redirect = matches!(change.kind, ChangeKind::Redirect { .. });
    let asks = [
        (config::change::is_kept_up(&change.kind), Feature::ChangeElement),
        (is_redirect, Feature::Landings),
        (has_options(change), Feature::ChangeOptions),
    ];
    if_true(asks).chain([Feature::Changes, kind_of_change(&change.kind)])
}

fn audience(audience: &Audience) -> impl Iterator<Item = Feature> {
    let tree = &audience.conditions.tree;
    let is_tree = is_more_than_or(tree).then_some(Feature::Trees);
    tree.leaves().into_iter().flat_map(audience_condition).chain(is_tree)
}

/// Those whose condition holds.
fn if_true<const N: usize>(asks: [(bool, Feature); N]) -> impl Iterator<Item = Feature> {
    asks.into_iter().filter(|(is_used, _)| *is_used).map(|(_, feature)| feature)
}

/// What results need, where a campaign runs.
fn results(project: &Project) -> impl Iterator<Item = Feature> {
    let is_on = project.results == Results::On && running(project).next().is_some();
    let seen = config::event::seen_by_the_page(project).map(|event| match event.kind {
        EventKind::Click => Feature::ResultsClicks,
        EventKind::Pageview | EventKind::Custom => Feature::ResultsPageviews,
    });
    std::iter::once(Feature::Results).chain(seen).filter(move |_| is_on)
}

/// What reports to the site's tools need.
fn integrations(project: &Project) -> impl Iterator<Item = Feature> {
    let used = config::integration::used(project).iter();
    used.flat_map(|integration| [Feature::Integrations, kind_of_integration(integration)])
}

/// Whether the change has an id, dependencies, a page or `async`.
fn has_options(change: &Change) -> bool {
    let is_named = change.id.is_some() || !change.depends_on.is_empty();
    is_named || change.page.is_some() || change.is_async
}

/// From so many on, a later page view is quicker by more than what it costs to load a longer runtime.
const MANY_CAMPAIGNS: usize = 100;

/// What the settings say, and the first look at the project.
fn settings(project: &Project) -> impl Iterator<Item = Feature> {
    let snippet = &project.snippet;
    let has_campaigns = running(project).next().is_some();
    let asks = [
        // A visitor held back by the project is held back by each campaign.
        (project.holdback.get() > 0, Feature::Holdback),
        (project.holdback.get() > 0, Feature::ProjectHoldback),
        (snippet.allow_force, Feature::Force),
        (snippet.landings && has_campaigns, Feature::Landings),
        (snippet.explain, Feature::Explain),
        (snippet.preview, Feature::Preview),
        (!snippet.global_aliases.is_empty(), Feature::GlobalAliases),
        (snippet.respect_gpc, Feature::Gpc),
        (snippet.respect_dnt, Feature::Dnt),
        (!project.pages.is_empty(), Feature::Pages),
        (has_campaigns, Feature::Campaigns),
        (running(project).nth(MANY_CAMPAIGNS - 1).is_some(), Feature::ManyCampaigns),
        // Without campaigns there is no variation whose code could wait, and nothing to report.
        (has_campaigns && snippet.data, Feature::Data),
        (has_campaigns && snippet.utils, Feature::Utils),
    ];
    if_true(asks).chain(visitor_id_source(&snippet.visitor_id))
}

/// Where the visitor's id comes from, unless that is the cookie of our own.
fn visitor_id_source(source: &VisitorIdSource) -> Option<Feature> {
    match source.source {
        VisitorIdSourceKind::Cookie if source.name.is_none() => None,
        VisitorIdSourceKind::Cookie => Some(Feature::IdFromCookie),
        VisitorIdSourceKind::Query => Some(Feature::IdFromQuery),
        VisitorIdSourceKind::LocalStorage => Some(Feature::IdFromLocalStorage),
        VisitorIdSourceKind::Javascript => Some(Feature::IdFromJavascript),
    }
}

/// Whether the tree is more than a list of alternatives.
fn is_more_than_or(tree: &ConditionTree) -> bool {
    match tree {
        ConditionTree::And(operands) if operands.len() != 1 => true,
        ConditionTree::And(operands) | ConditionTree::Or(operands) => {
            operands.iter().any(is_more_than_or)
        }
        ConditionTree::Not(_) => true,
        ConditionTree::Leaf(_) | ConditionTree::Empty => false,
    }
}

/// The same of a tree over audiences.
fn names_more_than_or(tree: &AudienceTree) -> bool {
    match tree {
        AudienceTree::And(operands) if operands.len() != 1 => true,
        AudienceTree::And(operands) | AudienceTree::Or(operands) => {
            operands.iter().any(names_more_than_or)
        }
        AudienceTree::Not(_) => true,
        AudienceTree::Audience(_) => false,
    }
}

/// What a page needs beyond being looked at when the snippet runs.
fn activation(page: &Page) -> Vec<Feature> {
    let mut features = match page.activation.kind {
        ActivationKind::Immediate => Vec::new(),
        ActivationKind::Manual => vec![Feature::ManualActivation],
        ActivationKind::Polling => vec![Feature::PollingActivation],
        ActivationKind::Callback => vec![Feature::CallbackActivation],
        ActivationKind::DomChanged => vec![Feature::DomChanged],
        ActivationKind::UrlChanged => vec![Feature::UrlChanged],
    };
    if page.deactivation {
        features.push(Feature::UrlChanged);
    }
    features
}

/// How a tag finds its value, and reads it.
fn tag(tag: &Tag) -> Vec<Feature> {
    let locator = tag.locator_type.map(|kind| match kind {
        LocatorType::CssSelector => Feature::TagCssSelector,
        LocatorType::UrlRegex => Feature::TagUrlRegex,
        LocatorType::Javascript => Feature::TagJavascript,
    });
    let value = match tag.value_type {
        Some(ValueType::Number) => Some(Feature::TagNumber),
        Some(ValueType::Currency) => Some(Feature::TagCurrency),
        Some(ValueType::String) | None => None,
    };
    [Feature::PageTags].into_iter().chain(locator).chain(value).collect()
}

fn page_condition(leaf: &Condition) -> Feature {
    if matches!(leaf.kind, ConditionKind::CustomCode) {
        return Feature::CustomCode;
    }
    url_match(leaf)
}

/// How a leaf compares addresses: pages' and referrers alike.
fn url_match(leaf: &Condition) -> Feature {
    match leaf.match_kind.filter(|_| leaf.value.as_ref().is_some_and(Value::is_string)) {
        Some(MatchKind::Simple) => Feature::UrlSimple,
        Some(MatchKind::Exact) => Feature::UrlExact,
        Some(MatchKind::Substring) => Feature::UrlSubstring,
        Some(MatchKind::Regex) => Feature::UrlRegex,
        Some(MatchKind::Exists | MatchKind::Range) | None => Feature::UrlUnsuitable,
    }
}

/// How a leaf compares a text about the visitor; see `matchValue` in `conditions/text.ts`.
fn value_match(leaf: &Condition) -> Option<Feature> {
    let has_value = leaf.value.as_ref().is_some_and(|value| !value.is_null());
    let unsaid = if has_value { MatchKind::Exact } else { MatchKind::Exists };
    match leaf.match_kind.unwrap_or(unsaid) {
        MatchKind::Exact => Some(Feature::MatchExact),
        MatchKind::Substring => Some(Feature::MatchSubstring),
        MatchKind::Regex => Some(Feature::MatchRegex),
        MatchKind::Exists => Some(Feature::MatchExists),
        MatchKind::Range => Some(Feature::MatchRange),
        MatchKind::Simple => None,
    }
}

fn audience_condition(leaf: &Condition) -> Vec<Feature> {
    let feature = match leaf.kind {
        ConditionKind::Query => return compared(leaf, Feature::ConditionQuery),
        ConditionKind::Cookies => return compared(leaf, Feature::ConditionCookies),
        ConditionKind::CustomAttribute => return compared(leaf, Feature::ConditionCustomAttribute),
        ConditionKind::Campaign => return compared(leaf, Feature::ConditionCampaign),
        ConditionKind::Referrer => {
            return vec![url_match(leaf), Feature::ConditionReferrer];
        }
        ConditionKind::SourceType => return compared(leaf, Feature::ConditionSourceType),
        ConditionKind::Device => Feature::ConditionDevice,
        ConditionKind::Language => Feature::ConditionLanguage,
        ConditionKind::TimeAndDay => Feature::ConditionTimeAndDay,
        ConditionKind::CustomCode => Feature::CustomCode,
        ConditionKind::Audience(_) => Feature::ConditionAudience,
        ConditionKind::DeviceType => Feature::ConditionDeviceType,
        ConditionKind::BrowserVersion => Feature::ConditionBrowserVersion,
        ConditionKind::Platform => Feature::ConditionPlatform,
        ConditionKind::FirstSession => Feature::ConditionFirstSession,
        ConditionKind::Location => Feature::ConditionLocation,
        ConditionKind::Behavior => Feature::ConditionBehavior,
        // The address is for pages to ask about.
        ConditionKind::Url => return Vec::new(),
    };
    vec![feature]
}

fn compared(leaf: &Condition, feature: Feature) -> Vec<Feature> {
    value_match(leaf).into_iter().chain([feature]).collect()
}

fn kind_of_change(kind: &ChangeKind) -> Feature {
    match kind {
        ChangeKind::Text { .. } => Feature::ChangeText,
        ChangeKind::Html { .. } => Feature::ChangeHtml,
        ChangeKind::Style { .. } => Feature::ChangeStyle,
        ChangeKind::Class { .. } => Feature::ChangeClass,
        ChangeKind::Attribute { .. } => Feature::ChangeAttribute,
        ChangeKind::Insert { .. } => Feature::ChangeInsert,
        ChangeKind::Move { .. } => Feature::ChangeMove,
        ChangeKind::Remove { .. } => Feature::ChangeRemove,
        ChangeKind::Css { .. } => Feature::ChangeCss,
        ChangeKind::Javascript { .. } => Feature::ChangeJavascript,
        ChangeKind::Redirect { .. } => Feature::ChangeRedirect,
    }
}

fn kind_of_integration(integration: &Integration) -> Feature {
    match integration {
        Integration::Ga4Gtag { .. } => Feature::IntegrationGa4Gtag,
        Integration::Ga4Gtm { .. } => Feature::IntegrationGa4Gtm,
        Integration::Segment => Feature::IntegrationSegment,
        Integration::Amplitude => Feature::IntegrationAmplitude,
        Integration::Matomo => Feature::IntegrationMatomo,
        Integration::Plausible => Feature::IntegrationPlausible,
        Integration::Callback { .. } => Feature::IntegrationCallback,
    }
}
