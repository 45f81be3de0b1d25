/**
 * The features of a project, as constants that the snippet compiler replaces with true or false; the minifier then drops unused code.
 * crates/snippet/src/features.rs computes them and must name exactly these.
 */

declare global {
  const __PAGES__: boolean;
  const __CAMPAIGNS__: boolean;
  /** A campaign on several pages, or on none. */
  const __CAMPAIGN_PAGES__: boolean;
  /** So many campaigns that reading what the visitor was given takes longer than deciding. */
  const __MANY_CAMPAIGNS__: boolean;
  const __PERSONALIZATION__: boolean;
  const __HOLDBACK__: boolean;
  const __PROJECT_HOLDBACK__: boolean;
  const __GROUPS__: boolean;
  const __AUDIENCES__: boolean;
  const __FORCE__: boolean;
  const __EXPLAIN__: boolean;
  const __DATA__: boolean;
  const __UTILS__: boolean;
  const __PREVIEW__: boolean;
  const __PREVIEWED__: boolean;
  const __EDITOR__: boolean;
  const __GLOBAL_ALIASES__: boolean;
  const __GPC__: boolean;
  const __DNT__: boolean;
  const __ID_FROM_COOKIE__: boolean;
  const __ID_FROM_QUERY__: boolean;
  const __ID_FROM_LOCAL_STORAGE__: boolean;
  const __ID_FROM_JAVASCRIPT__: boolean;
  const __MANUAL_ACTIVATION__: boolean;
  const __POLLING_ACTIVATION__: boolean;
  const __CALLBACK_ACTIVATION__: boolean;
  const __URL_CHANGED__: boolean;
  const __DOM_CHANGED__: boolean;
  const __UNDO__: boolean;
  const __PAGE_TAGS__: boolean;
  const __TAG_CSS_SELECTOR__: boolean;
  const __TAG_URL_REGEX__: boolean;
  const __TAG_JAVASCRIPT__: boolean;
  const __TAG_NUMBER__: boolean;
  const __TAG_CURRENCY__: boolean;
  const __PAGE_METADATA__: boolean;
  const __WEIGHTS__: boolean;
  const __ARCHIVED_VARIATIONS__: boolean;
  const __PAUSED_VARIATIONS__: boolean;
  const __SHIPPED__: boolean;

  const __URL_SIMPLE__: boolean;
  const __URL_EXACT__: boolean;
  const __URL_SUBSTRING__: boolean;
  const __URL_REGEX__: boolean;
  /** A condition that never holds: it lacks a match, or its value is no text. */
  const __URL_UNSUITABLE__: boolean;
  const __CUSTOM_CODE__: boolean;
  const __TREES__: boolean;
  const __MATCH_EXACT__: boolean;
  const __MATCH_SUBSTRING__: boolean;
  const __MATCH_REGEX__: boolean;
  const __MATCH_EXISTS__: boolean;
  const __MATCH_RANGE__: boolean;

  const __CONDITION_AUDIENCE__: boolean;
  const __CONDITION_QUERY__: boolean;
  const __CONDITION_COOKIES__: boolean;
  const __CONDITION_CUSTOM_ATTRIBUTE__: boolean;
  const __CONDITION_CAMPAIGN__: boolean;
  const __CONDITION_REFERRER__: boolean;
  const __CONDITION_SOURCE_TYPE__: boolean;
  const __CONDITION_DEVICE__: boolean;
  const __CONDITION_LANGUAGE__: boolean;
  const __CONDITION_TIME_AND_DAY__: boolean;
  const __CONDITION_DEVICE_TYPE__: boolean;
  const __CONDITION_BROWSER_VERSION__: boolean;
  const __CONDITION_PLATFORM__: boolean;
  const __CONDITION_FIRST_SESSION__: boolean;
  const __CONDITION_LOCATION__: boolean;
  const __CONDITION_BEHAVIOR__: boolean;

  /** Any change at all. */
  const __RESULTS__: boolean;
  const __RESULTS_CLICKS__: boolean;
  const __RESULTS_PAGEVIEWS__: boolean;
  const __CHANGES__: boolean;
  /** A change of elements, which is kept up as they come and go. */
  const __CHANGE_ELEMENT__: boolean;
  /** Whether changes apply, or are in place, depends on attributes of elements. */
  const __OBSERVED_ATTRIBUTES__: boolean;
  const __CHANGE_OPTIONS__: boolean;
  const __CHANGE_RIVALS__: boolean;
  const __CHANGE_TEXT__: boolean;
  const __CHANGE_HTML__: boolean;
  const __CHANGE_STYLE__: boolean;
  const __CHANGE_CLASS__: boolean;
  const __CHANGE_ATTRIBUTE__: boolean;
  const __CHANGE_INSERT__: boolean;
  const __CHANGE_MOVE__: boolean;
  const __CHANGE_REMOVE__: boolean;
  const __CHANGE_CSS__: boolean;
  const __CHANGE_JAVASCRIPT__: boolean;
  const __CHANGE_REDIRECT__: boolean;
  const __LANDINGS__: boolean;

  const __INTEGRATIONS__: boolean;
  const __INTEGRATION_GA4_GTAG__: boolean;
  const __INTEGRATION_GA4_GTM__: boolean;
  const __INTEGRATION_SEGMENT__: boolean;
  const __INTEGRATION_AMPLITUDE__: boolean;
  const __INTEGRATION_MATOMO__: boolean;
  const __INTEGRATION_PLAUSIBLE__: boolean;
  const __INTEGRATION_CALLBACK__: boolean;
}

export {};
