/**
 * Finds out whether a redirect of ours led here. The note of it came with the tab, and is taken away, so that it holds for this page
 * view and no other; or it came in the address: see takeAddressNote.ts.
 */

import { CampaignField, campaigns, ExperimentField } from "../config";
import { placeOfVariation } from "../decide/placeOfVariation";
import { pageView } from "../pageView";
import { decodePercent } from "../visitor/decodePercent";
import { recall } from "../visitor/recall";
import { rememberDecision } from "../visitor/rememberDecision";
import { rememberVariation } from "../visitor/rememberVariation";
import { storedDecision } from "../visitor/storedDecision";
import { tabNote } from "../visitor/tabNote";
import { writeTabNote } from "../visitor/writeTabNote";
import type { Landing } from "./Landing";
import { REDIRECT_NOTE } from "./redirectNote";
import { withoutFragment } from "./withoutFragment";

/** `addressNote`: what takeAddressNote.ts found. */
export const takeLanding = (addressNote: string): void => {
  const noteOfTab = takeTabNote();
  // Anybody can write an address: only what looks like a note is one.
  const note = /^(\d+):(\d+):(\d+):([^:]*):([\d.]*)$/.exec(addressNote || noteOfTab);
  if (!note) {
    return;
  }
  const [, experimentId, variationId, place, referrer, chain] = note;
  const { campaign, decision } = decisionBefore(experimentId, variationId);
  pageView.landing = { experimentId, variationId, referrer: decodePercent(referrer), chain: chain.split("."), campaign, decision };
  // A visitor who comes from another origin, or another project, has no decision here yet.
  if (campaign && decision) {
    if (!storedDecision(campaign)) {
      rememberDecision(campaign, decision);
    }
  } else if (!recall("e" + experimentId)) {
    rememberVariation(experimentId, variationId, place);
  }
};

const takeTabNote = (): string => {
  const text = tabNote(REDIRECT_NOTE);
  if (!text) {
    return "";
  }
  writeTabNote(REDIRECT_NOTE, "");
  const [destination, source, note] = text.split(" ");
  const here = withoutFragment(location.href);
  const previous = withoutFragment(document.referrer);
  // The destination may have led on to another page, or back; but a page reached from there by other ways is no landing.
  return here === destination || previous === source || (!previous && here === source) ? note : "";
};

/** What the campaign had decided that redirected; nothing if it is gone from the project. */
const decisionBefore = (experimentId: string, variationId: string): Partial<Pick<Landing, "campaign" | "decision">> => {
  for (const campaign of campaigns) {
    for (const experiment of campaign[CampaignField.Experiments]) {
      const variation = placeOfVariation(experiment, variationId);
      if (variation >= 0 && String(experiment[ExperimentField.Id]) === experimentId) {
        return { campaign, decision: { experiment, variation, audiences: storedDecision(campaign)?.audiences || [] } };
      }
    }
  }
  return {};
};
