/**
 * Finds out whether a redirect of ours led here, of this project or another. The note of it came as a cookie, and is taken away, so that
 * it holds for this page view and no other; or it came in the address: see takeAddressNote.ts.
 */

import { CampaignField, campaigns, ExperimentField } from "../config";
import { placeOfVariation } from "../decide/placeOfVariation";
import { pageView } from "../pageView";
import { cookieValue } from "../visitor/cookieValue";
import { decodePercent } from "../visitor/decodePercent";
import { forcedVariations } from "../visitor/forcedVariations";
import { rememberDecision } from "../visitor/rememberDecision";
import { rememberVariation } from "../visitor/rememberVariation";
import { seenVariations } from "../visitor/seenVariations";
import { storedDecision } from "../visitor/storedDecision";
import { writeCookie } from "../visitor/writeCookie";
import type { Landing } from "./Landing";
import { REDIRECT_NOTE } from "./redirectNote";
import { withoutFragment } from "./withoutFragment";

/** `addressNote`: what takeAddressNote.ts found. */
export const takeLanding = (addressNote: string): void => {
  const cookieNote = takeCookieNote();
  // Anybody can write an address: only what looks like a note is one.
  const note = /^(\d+):(\d+):(\d+):([^:]*):([\d.]*)$/.exec(addressNote || cookieNote);
  if (!note) {
    return;
  }
  const [, experimentId, variationId, place, referrer, chain] = note;
  const landing = { experimentId, variationId, referrer: decodePercent(referrer), chain };
  const known = __CHANGE_REDIRECT__ && decisionBefore(landing);
  pageView.landing = { ...landing, ...known };
  // A visitor who comes from another origin, or another project, has no decision here yet.
  if (known && !storedDecision(known.campaign)) {
    rememberDecision(known.campaign, known.decision);
  }
  // What the visitor's tab asked for was not given to the visitor.
  const isForced = __FORCE__ && forcedVariations.includes(Number(variationId));
  if (!isForced && !seenVariations[-experimentId]) {
    rememberVariation(Number(experimentId), Number(variationId), Number(place));
  }
};

const takeCookieNote = (): string => {
  const [destination, source, note] = (cookieValue(REDIRECT_NOTE) || "").split(" ");
  const here = withoutFragment(location.href);
  const previous = withoutFragment(String(document.referrer));
  // The destination may have led on to another page, or back. To any other page the note says nothing: it may be another tab's.
  if (!note || !(here === destination || previous === source || (!previous && here === source))) {
    return "";
  }
  writeCookie(REDIRECT_NOTE, "", "; max-age=0");
  return note;
};

/** What the campaign had decided that redirected; nothing if it is not in this project, or no longer. */
const decisionBefore = ({ experimentId, variationId }: Landing): Required<Pick<Landing, "campaign" | "decision">> | undefined => {
  for (const campaign of campaigns) {
    for (const experiment of campaign[CampaignField.Experiments]) {
      const variation = placeOfVariation(experiment, variationId);
      if (variation >= 0 && String(experiment[ExperimentField.Id]) === experimentId) {
        return { campaign, decision: { experiment, variation, isHeldBack: false, audiences: storedDecision(campaign)?.audiences || [] } };
      }
    }
  }
  return undefined;
};
