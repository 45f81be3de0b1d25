//! The features of the runtime, of which a project gets those it uses. `runtime/src/project/features.ts` declares the same constants; the
//! minifier drops the rest.

mod used;

use std::collections::HashSet;

use domain::Project;

use self::used::used;

/// Declares the features, each with its constant in the runtime.
macro_rules! features {
    ($($feature:ident = $constant:literal,)+) => {
        /// A part of the runtime that only some projects need.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Feature {
            $($feature,)+
        }

        impl Feature {
            /// All of them, in the order of their declaration.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$feature,)+];

            /// Its constant in the runtime.
            pub(crate) const fn constant(self) -> &'static str {
                match self {
                    $(Self::$feature => $constant,)+
                }
            }

            /// What a report calls it.
            pub(crate) fn name(self) -> String {
                self.constant().trim_matches('_').to_lowercase()
            }
        }
    };
}

features! {
    Pages = "__PAGES__",
    Campaigns = "__CAMPAIGNS__",
    CampaignPages = "__CAMPAIGN_PAGES__",
    ManyCampaigns = "__MANY_CAMPAIGNS__",
    Personalization = "__PERSONALIZATION__",
    Holdback = "__HOLDBACK__",
    ProjectHoldback = "__PROJECT_HOLDBACK__",
    Groups = "__GROUPS__",
    Audiences = "__AUDIENCES__",
    Force = "__FORCE__",
    Explain = "__EXPLAIN__",
    Data = "__DATA__",
    Utils = "__UTILS__",
    Preview = "__PREVIEW__",
    Previewed = "__PREVIEWED__",
    Editor = "__EDITOR__",
    GlobalAliases = "__GLOBAL_ALIASES__",
    Gpc = "__GPC__",
    Dnt = "__DNT__",
    IdFromCookie = "__ID_FROM_COOKIE__",
    IdFromQuery = "__ID_FROM_QUERY__",
    IdFromLocalStorage = "__ID_FROM_LOCAL_STORAGE__",
    IdFromJavascript = "__ID_FROM_JAVASCRIPT__",
    ManualActivation = "__MANUAL_ACTIVATION__",
    PollingActivation = "__POLLING_ACTIVATION__",
    CallbackActivation = "__CALLBACK_ACTIVATION__",
    UrlChanged = "__URL_CHANGED__",
    DomChanged = "__DOM_CHANGED__",
    Undo = "__UNDO__",
    PageTags = "__PAGE_TAGS__",
    TagCssSelector = "__TAG_CSS_SELECTOR__",
    TagUrlRegex = "__TAG_URL_REGEX__",
    TagJavascript = "__TAG_JAVASCRIPT__",
    TagNumber = "__TAG_NUMBER__",
    TagCurrency = "__TAG_CURRENCY__",
    PageMetadata = "__PAGE_METADATA__",
    Weights = "__WEIGHTS__",
    ArchivedVariations = "__ARCHIVED_VARIATIONS__",
    PausedVariations = "__PAUSED_VARIATIONS__",
    Shipped = "__SHIPPED__",
    UrlSimple = "__URL_SIMPLE__",
    UrlExact = "__URL_EXACT__",
    UrlSubstring = "__URL_SUBSTRING__",
    UrlRegex = "__URL_REGEX__",
    UrlUnsuitable = "__URL_UNSUITABLE__",
    CustomCode = "__CUSTOM_CODE__",
    Trees = "__TREES__",
    MatchExact = "__MATCH_EXACT__",
    MatchSubstring = "__MATCH_SUBSTRING__",
    MatchRegex = "__MATCH_REGEX__",
    MatchExists = "__MATCH_EXISTS__",
    MatchRange = "__MATCH_RANGE__",
    ConditionAudience = "__CONDITION_AUDIENCE__",
    ConditionQuery = "__CONDITION_QUERY__",
    ConditionCookies = "__CONDITION_COOKIES__",
    ConditionCustomAttribute = "__CONDITION_CUSTOM_ATTRIBUTE__",
    ConditionCampaign = "__CONDITION_CAMPAIGN__",
    ConditionReferrer = "__CONDITION_REFERRER__",
    ConditionSourceType = "__CONDITION_SOURCE_TYPE__",
    ConditionDevice = "__CONDITION_DEVICE__",
    ConditionLanguage = "__CONDITION_LANGUAGE__",
    ConditionTimeAndDay = "__CONDITION_TIME_AND_DAY__",
    ConditionDeviceType = "__CONDITION_DEVICE_TYPE__",
    ConditionBrowserVersion = "__CONDITION_BROWSER_VERSION__",
    ConditionPlatform = "__CONDITION_PLATFORM__",
    ConditionFirstSession = "__CONDITION_FIRST_SESSION__",
    ConditionLocation = "__CONDITION_LOCATION__",
    ConditionBehavior = "__CONDITION_BEHAVIOR__",
    Results = "__RESULTS__",
    ResultsClicks = "__RESULTS_CLICKS__",
    ResultsPageviews = "__RESULTS_PAGEVIEWS__",
    Changes = "__CHANGES__",
    ChangeElement = "__CHANGE_ELEMENT__",
    ObservedAttributes = "__OBSERVED_ATTRIBUTES__",
    ChangeOptions = "__CHANGE_OPTIONS__",
    ChangeRivals = "__CHANGE_RIVALS__",
    ChangeText = "__CHANGE_TEXT__",
    ChangeHtml = "__CHANGE_HTML__",
    ChangeStyle = "__CHANGE_STYLE__",
    ChangeClass = "__CHANGE_CLASS__",
    ChangeAttribute = "__CHANGE_ATTRIBUTE__",
    ChangeInsert = "__CHANGE_INSERT__",
    ChangeMove = "__CHANGE_MOVE__",
    ChangeRemove = "__CHANGE_REMOVE__",
    ChangeCss = "__CHANGE_CSS__",
    ChangeJavascript = "__CHANGE_JAVASCRIPT__",
    ChangeRedirect = "__CHANGE_REDIRECT__",
    Landings = "__LANDINGS__",
    Integrations = "__INTEGRATIONS__",
    IntegrationGa4Gtag = "__INTEGRATION_GA4_GTAG__",
    IntegrationGa4Gtm = "__INTEGRATION_GA4_GTM__",
    IntegrationSegment = "__INTEGRATION_SEGMENT__",
    IntegrationAmplitude = "__INTEGRATION_AMPLITUDE__",
    IntegrationMatomo = "__INTEGRATION_MATOMO__",
    IntegrationPlausible = "__INTEGRATION_PLAUSIBLE__",
    IntegrationCallback = "__INTEGRATION_CALLBACK__",
}

