/**
 * The in-page API of an Assay snippet, as `window["experimentation"]` gives it to the page's own scripts and to analytics
 * integrations. The runtime implements these shapes; nothing here exists at run time.
 *
 * All ids are strings of decimal digits. Every returned object is fresh: changing it changes nothing. Names are `null` where the
 * project gives none or keeps names out of its snippet.
 *
 * @example
 * const state = window.experimentation.get("state");
 * for (const campaignId of Object.keys(state.getCampaignStates({ isActive: true }))) {
 *   analytics.track("experiment_viewed", { experiment: state.getDecisionString({ campaignId }) });
 * }
 */

/** What `window["experimentation"]` is once the snippet has run. All of its functions work detached. */
export interface Experimentation {
  /** The state module; a new object each time. */
  get(name: "state"): State;
  /** The visitor's id and data. */
  get(name: "visitor"): Visitor;
  /** The project in the snippet. */
  get(name: "data"): Data;
  /** Waiting helpers for the code of variations while the page is still being built; `undefined` if the project sets `utils: false`. */
  get(name: "utils"): WaitingTools;
  /** Any other name is `undefined`, except `"visitor_id"` and `"session"`, which `snippet.global_aliases` adds. */
  get(name: string): unknown;
  /** Present if the project has `snippet.global_aliases`, like every field marked so. */
  initialized?: true;
  /**
   * Runs a command. Never throws: it logs errors.
   * @returns whether the command exists
   */
  push(command: Command): boolean;
}

/** `window["experimentation"]` before the snippet has run: commands that wait for it. */
export type CommandQueue = Command[];

/** Reports the visitor's experiments, campaigns and pages as they are now. */
export interface State {
  /** Ids of the experiments that are active on the page, those of held-back visitors included. */
  getActiveExperimentIds(): string[];
  /** Campaigns that were decided for the visitor, on this page or an earlier one, by campaign id. */
  getCampaignStates(filter?: Filter<CampaignState>): Record<string, CampaignState>;
  /** The same decisions for the experiments of A/B tests, by experiment id. Personalization campaigns are left out. */
  getExperimentStates(filter?: Filter<ExperimentState>): Record<string, ExperimentState>;
  /** Every page of the project, by page id. */
  getPageStates(filter?: Filter<PageState>): Record<string, PageState>;
  /** The redirect that led here, during the one page view it led to; `null` otherwise. */
  getRedirectInfo(): RedirectInfo | null;
  /** Every experiment that the visitor has ever been bucketed into, by experiment id. */
  getVariationMap(): Record<string, VariationIdName>;
  /**
   * Describes a campaign's decision in one line for analytics tools.
   *
   * Personalization: `campaign(id):experiment(id):variation(id)`, with `:holdback` at the end for a held-back visitor.
   * A/B test: `experiment(id):variation(id)`.
   * @returns `null` for an unknown or undecided campaign, a visitor who is in no variation, or one held back from an A/B test
   * @throws TypeError without an argument, or with a `maxLength` that is not a number of at least 0
   * @throws RangeError if the ids alone are longer than `maxLength`
   * @example getDecisionString({ campaignId: "3001", shouldCleanString: true, maxLength: 100 }) // "Hero_text(4001):Short(5002)"
   */
  getDecisionString(config: DecisionConfig): string | null;
  /**
   * Describes a campaign's decision with one text per part: `name (id)`. `maxLength` holds for each text; an id that alone is
   * longer is returned alone.
   * @returns `null` where `getDecisionString` does
   * @throws TypeError without an argument, or with a `maxLength` that is not a number of at least 0
   */
  getDecisionObject(config: DecisionConfig): DecisionObject | null;
  /** Names this activation: a new one for each page view and each `activate` command. */
  getActivationId(): string;
  /**
   * Explains the decision of a campaign, step by step. Present only if the project sets `explain: true`.
   * @returns `null` for a campaign that is not in the snippet, and while switched off
   * @example get("state").explain?.("3001") // [{ step: "pages", holds: true, text: "one of its pages is active" }, …]
   */
  explain?(campaignId: string | number): ExplanationStep[] | null;
}

/** One step of a decision, in the order in which they are taken. */
export interface ExplanationStep {
  step: "pages" | "forced" | "group" | "audiences" | "project_holdback" | "holdback" | "stored" | "variation" | "paused" | "outcome";
  /** The result of the step's check: the page is active, the audience met, the visitor held back, … */
  holds: boolean;
  /** Words for people; they may change. */
  text: string;
}

/** The id and the name of a resource of the project. */
export interface NameIdObject {
  id: string;
  name: string | null;
}

