//! Which runtime features a project uses. `runtime/src/project/features.ts` declares the same constants; the minifier drops the rest.

use std::collections::HashSet;

use domain::{
    ActivationKind, AudienceTree, Audiences, CampaignKind, Change, ChangeKind, Condition,
    ConditionKind, ConditionTree, EventKind, Experiment, Integration, LocatorType, MatchKind, Page,
    Project, Results, Tag, ValueType, VisitorIdSource, VisitorIdSourceKind,
};
use serde_json::Value;

use crate::config::{self, running};

/// Every feature constant of the runtime.
pub(crate) const CONSTANTS: &[&str] = &[
    "__PAGES__",
    "__CAMPAIGNS__",
    "__CAMPAIGN_PAGES__",
    "__MANY_CAMPAIGNS__",
    "__PERSONALIZATION__",
    "__HOLDBACK__",
    "__PROJECT_HOLDBACK__",
    "__GROUPS__",
    "__AUDIENCES__",
    "__FORCE__",
    "__EXPLAIN__",
    "__DATA__",
    "__UTILS__",
    "__PREVIEW__",
    "__PREVIEWED__",
    "__EDITOR__",
    "__GLOBAL_ALIASES__",
    "__GPC__",
    "__DNT__",
    "__ID_FROM_COOKIE__",
    "__ID_FROM_QUERY__",
    "__ID_FROM_LOCAL_STORAGE__",
    "__ID_FROM_JAVASCRIPT__",
    "__MANUAL_ACTIVATION__",
    "__POLLING_ACTIVATION__",
    "__CALLBACK_ACTIVATION__",
    "__URL_CHANGED__",
    "__DOM_CHANGED__",
    "__UNDO__",
    "__PAGE_TAGS__",
    "__TAG_CSS_SELECTOR__",
    "__TAG_URL_REGEX__",
    "__TAG_JAVASCRIPT__",
    "__TAG_NUMBER__",
    "__TAG_CURRENCY__",
    "__PAGE_METADATA__",
    "__WEIGHTS__",
    "__ARCHIVED_VARIATIONS__",
    "__PAUSED_VARIATIONS__",
    "__SHIPPED__",
    "__URL_SIMPLE__",
    "__URL_EXACT__",
    "__URL_SUBSTRING__",
    "__URL_REGEX__",
    "__URL_UNSUITABLE__",
    "__CUSTOM_CODE__",
    "__TREES__",
    "__MATCH_EXACT__",
    "__MATCH_SUBSTRING__",
    "__MATCH_REGEX__",
    "__MATCH_EXISTS__",
    "__MATCH_RANGE__",
    "__CONDITION_AUDIENCE__",
    "__CONDITION_QUERY__",
    "__CONDITION_COOKIES__",
    "__CONDITION_CUSTOM_ATTRIBUTE__",
    "__CONDITION_CAMPAIGN__",
    "__CONDITION_REFERRER__",
    "__CONDITION_SOURCE_TYPE__",
    "__CONDITION_DEVICE__",
    "__CONDITION_LANGUAGE__",
    "__CONDITION_TIME_AND_DAY__",
    "__CONDITION_DEVICE_TYPE__",
    "__CONDITION_BROWSER_VERSION__",
    "__CONDITION_PLATFORM__",
    "__CONDITION_FIRST_SESSION__",
    "__CONDITION_LOCATION__",
    "__CONDITION_BEHAVIOR__",
    "__RESULTS__",
    "__RESULTS_CLICKS__",
    "__RESULTS_PAGEVIEWS__",
    "__CHANGES__",
    "__CHANGE_ELEMENT__",
    "__OBSERVED_ATTRIBUTES__",
    "__CHANGE_OPTIONS__",
    "__CHANGE_RIVALS__",
    "__CHANGE_TEXT__",
    "__CHANGE_HTML__",
    "__CHANGE_STYLE__",
    "__CHANGE_CLASS__",
    "__CHANGE_ATTRIBUTE__",
    "__CHANGE_INSERT__",
    "__CHANGE_MOVE__",
    "__CHANGE_REMOVE__",
    "__CHANGE_CSS__",
    "__CHANGE_JAVASCRIPT__",
    "__CHANGE_REDIRECT__",
    "__LANDINGS__",
    "__INTEGRATIONS__",
    "__INTEGRATION_GA4_GTAG__",
    "__INTEGRATION_GA4_GTM__",
    "__INTEGRATION_SEGMENT__",
    "__INTEGRATION_AMPLITUDE__",
    "__INTEGRATION_MATOMO__",
    "__INTEGRATION_PLAUSIBLE__",
    "__INTEGRATION_CALLBACK__",
];