/// What the visual editor needs whatever the project uses: any change may be made, and taken back.
const OF_EDITOR: [Feature; 17] = [
    Feature::Editor,
    Feature::Campaigns,
    Feature::Undo,
    Feature::Changes,
    Feature::ChangeElement,
    Feature::ObservedAttributes,
    Feature::ChangeOptions,
    Feature::ChangeRivals,
    Feature::ChangeText,
    Feature::ChangeHtml,
    Feature::ChangeStyle,
    Feature::ChangeClass,
    Feature::ChangeAttribute,
    Feature::ChangeInsert,
    Feature::ChangeMove,
    Feature::ChangeRemove,
    Feature::ChangeCss,
];

/// The features that a program gets.
#[derive(Debug, Clone)]
pub(crate) struct Features(HashSet<Feature>);

impl Features {
    /// Those that `project` uses.
    pub(crate) fn of(project: &Project) -> Self {
        Self(used(project))
    }

    /// The same for a preview of `project`: see `preview.rs`.
    pub(crate) fn of_preview(project: &Project) -> Self {
        Self(used(project).into_iter().chain([Feature::Previewed]).collect())
    }

    /// The same for the visual editor: see `editor.rs`.
    pub(crate) fn of_editor(project: &Project) -> Self {
        let Self(of_preview) = Self::of_preview(project);
        Self(of_preview.into_iter().chain(OF_EDITOR).collect())
    }

    /// The same but for this one.
    pub(crate) fn without(&self, left_out: Feature) -> Self {
        Self(self.iter().filter(|feature| *feature != left_out).collect())
    }

    pub(crate) fn contains(&self, feature: Feature) -> bool {
        self.0.contains(&feature)
    }

    /// In the order of their declaration.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(|feature| self.contains(*feature))
    }
}

#[cfg(test)]
mod tests {
    use super::Feature;

    #[test]
    fn compiler_and_runtime_name_the_same_features() {
        let declared: Vec<&str> = include_str!("../../../runtime/src/project/features.ts")
            .lines()
            .filter_map(|line| line.trim().strip_prefix("const ")?.strip_suffix(": boolean;"))
            .collect();

        let ours: Vec<_> = Feature::ALL.iter().map(|feature| feature.constant()).collect();
        assert_eq!(declared, ours);
    }
}
