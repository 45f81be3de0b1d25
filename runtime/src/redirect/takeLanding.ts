/** How a page finds out that a redirect of ours led to it. */

import { decodePercent, withoutFragment } from "../browser/address";
import { attempt } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import { pageView } from "../pageView/pageView";
import type { Landing } from "../pageView/pageView";
import { CampaignField, campaigns, ExperimentField } from "../project/config";
import type { Decision } from "../project/config";
import { placeOfVariation } from "../project/items";
import { cookieValue } from "../visitor/cookies";
import { keepsRest, rememberRest, storedDecision } from "../visitor/decisions";
import { forcedVariations } from "../visitor/forced";
import { rememberVariation, seenVariation } from "../visitor/memory";
import { leadsHere } from "./destination";
import { REDIRECT_NOTE } from "./note";

/**
 * Finds out whether a redirect of ours led here, of this project or another. The note of it is in the tab, and is taken away, so that it
 * holds for this page view and no other; or it came in the address: see `takeAddressNote`. `addressNote`: what `takeAddressNote` found.
 */
export const takeLanding = (addressNote: string): void => {
  const tabNote = takeTabNote();
  const note = /^(\d+):(\d+):(\d+):([^:]*):([\d.]*)$/.exec(addressNote || tabNote);
  if (!note) {
    return;
  }
  const [, experimentId, variationId, , referrer, chain] = note;
  const known = __CHANGE_REDIRECT__ && decisionBefore(experimentId, variationId);
  // Any link can carry a note: only what the project itself would do is believed.
  const isMeant = !addressNote || (known ? leadsHere(known.campaign_, known.experiment_, known.decision_.variation_) : false);
  if (isMeant === false) {
    return;
  }
  pageView.landing = { experimentId, variationId, referrer: decodePercent(referrer), ...(__CHANGE_REDIRECT__ && { chain_: chain }), ...known } as Landing;
  // What the visitor's tab asked for was not given to the visitor.
  if (!known || !isMeant || (__FORCE__ && forcedVariations.includes(Number(variationId)))) {
    return;
  }
  // A visitor who comes from another origin has no decision here yet.
  if (keepsRest && !storedDecision(known.campaign_)) {
    rememberRest(known.campaign_, known.decision_);
  }
  if (!(seenVariation(known.experiment_) > 0)) {
    rememberVariation(Number(experimentId), Number(variationId), known.decision_.variation_);
  }
};

const takeTabNote = (): string => {
  const text = (cookieValue(REDIRECT_NOTE) && attempt(() => sessionStorage.getItem(REDIRECT_NOTE))) || "";
  const [destination, source, note = ""] = text.split(" ");
  const here = withoutFragment(location.href);
  const previous = withoutFragment(genuine(document, "referrer"));
  if (text) {
    attempt(() => sessionStorage.removeItem(REDIRECT_NOTE));
  }
  // The destination may have redirected to another page, or back, and the site may let browsers tell its origin at most. The note applies
  // to no other page.
  return here === destination || previous === source || (here === source && (!previous || previous === location.origin + "/")) ? note : "";
};

/** What the campaign had decided that redirected; nothing if it is not in this project, or no longer. */
const decisionBefore = (experimentId: string, variationId: string) => {
  for (const campaign of campaigns) {
    for (const experiment of campaign[CampaignField.Experiments]) {
      const variation = placeOfVariation(experiment, variationId);
      if (variation >= 0 && String(experiment[ExperimentField.Id]) === experimentId) {
        const decision: Decision = { experiment_: experiment, variation_: variation, audiences_: storedDecision(campaign)?.audiences_ || [] };
        return { campaign_: campaign, experiment_: experiment, decision_: decision };
      }
    }
  }
  return undefined;
};