/** A campaign as it was decided for the visitor. */
export interface CampaignState {
  id: string;
  campaignName: string | null;
  /** `null` if the visitor is in none: for example, in none of their audiences. */
  experiment: NameIdObject | null;
  /** `null` if the visitor is in none: for example, beyond the weights. A held-back visitor has one, but sees none of it. */
  variation: NameIdObject | null;
  /** Whether the visitor is in a variation and at least one of the campaign's pages is active, or this campaign redirected here. */
  isActive: boolean;
  /** Whether the visitor came to this page view by a redirect of this campaign. */
  visitorRedirected: boolean;
  /** Whether the visitor is held back: bucketed, but shown nothing. */
  isInCampaignHoldback: boolean;
  /** The audiences of the campaign's experiments that the visitor was in at the decision. */
  audiences: NameIdObject[];
}

/** An A/B test's experiment as it was decided for the visitor. */
export interface ExperimentState {
  id: string;
  experimentName: string | null;
  audiences: NameIdObject[];
  variation: NameIdObject | null;
  isActive: boolean;
  /** Whether the visitor is excluded by traffic allocation: bucketed, but shown nothing. */
  isInExperimentHoldback: boolean;
  visitorRedirected: boolean;
}

/** A page of the project. */
export interface PageState {
  id: string;
  name: string | null;
  /** Its name in the `page` command. */
  apiName: string;
  /** `other` if the project has none. */
  category: string;
  /** The page's URL conditions as the project document writes them: `["and", ["or", { type, match, value }]]`. */
  staticConditions: unknown[];
  tags: TagObject[];
  isActive: boolean;
  /** The page's metadata and tags while it is active, else `{}`. */
  metadata: PageTags;
}

/** Values by tag name, one level deep. */
export type PageTags = Record<string, unknown>;

/** A tag of a page: a value that is read from it whenever code asks for it, while the page is active. */
export interface TagObject {
  type: "tags";
  /** The tag's current value under its `apiName`, or `{}`. */
  tags: PageTags;
  category: string | null;
  locator: string | null;
  valueType: "string" | "number" | "currency" | null;
  locatorType: "css_selector" | "javascript" | "url_regex" | null;
  apiName: string;
}

/** An entry of the variation map. */
export interface VariationIdName extends NameIdObject {
  /** Place in the experiment's list of variations, from 0. */
  index: number;
}

/** A redirect that led to this page view. */
export interface RedirectInfo {
  experimentId: string;
  variationId: string;
  /** The `document.referrer` before the redirect; `""` for none. */
  referrer: string;
}

/** Which decision to describe, and how. */
export interface DecisionConfig {
  /** The campaign, also for an A/B test. A number works as its digits. */
  campaignId: string | number;
  /** Replaces each run of characters other than `A-Z a-z 0-9 . ~ ! * ( ) '` in a name by one `_`. Default `false`. */
  shouldCleanString?: boolean;
  /**
   * Longest text in UTF-16 units, as `length` counts them; a fraction is rounded down. Default 255. Names are cut to fit, never in
   * the middle of a surrogate pair; ids never are.
   */
  maxLength?: number;
}

/** A decision in one text for each part. */
export interface DecisionObject {
  experiment: string;
  variation: string;
  /** Absent for an A/B test. */
  campaign?: string;
  /** Whether the visitor is held back. Absent for an A/B test. */
  holdback?: boolean;
}

/**
 * Which states to return.
 * - An object: those that have all of its properties, compared strictly and to any depth: `{ isActive: true }`.
 * - A function: those for which it returns a truthy value. Its exceptions reach the caller.
 * - A property's name: those where it is truthy.
 * - Left out, or anything falsy: all. Anything else: none.
 */
export type Filter<S> = DeepPartial<S> | ((state: S, id: string) => unknown) | keyof S | null | undefined | false | 0 | "";

/** An object with any of `S`'s properties, to any depth. */
export type DeepPartial<S> = { [K in keyof S]?: S[K] extends object | null ? DeepPartial<S[K]> | null : S[K] };

/**
 * The visitor. While no campaign runs, and if the project sets `data: false`, it has only the id. The fields after `offset` exist only
 * if the project's audiences use them.
 */
export interface Visitor {
  /** The visitor's id, from the cookie `experimentation_id` unless the project names another source; `""` while switched off. */
  visitorId: string;
  /** The page that the visitor came from to this page view, before any redirect of an experiment; `""` for none. */
  referrer?: string;
  /** The address's query parameters in their order, as written there: not decoded. */
  queryParams?: [name: string, value: string][];
  /** The visitor's location, as the page pushed it; empty texts for missing fields. Present with `snippet.global_aliases`. */
  location?: Record<string, string>;
  /** The custom attributes that the page pushed, by id; empty if no audience uses any. */
  custom?: Record<string, CustomAttribute>;
  /** The browser's time in milliseconds since 1970. */
  currentTimestamp?: number;
  /** Minutes from the browser's local time to UTC: -120 for Berlin in summer. */
  offset?: number;
  /** The `utm_campaign` that brought the visitor first, as it was written; `null` for none. This and the following fields are as audiences see them. */
  campaign?: string | null;
  /** The cookies that audiences use and the browser has, decoded. */
  cookies?: Record<string, string>;
  /** `desktop`, `mobile`, `tablet`, `iphone` or `ipad`, as first seen. */
  device?: string;
  /** `campaign`, `search`, `referral` or `direct`: what brought the visitor last, `direct` only if nothing else did. */
  source_type?: string;
}