/// Each constant with its value for `project`.
pub(crate) fn constants(project: &Project) -> Vec<(&'static str, bool)> {
    let used = used(project);
    CONSTANTS.iter().map(|constant| (*constant, used.contains(constant))).collect()
}

/// The same for a preview of `project`: see `preview.rs`.
pub(crate) fn constants_of_preview(project: &Project) -> Vec<(&'static str, bool)> {
    let constants = constants(project).into_iter();
    constants.map(|(name, is_set)| (name, is_set || name == "__PREVIEWED__")).collect()
}

/// What the visual editor needs whatever the project uses: any change may be made, and taken back.
const OF_EDITOR: [&str; 17] = [
    "__EDITOR__",
    "__CAMPAIGNS__",
    "__UNDO__",
    "__CHANGES__",
    "__CHANGE_ELEMENT__",
    "__OBSERVED_ATTRIBUTES__",
    "__CHANGE_OPTIONS__",
    "__CHANGE_RIVALS__",
    "__CHANGE_TEXT__",
    "__CHANGE_HTML__",
    "__CHANGE_STYLE__",
    "__CHANGE_CLASS__",
    "__CHANGE_ATTRIBUTE__",
    "__CHANGE_INSERT__",
    "__CHANGE_MOVE__",
    "__CHANGE_REMOVE__",
    "__CHANGE_CSS__",
];

/// The same for the visual editor: see `editor.rs`.
pub(crate) fn constants_of_editor(project: &Project) -> Vec<(&'static str, bool)> {
    let constants = constants_of_preview(project).into_iter();
    constants.map(|(name, is_set)| (name, is_set || OF_EDITOR.contains(&name))).collect()
}

/// The features in use by name, without their underscores, in lower case: what a report lists.
pub(crate) fn names(project: &Project) -> Vec<String> {
    let set = constants(project).into_iter().filter(|(_, is_set)| *is_set);
    set.map(|(constant, _)| name(constant)).collect()
}

/// The name of the feature behind a constant.
pub(crate) fn name(constant: &str) -> String {
    constant.trim_matches('_').to_lowercase()
}

