/**
 * The shape of a compiled project: the snippet compiler replaces this module.
 * The values below are for type checks and unit tests only. See crates/snippet/src/config.rs for the writer.
 *
 * Entities are tuples with their rarest fields last, so that what a project does not use costs no byte. Pages and audiences are
 * written once and referred to by their place in the list.
 */

import type { CampaignState } from "../../types/index";
import type { EditingConfig } from "./editing";

/** `0` for a name that is null or left out by `exclude_names`. */
export type Name = string | 0;

/** A tree as the project document writes it: `["and" | "or" | "not", ...operands]`, or a list that is an `or` of all its elements. */
export type ConditionTree = readonly (string | Condition | ConditionTree)[];

/**
 * One leaf of a condition tree. `custom_code` carries its function in `code`, and of a page also its text in `value`, since that is
 * shown; `audience` refers to another audience by its place in `audiences`, in `value`. `behavior` has one of `behaviors` as its `name`
 * and `[at least, within days, at most (only where there is a limit)]` as its `value`.
 */
export interface Condition {
  readonly type: string;
  readonly name?: string;
  readonly match?: string | null;
  readonly value?: unknown;
  readonly code?: () => unknown;
}

/** A tree over places in `audiences`: a number, or `["and" | "or" | "not", ...operands]`. */
export type AudienceTree = number | readonly (string | AudienceTree)[];

export type PageConfig = readonly [
  id: number,
  key: string,
  name: Name,
  conditions: ConditionTree,
  category?: string | 0,
  tags?: readonly TagConfig[] | 0,
  metadata?: Readonly<Record<string, unknown>> | 0,
  activation?: string | 0,
  activationCode?: ((activate: (options?: { isActive?: boolean }) => void) => unknown) | 0,
  /** The sum of `Deactivation` flags. */
  deactivation?: number,
];

/** What happens to a page that is active: flags of its `deactivation`. */
export const enum Deactivation {
  /** The page ends when its conditions stop holding. */
  WithConditions = 1,
  /** The changes of its campaigns are undone when it ends. */
  UndoesChanges = 2,
}

/** `0` for a field the document leaves out. */
export type TagConfig = readonly [
  key: string,
  category: string | 0,
  locator: string | 0,
  locatorType: string | 0,
  valueType: string | 0,
  /** The function of a `javascript` locator. */
  code?: (() => unknown) | 0,
];

export type AudienceConfig = readonly [id: number, name: Name, conditions: ConditionTree];

export type CampaignConfig = readonly [
  id: number,
  name: Name,
  /** Places in `pages`. A single page stands without its list. */
  pages: number | readonly number[],
  experiments: readonly ExperimentConfig[],
  isPersonalization?: 0 | 1,
  /** Basis points. */
  holdback?: number,
  /** Places in `experiments`, most important group first; `0`: one group of equals. */
  priorities?: readonly (readonly number[])[] | 0,
  /** Shared by all variations. */
  changes?: readonly ChangeConfig[] | 0,
] & {
  /** Its decision in this activation, which the compiler leaves to `decideCampaigns`. Those of earlier page views: `storedDecision`. */
  decision_?: Decision | undefined;
};

/** The decision for one campaign and visitor. Made by `decideCampaign`, which remembers it. */
export interface Decision {
  /** `undefined` if the visitor is in none. */
  readonly experiment_: ExperimentConfig | undefined;
  /** Place of the variation in the experiment; negative if the visitor is in none. */
  readonly variation_: number;
  /** Bucketed, but shown nothing. */
  readonly isHeldBack_?: boolean;
  /** Ids of the audiences the visitor was in, of those that the campaign's experiments name. */
  readonly audiences_?: readonly number[];
  /** None of the campaign's pages is active any more: when one is again, the campaign is decided again. */
  isOver_?: boolean;
  /** Its changes are in force, and listeners got the event. */
  isApplied_?: boolean;
  /** Where results are counted: `pageView.exposedAt` when it was made. Code of a variation may turn further pages active. */
  exposedAt_?: number;
}

export type ExperimentConfig = readonly [
  id: number,
  /** `1`: the campaign's name. */
  name: Name | 1,
  /** Ids and names in turn: id, name, id, name, … An archived variation has the id 0, which is none. */
  variations: readonly Name[] | readonly (number | Name)[],
  /** `0`: everyone. */
  audiences?: AudienceTree | 0,
  /** Cumulative ends of each variation's share in basis points; `0`: equal shares of all. */
  ends?: readonly number[] | 0,
  /** One entry a variation; `0`: no changes. It is `0` itself, which has no entries either, where others follow. */
  changes?: readonly (readonly ChangeConfig[] | 0)[],
  /** Places of the variations that are stopped; `0` where there is none and another field follows. */
  paused?: readonly number[] | 0,
  /** The place of the variation that all visitors get, counted from 1. */
  shipped?: number,
];

/** Campaigns of which a visitor is in one at most. Those that do not run are named, too. */
export type GroupConfig = readonly [
  id: number,
  campaignIds: readonly number[],
  /** Cumulative ends of each campaign's share in basis points; `0`: equal shares of all. */
  ends?: readonly number[] | 0,
];

/** One of the site's events; `category` as the project document has it. */
export type EventConfig = readonly [id: number, key: string, name: Name, category: string];

/** Names the places in a `PageConfig`. */
export const enum PageField {
  Id = 0,
  Key = 1,
  Name = 2,
  Conditions = 3,
  Category = 4,
  Tags = 5,
  Metadata = 6,
  Activation = 7,
  ActivationCode = 8,
  Deactivation = 9,
}

/** Names the places in a `TagConfig`. */
export const enum TagField {
  Key = 0,
  Category = 1,
  Locator = 2,
  LocatorType = 3,
  ValueType = 4,
  Code = 5,
}

