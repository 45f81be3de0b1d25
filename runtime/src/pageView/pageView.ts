/**
 * The whole state of this page view and of its present activation. State that outlives the page view is in
 * visitor/memory.ts; how far changes have come is in changes/records.ts.
 */

import type { PageTags } from "../../types/index";
import { genuine } from "../browser/genuine";
import type { CampaignConfig, Decision } from "../project/config";

/** All fields exist from the start: a missing one would be looked up in `Object.prototype`, to which pages add. */
interface PageView {
  /** The page's. */
  listeners: readonly Listener[];
  /** Nothing is decided, stored or changed any more. */
  isOff: boolean;
  /** The visitor consented, now or earlier. */
  hasConsent: boolean;
  /** The visitor refused before anything was known of them. */
  hasRefused: boolean;
  /** A redirect is on its way: the landing page reports it. */
  isLeft: boolean;
  /** The redirect that led to this page view. */
  landing: Landing | undefined;
  /** `document.cookie`, once this activation had to read it. */
  cookies: string | undefined;
  /** Where the visitor is, `[country, region, city, continent, dma]`; 0 until the page has said so. */
  location: readonly string[] | 0;
  /** The millisecond it began, or a little later; 0 while there is none. */
  activationId: number;
  /**
   * When the pages began to turn active of which exposures are told: before any code of their variations, which takes its time, and before
   * commands that waited for the activation. No event may count for one variation and not for another.
   */
  exposedAt: number;
}

/** The state of this page view, except for the tables below. */
export const pageView: PageView = {
  listeners: [],
  isOff: false,
  hasConsent: false,
  hasRefused: false,
  isLeft: false,
  landing: undefined,
  cookies: undefined,
  location: 0,
  activationId: 0,
  exposedAt: 0,
};

/** A listener of the page, as the `addListener` command brings it. */
export interface Listener {
  readonly filter?: unknown;
  readonly handler: (event: unknown) => void;
  readonly token?: unknown;
}

/** This page view as the end of a redirect. `takeLanding` makes it. */
export interface Landing {
  readonly experimentId: string;
  readonly variationId: string;
  /** `document.referrer` before the first redirect of the chain. */
  readonly referrer: string;
  /** Ids of the variations whose redirects were followed on the way here, with dots between. */
  readonly chain_: string;
  /** The campaign that redirected; left out if it is not in the project (any more). */
  readonly campaign_?: CampaignConfig;
  /** What that campaign had decided. */
  readonly decision_?: Decision;
}

/** The active pages, by place in `pages`: the tags that were pushed with each; nothing for an inactive one. */
export const activePages: (PageTags | undefined)[] = [];

/** Tags that hold for every page, for the rest of the page view. */
export const globalTags: PageTags = {};

/** By place in `audiences`: whether the visitor is in it, once that was asked for the pages that are being activated. */
export const audienceAnswers: (boolean | undefined)[] = [];

/** Whether the page asked for silence: `push({type: "disable", scope: "tracking"})`. It lasts for the page view. */
export const tracking = { isOff: false };

/** The page that the visitor came from, before any redirect of ours; empty for none. */
export const originalReferrer = (): string =>
  (__LANDINGS__ ? pageView.landing?.referrer : undefined) ?? genuine(document, "referrer");