fn used(project: &Project) -> HashSet<&'static str> {
    let mut used = HashSet::new();
    let mut add_if = |is_used: bool, constant| {
        if is_used {
            used.insert(constant);
        }
    };
    for (constant, is_used) in settings(project) {
        add_if(is_used, constant);
    }
    for group in config::group::used(project) {
        add_if(true, "__GROUPS__");
        add_if(config::group::has_weights(group), "__WEIGHTS__");
    }
    for page in &project.pages {
        for constant in activation(page) {
            add_if(true, constant);
        }
        add_if(page.undo_changes, "__UNDO__");
        for constant in page.tags.iter().flat_map(tag) {
            add_if(true, constant);
        }
        add_if(!page.metadata.is_empty(), "__PAGE_METADATA__");
        add_if(is_more_than_or(&page.conditions.tree), "__TREES__");
        for leaf in page.conditions.tree.leaves() {
            add_if(true, page_condition(leaf));
        }
    }
    add_if(!config::observed_attributes::names(project).is_empty(), "__OBSERVED_ATTRIBUTES__");
    add_if(config::change::in_force_at_most(project) > 1, "__CHANGE_RIVALS__");
    for campaign in running(project) {
        add_if(campaign.pages.len() != 1, "__CAMPAIGN_PAGES__");
        add_if(campaign.kind == CampaignKind::Personalization, "__PERSONALIZATION__");
        let has_paused = config::campaign::has_paused(campaign);
        add_if(has_paused, "__PAUSED_VARIATIONS__");
        // A visitor in a paused variation is held back.
        add_if(has_paused || campaign.holdback.get() > 0, "__HOLDBACK__");
        add_if(config::campaign::has_weights(campaign), "__WEIGHTS__");
        add_if(config::campaign::has_gaps(campaign), "__ARCHIVED_VARIATIONS__");
        add_if(campaign.is_shipped(), "__SHIPPED__");
        let has_audiences = |experiment: &Experiment| experiment.audiences != Audiences::Everyone;
        add_if(campaign.experiments.iter().any(has_audiences), "__AUDIENCES__");
        for experiment in &campaign.experiments {
            if let Audiences::Tree(tree) = &experiment.audiences {
                add_if(names_more_than_or(tree), "__TREES__");
            }
        }
        let own = campaign.experiments.iter().flat_map(|experiment| &experiment.variations);
        let changes = own.flat_map(|variation| &variation.changes).chain(&campaign.changes);
        for change in changes {
            add_if(true, "__CHANGES__");
            add_if(config::change::is_kept_up(&change.kind), "__CHANGE_ELEMENT__");
            add_if(true, change_constant(&change.kind));
            add_if(matches!(change.kind, ChangeKind::Redirect { .. }), "__LANDINGS__");
            add_if(has_options(change), "__CHANGE_OPTIONS__");
        }
    }
    for audience in config::audience::used(project) {
        add_if(is_more_than_or(&audience.conditions.tree), "__TREES__");
        for leaf in audience.conditions.tree.leaves() {
            for constant in audience_condition(leaf) {
                add_if(true, constant);
            }
        }
    }
    results(project).chain(integrations(project)).for_each(|constant| add_if(true, constant));
    used
}

/// What results need, where a campaign runs.
fn results(project: &Project) -> impl Iterator<Item = &'static str> {
    let is_on = project.results == Results::On && running(project).next().is_some();
    let seen = config::event::seen_by_the_page(project).map(|event| match event.kind {
        EventKind::Click => "__RESULTS_CLICKS__",
        EventKind::Pageview | EventKind::Custom => "__RESULTS_PAGEVIEWS__",
    });
    std::iter::once("__RESULTS__").chain(seen).filter(move |_| is_on)
}

/// What reports to the site's tools need.
fn integrations(project: &Project) -> impl Iterator<Item = &'static str> {
    let used = config::integration::used(project).iter();
    used.flat_map(|integration| ["__INTEGRATIONS__", integration_constant(integration)])
}

/// Whether the change has an id, dependencies, a page or `async`.
fn has_options(change: &Change) -> bool {
    let is_named = change.id.is_some() || !change.depends_on.is_empty();
    is_named || change.page.is_some() || change.is_async
}

/// From so many on, a later page view is quicker by more than what it costs to load a longer runtime.
const MANY_CAMPAIGNS: usize = 100;

/// What the settings say, and the first look at the project.
fn settings(project: &Project) -> Vec<(&'static str, bool)> {
    let snippet = &project.snippet;
    let has_campaigns = running(project).next().is_some();
    let id_source = visitor_id_source(&snippet.visitor_id).map(|constant| (constant, true));
    let settings = [
        // A visitor held back by the project is held back by each campaign.
        ("__HOLDBACK__", project.holdback.get() > 0),
        ("__PROJECT_HOLDBACK__", project.holdback.get() > 0),
        ("__FORCE__", snippet.allow_force),
        ("__LANDINGS__", snippet.landings && has_campaigns),
        ("__EXPLAIN__", snippet.explain),
        ("__PREVIEW__", snippet.preview),
        ("__GLOBAL_ALIASES__", !snippet.global_aliases.is_empty()),
        ("__GPC__", snippet.respect_gpc),
        ("__DNT__", snippet.respect_dnt),
        ("__PAGES__", !project.pages.is_empty()),
        ("__CAMPAIGNS__", has_campaigns),
        ("__MANY_CAMPAIGNS__", running(project).nth(MANY_CAMPAIGNS - 1).is_some()),
        // Without campaigns there is no variation whose code could wait, and nothing to report.
        ("__DATA__", has_campaigns && snippet.data),
        ("__UTILS__", has_campaigns && snippet.utils),
    ];
    settings.into_iter().chain(id_source).collect()
}

