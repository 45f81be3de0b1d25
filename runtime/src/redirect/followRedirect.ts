/** How a page redirects: it leaves a note for the destination. */

import { withoutFragment } from "../browser/address";
import { attempt } from "../browser/attempt";
import { isPrerendered } from "../browser/prerendered";
import { originalReferrer, pageView } from "../pageView/pageView";
import { ChangeField, ExperimentField, RedirectFlag } from "../project/config";
import type { CampaignConfig, ChangeConfig, Decision, ExperimentConfig } from "../project/config";
import { variationIdAt } from "../project/items";
import { cookieValue, writeCookie } from "../visitor/cookies";
import { saveVisitor } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { destinationOf } from "./destination";
import { leaveFor } from "./leaveFor";
import { REDIRECT_NOTE } from "./note";

/** Longer than any page takes to come, so that no note is lost; afterwards no tab is asked for one. */
const NOTE_SECONDS = 600;

/** In an address, where each percent sign of theirs takes five: servers take addresses of 8 kB. */
const REFERRER_MAX = 500;

/**
 * Sends the visitor on to the page that a redirect variation leads to. Returns whether the page is being left. `decision`: that of
 * `campaign`, with an experiment.
 */
export const followRedirect = (change: ChangeConfig, campaign: CampaignConfig, decision: Decision): boolean => {
  const experiment = decision.experiment_ as ExperimentConfig;
  const experimentId = String(experiment[ExperimentField.Id]);
  const variationId = String(variationIdAt(experiment, decision.variation_));
  const landing = pageView.landing;
  // Two pages that redirect to each other end at the second: no redirect is followed twice in a chain.
  if (landing && (!(Number(change[ChangeField.Extra]) & RedirectFlag.AllowChain) || landing.chain_.split(".").includes(variationId))) {
    return false;
  }
  const url = destinationOf(change);
  if (!url || url.href === location.href) {
    return false;
  }
  const referrer = originalReferrer();
  const chain = (landing ? landing.chain_ + "." : "") + variationId;
  const here = withoutFragment(location.href);
  const there = withoutFragment(url.href);
  if (there === here) {
    // Another part of the same page: the browser loads none, and this page view lands by itself.
    if (url.hash) {
      pageView.landing = { experimentId, variationId, referrer, chain_: chain, campaign_: campaign, decision_: decision };
      location.replace(url.href);
    }
    return false;
  }
  const noteWith = (text: string): string => [experimentId, variationId, decision.variation_, encodeURIComponent(text), chain].join(":");
  const tabNote = [there, here, noteWith(referrer)].join(" ");
  saveVisitor();
  if (visitor.isKept) {
    writeCookie(REDIRECT_NOTE, "1", "; max-age=" + NOTE_SECONDS);
    attempt(() => sessionStorage.setItem(REDIRECT_NOTE, tabNote));
  }
  // Other origins have other storage, and what the tab of a prerendered page keeps is gone once the visitor opens it; a browser that keeps
  // nothing needs the address, too.
  if (url.origin !== location.origin || isPrerendered() || !cookieValue(REDIRECT_NOTE) || attempt(() => sessionStorage.getItem(REDIRECT_NOTE)) !== tabNote) {
    url.search += (url.search ? "&" : "?") + REDIRECT_NOTE + "=" + encodeURIComponent(noteWith(referrer.slice(0, REFERRER_MAX)));
  }
  if (__INTEGRATIONS__ || __RESULTS__) {
    pageView.isLeft = true;
  }
  leaveFor(url.href);
  return true;
};
