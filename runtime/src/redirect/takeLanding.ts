/**
 * Finds out whether a redirect of ours led here, and takes its note away, so that it holds for this page view and no other. The
 * note came with the tab, or in the address, where nobody shall see it: neither analytics nor a bookmark.
 */

import { attempt } from "../attempt";
import { queryParameter } from "../conditions/queryParameter";
import { CampaignField, campaigns, ExperimentField } from "../config";
import { placeOfVariation } from "../decide/placeOfVariation";
import { pageView } from "../pageView";
import { decodePercent } from "../visitor/decodePercent";
import { rememberDecision } from "../visitor/rememberDecision";
import { storedDecision } from "../visitor/storedDecision";
import { tabNote } from "../visitor/tabNote";
import { writeTabNote } from "../visitor/writeTabNote";
import type { Landing } from "./Landing";
import { REDIRECT_NOTE } from "./redirectNote";

export const takeLanding = (): void => {
  // Anybody can write an address: only what looks like a note is one.
  const note = /^(\d+):(\d+):([^:]*):([\d.]*)$/.exec(takeParameter() || takeTabNote());
  if (!note) {
    return;
  }
  const landing = { experimentId: note[1], variationId: note[2], referrer: decodePercent(note[3]), chain: note[4].split(".") };
  pageView.landing = { ...landing, ...decisionBefore(note[1], note[2]) };
  const { campaign, decision } = pageView.landing;
  // A visitor who comes from another origin has no decision here yet.
  if (campaign && decision && !storedDecision(campaign)) {
    rememberDecision(campaign, decision);
  }
};

const takeTabNote = (): string => {
  const text = tabNote(REDIRECT_NOTE);
  if (text) {
    writeTabNote(REDIRECT_NOTE, "");
  }
  return text;
};

const takeParameter = (): string => {
  const value = queryParameter("experimentation_redirect");
  if (value === undefined) {
    return "";
  }
  const address = location.href.replace(/([?&])experimentation_redirect=[^&#]*&?/, "$1").replace(/[?&](#|$)/, "$1");
  attempt(() => history.replaceState(history.state, "", address));
  return decodePercent(value);
};

/** What the campaign had decided that redirected; nothing if it is gone from the project. */
const decisionBefore = (experimentId: string, variationId: string): Pick<Landing, "campaign" | "decision"> => {
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