/// Where the visitor's id comes from, unless that is the cookie of our own.
fn visitor_id_source(source: &VisitorIdSource) -> Option<&'static str> {
    match source.source {
        VisitorIdSourceKind::Cookie if source.name.is_none() => None,
        VisitorIdSourceKind::Cookie => Some("__ID_FROM_COOKIE__"),
        VisitorIdSourceKind::Query => Some("__ID_FROM_QUERY__"),
        VisitorIdSourceKind::LocalStorage => Some("__ID_FROM_LOCAL_STORAGE__"),
        VisitorIdSourceKind::Javascript => Some("__ID_FROM_JAVASCRIPT__"),
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
fn activation(page: &Page) -> Vec<&'static str> {
    let mut constants = match page.activation.kind {
        ActivationKind::Immediate => Vec::new(),
        ActivationKind::Manual => vec!["__MANUAL_ACTIVATION__"],
        ActivationKind::Polling => vec!["__POLLING_ACTIVATION__"],
        ActivationKind::Callback => vec!["__CALLBACK_ACTIVATION__"],
        ActivationKind::DomChanged => vec!["__DOM_CHANGED__"],
        ActivationKind::UrlChanged => vec!["__URL_CHANGED__"],
    };
    if page.deactivation {
        constants.push("__URL_CHANGED__");
    }
    constants
}

/// How a tag finds its value, and reads it.
fn tag(tag: &Tag) -> Vec<&'static str> {
    let locator = tag.locator_type.map(|kind| match kind {
        LocatorType::CssSelector => "__TAG_CSS_SELECTOR__",
        LocatorType::UrlRegex => "__TAG_URL_REGEX__",
        LocatorType::Javascript => "__TAG_JAVASCRIPT__",
    });
    let value = match tag.value_type {
        Some(ValueType::Number) => Some("__TAG_NUMBER__"),
        Some(ValueType::Currency) => Some("__TAG_CURRENCY__"),
        Some(ValueType::String) | None => None,
    };
    ["__PAGE_TAGS__"].into_iter().chain(locator).chain(value).collect()
}

fn page_condition(leaf: &Condition) -> &'static str {
    if matches!(leaf.kind, ConditionKind::CustomCode) {
        return "__CUSTOM_CODE__";
    }
    url_match(leaf)
}

/// How a leaf compares addresses: pages' and referrers alike.
fn url_match(leaf: &Condition) -> &'static str {
    match leaf.match_kind.filter(|_| leaf.value.as_ref().is_some_and(Value::is_string)) {
        Some(MatchKind::Simple) => "__URL_SIMPLE__",
        Some(MatchKind::Exact) => "__URL_EXACT__",
        Some(MatchKind::Substring) => "__URL_SUBSTRING__",
        Some(MatchKind::Regex) => "__URL_REGEX__",
        Some(MatchKind::Exists | MatchKind::Range) | None => "__URL_UNSUITABLE__",
    }
}

/// How a leaf compares a text about the visitor; see `matchValue` in `conditions/text.ts`.
fn value_match(leaf: &Condition) -> Option<&'static str> {
    let has_value = leaf.value.as_ref().is_some_and(|value| !value.is_null());
    let unsaid = if has_value { MatchKind::Exact } else { MatchKind::Exists };
    match leaf.match_kind.unwrap_or(unsaid) {
        MatchKind::Exact => Some("__MATCH_EXACT__"),
        MatchKind::Substring => Some("__MATCH_SUBSTRING__"),
        MatchKind::Regex => Some("__MATCH_REGEX__"),
        MatchKind::Exists => Some("__MATCH_EXISTS__"),
        MatchKind::Range => Some("__MATCH_RANGE__"),
        MatchKind::Simple => None,
    }
}