/** Names the places in an `AudienceConfig`. */
export const enum AudienceField {
  Id = 0,
  Name = 1,
  Conditions = 2,
}

/** Names the places in a `CampaignConfig`. */
export const enum CampaignField {
  Id = 0,
  Name = 1,
  Pages = 2,
  Experiments = 3,
  IsPersonalization = 4,
  Holdback = 5,
  Priorities = 6,
  Changes = 7,
}

/** Names the places in an `ExperimentConfig`. */
export const enum ExperimentField {
  Id = 0,
  Name = 1,
  Variations = 2,
  Audiences = 3,
  Ends = 4,
  Changes = 5,
  Paused = 6,
  Shipped = 7,
}

/** Names the places in a `ChangeConfig`. */
export const enum ChangeField {
  Kind = 0,
  Selector = 1,
  Value = 2,
  Extra = 3,
  Page = 4,
  Id = 5,
  DependsOn = 6,
  IsAsync = 7,
}

/** What a change does. The compiler writes the numbers. */
export const enum ChangeKind {
  Text = 0,
  Html = 1,
  Style = 2,
  Class = 3,
  Attribute = 4,
  Insert = 5,
  Move = 6,
  Remove = 7,
  Css = 8,
  Javascript = 9,
  Redirect = 10,
}

/** What a redirect does beside leading elsewhere: flags of its last field. */
export const enum RedirectFlag {
  PreserveParameters = 1,
  AllowChain = 2,
}

/**
 * - Text, Html, Class: `[kind, selector, value]`; Remove: `[kind, selector]`
 * - Style, Attribute: `[kind, selector, value, name]` (`value` null removes)
 * - Insert: `[kind, selector, html, position]`; Move: `[kind, selector, to, position]`
 * - Css: `[kind, 0, css]`; Javascript: `[kind, 0, function]`
 * - Redirect: `[kind, 0, destination (string or function), the sum of RedirectFlag]`
 */
export type ChangeConfig = readonly [
  kind: ChangeKind,
  selector?: string | 0,
  value?: string | null | 0 | (() => unknown),
  extra?: string | number,
  /** One more than the place in `pages` of the page that the change is limited to; `0`: not limited. */
  page?: number,
  /** The change's own id, where another depends on it. */
  id?: string | 0,
  dependsOn?: readonly string[] | 0,
  isAsync?: 0 | 1,
];

/** Where the visitor id comes from; `0`: the cookie `experimentation_id`. */
export type VisitorIdSource = readonly [source: "cookie" | "query" | "local_storage" | "javascript", name: string] | 0;

export const projectId: string = "1000";
/** The first digits of the document's hash: the same document compiles to the same file. */
export const revision: string = "0";
/** Basis points of the visitors who are shown nothing by any campaign. */
export const projectHoldback: number = 0;
export const globalAliases: readonly string[] = [];
/** Names the registrable domain to set the visitor cookie on; `0`: found automatically. */
export const cookieDomain: string | 0 = 0;
/** Whether nothing may be kept before the visitor consents. */
export const isConsentRequired: 0 | 1 = 0;
/** Whether the server keeps the visitor's cookie from running out, whenever it is asked for the snippet. */
export const isCookieRenewedByServer: 0 | 1 = 0;
export const visitorIdSource: VisitorIdSource = 0;
/** `(id, key, name)` in turn. Attributes are referred to by id or key. */
export const attributes: readonly (readonly [id: number, key: string, name: Name])[] = [];
export const pages: readonly PageConfig[] = [];
export const audiences: readonly AudienceConfig[] = [];
export const campaigns: readonly CampaignConfig[] = [];
/** Ids of the campaigns whose audiences ask where the visitor is. */
export const locatedCampaigns: readonly number[] = [];
/** What conditions ask of the visitor's earlier behaviour: `e<event name>`, `p<page id>`. */
export const behaviors: readonly string[] = [];
export const groups: readonly GroupConfig[] = [];
/** What integrations written for Optimizely's interface pass on; none without `globalAliases`. */
export const events: readonly EventConfig[] = [];
/** Events that the page itself sees, for results: one more than the place of the page where each counts, 0 for all; and what is clicked. */
export const toldEvents: readonly (readonly [key: string, page: number, selector?: string])[] = [];
/** Attributes that changes set, or that their selectors ask for: when one of these changes, changes may have to be applied. */
export const observedAttributes: readonly string[] = [];
/** The member's own code that runs once the visitor is known, before anything is decided; `0`: none. */
export const projectJavascript: (() => void) | 0 = 0;
/** Ids of the variations that the snippet of a preview link shows; any other snippet has none. */
export const previewed: readonly number[] = [];
/** What the visual editor edits; only its snippets have it. */
export const editing: EditingConfig = {
  variation: 5002,
  title: "Short",
  console: "https://assay.test",
  site: "https://www.shop.test",
  nonce: "n",
  mayWriteCode: true,
  changes: [],
};
/** An experiment in a preview: its campaign, which variation is shown, and which it offers, by id and name. */
export type PreviewChoice = readonly [campaignId: number, title: string, shown: number, variations: readonly (readonly [id: number, name: string])[]];
/** What the panel of a preview tells and offers; any other snippet has none. */
export const previewChoices: readonly PreviewChoice[] = [];
/** Names of the queues of Google's tag and its tag manager. */
export const gtagDataLayer: string = "dataLayer";
export const gtmDataLayer: string = "dataLayer";
/** The measurement id, or group of them, that gets events; `0`: all. */
export const gtagTarget: string | 0 = 0;
/** The member's own integrations. */
export const decisionCallbacks: readonly ((decision: CampaignState) => void)[] = [];