/** A custom attribute of the visitor, from the `user` command. */
export interface CustomAttribute extends NameIdObject {
  value: string;
}

/**
 * The project in the snippet: its running campaigns, all pages, and the audiences those campaigns need. By id, and the same for every
 * visitor; the state module has this visitor's decisions. If the project sets `data: false`, it has only the first two fields.
 */
export interface Data {
  projectId: string;
  /** Changes with the project document. */
  revision: string;
  /** The project's id once more. Present with `snippet.global_aliases`. */
  accountId?: string;
  campaigns?: Record<string, CampaignData>;
  experiments?: Record<string, ExperimentData>;
  variations?: Record<string, NameIdObject>;
  /** As in `getPageStates()`. */
  pages?: Record<string, PageState>;
  audiences?: Record<string, NameIdObject>;
  groups?: Record<string, GroupData>;
  /** The site's events that the project lists. Present with `snippet.global_aliases`. */
  events?: Record<string, EventData>;
}

/** An event of the site, which reports it by `apiName`. */
export interface EventData extends NameIdObject {
  apiName: string;
  category: string;
}

/** A campaign as it was built. */
export interface CampaignData extends NameIdObject {
  type: "ab_test" | "personalization";
  /** Share of visitors who are held back, in basis points. */
  holdback: number;
  pageIds: string[];
  experiments: ExperimentData[];
  /** `single_experiment` for an A/B test, else `equal_priority`. These two are there with `snippet.global_aliases`. */
  policy?: string;
  integrationSettings?: Record<string, never>;
}

/** An experiment as it was built. */
export interface ExperimentData extends NameIdObject {
  campaignId: string;
  variations: NameIdObject[];
  /** `null` for everyone, else a list or tree of ids. These two are there with `snippet.global_aliases`. */
  audienceIds?: unknown;
  audienceName?: string | null;
}

/** Mutually exclusive campaigns: a visitor is in one at most. */
export interface GroupData {
  id: string;
  campaignIds: string[];
}

/** Waiting helpers. If a callback throws, the snippet logs it and sends a `failed` event. */
export interface WaitingTools {
  /**
   * Calls back once for each element that matches, before it is painted: at once for existing elements, then for later ones.
   * @returns a function that ends it
   * @throws SyntaxError for an invalid selector
   */
  observeSelector(selector: string, callback: (element: Element) => unknown, options?: ObserveSelectorOptions): () => void;
  /**
   * Calls back again and again, until it throws.
   * @param intervalMs default 50
   * @returns a function that ends it
   */
  poll(callback: () => unknown, intervalMs?: number): () => void;
  /** The browser's own. */
  Promise: PromiseConstructor;
  /** Resolves with the first element that matches, before it is painted; never if none appears. */
  waitForElement(selector: string): Promise<Element>;
  /** Resolves with the condition's first truthy result, checked at once and then every 50 ms; rejects with what it throws. */
  waitUntil<Answer>(condition: () => Answer): Promise<Answer>;
}

/** When `observeSelector` ends. */
export interface ObserveSelectorOptions {
  /** Ends with the first element. Default `false`. */
  once?: boolean;
  /** Milliseconds after which it ends; by default it does not. */
  timeout?: number;
  /** Called when the time is over. */
  onTimeout?: () => unknown;
}

/** The commands of `push`. */
export type Command =
  | ActivateCommand
  | PageCommand
  | TagsCommand
  | UserCommand
  | BucketVisitorCommand
  | LocationCommand
  | EventCommand
  | HoldEventsCommand
  | SendEventsCommand
  | AddListenerCommand
  | RemoveListenerCommand
  | DisableCommand
  | CookieDomainCommand
  | ConsentCommand
  | OptOutCommand;

/** Deactivates all pages and evaluates everything again under a new activation id, as for a new page view. */
export interface ActivateCommand {
  type: "activate";
}

/** Activates or deactivates a page. Its conditions must hold, or nothing happens. */
export interface PageCommand {
  type: "page";
  /** The page's `apiName`. */
  pageName: string;
  /** Default `true`. */
  isActive?: boolean;
  /** Shown in the page's `metadata` while it is active. */
  tags?: PageTags;
}

/** Adds tags to the `metadata` of every active page, for the rest of the page view. */
export interface TagsCommand {
  type: "tags";
  tags: PageTags;
}