fn audience_condition(leaf: &Condition) -> Vec<&'static str> {
    let constant = match leaf.kind {
        ConditionKind::Query => return compared(leaf, "__CONDITION_QUERY__"),
        ConditionKind::Cookies => return compared(leaf, "__CONDITION_COOKIES__"),
        ConditionKind::CustomAttribute => return compared(leaf, "__CONDITION_CUSTOM_ATTRIBUTE__"),
        ConditionKind::Campaign => return compared(leaf, "__CONDITION_CAMPAIGN__"),
        ConditionKind::Referrer => {
            return vec![url_match(leaf), "__CONDITION_REFERRER__"];
        }
        ConditionKind::SourceType => return compared(leaf, "__CONDITION_SOURCE_TYPE__"),
        ConditionKind::Device => "__CONDITION_DEVICE__",
        ConditionKind::Language => "__CONDITION_LANGUAGE__",
        ConditionKind::TimeAndDay => "__CONDITION_TIME_AND_DAY__",
        ConditionKind::CustomCode => "__CUSTOM_CODE__",
        ConditionKind::Audience(_) => "__CONDITION_AUDIENCE__",
        ConditionKind::DeviceType => "__CONDITION_DEVICE_TYPE__",
        ConditionKind::BrowserVersion => "__CONDITION_BROWSER_VERSION__",
        ConditionKind::Platform => "__CONDITION_PLATFORM__",
        ConditionKind::FirstSession => "__CONDITION_FIRST_SESSION__",
        ConditionKind::Location => "__CONDITION_LOCATION__",
        ConditionKind::Behavior => "__CONDITION_BEHAVIOR__",
        // The address is for pages to ask about.
        ConditionKind::Url => return Vec::new(),
    };
    vec![constant]
}

fn compared(leaf: &Condition, constant: &'static str) -> Vec<&'static str> {
    value_match(leaf).into_iter().chain([constant]).collect()
}

fn change_constant(kind: &ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Text { .. } => "__CHANGE_TEXT__",
        ChangeKind::Html { .. } => "__CHANGE_HTML__",
        ChangeKind::Style { .. } => "__CHANGE_STYLE__",
        ChangeKind::Class { .. } => "__CHANGE_CLASS__",
        ChangeKind::Attribute { .. } => "__CHANGE_ATTRIBUTE__",
        ChangeKind::Insert { .. } => "__CHANGE_INSERT__",
        ChangeKind::Move { .. } => "__CHANGE_MOVE__",
        ChangeKind::Remove { .. } => "__CHANGE_REMOVE__",
        ChangeKind::Css { .. } => "__CHANGE_CSS__",
        ChangeKind::Javascript { .. } => "__CHANGE_JAVASCRIPT__",
        ChangeKind::Redirect { .. } => "__CHANGE_REDIRECT__",
    }
}

fn integration_constant(integration: &Integration) -> &'static str {
    match integration {
        Integration::Ga4Gtag { .. } => "__INTEGRATION_GA4_GTAG__",
        Integration::Ga4Gtm { .. } => "__INTEGRATION_GA4_GTM__",
        Integration::Segment => "__INTEGRATION_SEGMENT__",
        Integration::Amplitude => "__INTEGRATION_AMPLITUDE__",
        Integration::Matomo => "__INTEGRATION_MATOMO__",
        Integration::Plausible => "__INTEGRATION_PLAUSIBLE__",
        Integration::Callback { .. } => "__INTEGRATION_CALLBACK__",
    }
}

#[cfg(test)]
mod tests {
    use super::CONSTANTS;

    #[test]
    fn compiler_and_runtime_name_the_same_features() {
        let declared: Vec<&str> = include_str!("../../../runtime/src/project/features.ts")
            .lines()
            .filter_map(|line| line.trim().strip_prefix("const ")?.strip_suffix(": boolean;"))
            .collect();

        assert_eq!(declared, CONSTANTS);
    }
}