/** Sets custom attributes of the visitor; they last across page views, and count from the next activation on. */
export interface UserCommand {
  type: "user";
  /** By key or id of the attribute. `null` deletes it. */
  attributes: Record<string, string | number | boolean | null>;
}

/**
 * Gives the visitor a variation of the site's choice, and keeps it: audiences and holdback still count. Queued before the snippet,
 * it holds at once; later, from the next page view on, or from the next `activate`.
 */
export type BucketVisitorCommand = {
  type: "bucketVisitor";
  experimentId: string | number;
  /** Not needed: an experiment is in one campaign. */
  campaignId?: string | number;
} & (
  | { variationId: string | number; variationIndex?: null }
  /** Place in the experiment's list of variations, from 0. */
  | { variationIndex: number; variationId?: null }
);

/**
 * The visitor's location for this page view, in the codes that the project's conditions use. Missing fields are unknown. Campaigns that
 * waited for it are decided. The command exists only if a condition of the project needs it.
 */
export interface LocationCommand {
  type: "location";
  country?: string;
  region?: string;
  city?: string;
  continent?: string;
  dma?: string;
}

/**
 * Reports an event of the site to listeners of `analytics` events. It is stored if a condition on behaviour needs it. With `results: on` in
 * the project, it is also sent to the server and counted.
 */
export interface EventCommand {
  type: "event";
  eventName: string;
  /** `revenue` in cents, `value`, and any other values. */
  tags?: PageTags;
}

/** Asks listeners of `analytics` events to hold events until `sendEvents`. */
export interface HoldEventsCommand {
  type: "holdEvents";
}

/** Asks listeners of `analytics` events to send the held ones. */
export interface SendEventsCommand {
  type: "sendEvents";
}

/** Calls `handler` for each event from now on that has the filter's type and name. Queue it before the snippet to see all. */
export interface AddListenerCommand {
  type: "addListener";
  /** Without `type`, or without `name`, events of every type or name. */
  filter?: { type?: LifecycleEvent["type"]; name?: LifecycleEvent["name"] };
  handler: (event: LifecycleEvent) => void;
  /** Names the listener for `removeListener`. */
  token?: string;
}

/** Removes the listeners of that token. */
export interface RemoveListenerCommand {
  type: "removeListener";
  token: string;
}

/** Switches the snippet off for this page view. With the scope `tracking` it only stops sending. */
export interface DisableCommand {
  type: "disable";
  scope?: "tracking";
}

/**
 * Keeps the visitor's cookie on another domain than the site's registrable one, if the project's settings name none. Queue it before
 * the snippet, on each page; later, it moves the cookie.
 */
export interface CookieDomainCommand {
  type: "cookieDomain";
  cookieDomain: string;
}

/**
 * Reports the visitor's consent or refusal. Present only if the project sets `consent: required`.
 *
 * With `true`, the snippet stores the decisions so far and the consent. With `false`, or any other value, it deletes what it
 * stored and switches itself off for this page view. Queue the command before the snippet if the answer is known by then.
 */
export interface ConsentCommand {
  type: "consent";
  granted: boolean;
}

/** Switches the snippet off for this visitor, and deletes their data; or, with `isOptOut: false`, on again from the next page view. */
export interface OptOutCommand {
  type: "optOut";
  /** Default `true`. */
  isOptOut?: boolean;
}

/** An event. The state module is already up to date while its handlers run. */
export type LifecycleEvent =
  | { type: "lifecycle"; name: "initialized"; data: Record<string, never> }
  | { type: "lifecycle"; name: "pageActivated"; data: { page: PageState } }
  | { type: "lifecycle"; name: "pageDeactivated"; data: { page: PageState } }
  | { type: "lifecycle"; name: "campaignDecided"; data: CampaignDecidedData }
  | { type: "lifecycle"; name: "activated"; data: { activationId: string } }
  /** The project's code, a listener or a change failed with this error. The page goes on. */
  | { type: "lifecycle"; name: "failed"; data: { error: unknown } }
  | { type: "action"; name: "applied"; data: CampaignDecidedData }
  | { type: "analytics"; name: "trackEvent"; data: Omit<EventCommand, "type"> }
  | { type: "analytics"; name: "holdEvents" | "sendEvents"; data: Record<string, never> };

/** The decision for a campaign; also if the visitor is in no variation, or is held back. */
export interface CampaignDecidedData {
  /** As in `get("data")` if the project has `snippet.global_aliases`. */
  campaign: NameIdObject | CampaignData;
  decision: { campaignId: string; experimentId: string | null; variationId: string | null; isCampaignHoldback: boolean };
  audiences: NameIdObject[];
}

declare global {
  interface Window {
    experimentation: Experimentation;
  }
}
