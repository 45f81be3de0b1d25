/**
 * Tells the site's tools, and the member's own code, which variations the visitor is in: each decision once. A campaign is told again
 * when it is decided anew, at a further activation or when one of its pages is active again; that is the page view of a single-page app.
 */

import type { CampaignState } from "../../types/index";
import { switchOff } from "../api/switchOff";
import { campaigns, decisionCallbacks } from "../config";
import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";
import { genuine } from "../genuine";
import { guarded } from "../guarded";
import { pageView } from "../pageView";
import { campaignState } from "../state/campaignState";
import { decisionOf } from "../state/decisionOf";
import { getDecisionObject } from "../state/getDecisionObject";
import { isRefused } from "../visitor/isRefused";
import { visitor } from "../visitor/visitor";
import { mayTell } from "./mayTell";
import { sendReport } from "./sendReport";

/** What Google Analytics takes of one value, the least of all. Ids are always left whole. */
const MAX_TEXT_LENGTH = 100;

/** Stands for the variation of who is held back: their variation was not seen. */
const HOLDBACK = "holdback";

const told: Decision[] = [];

/**
 * Waits for the end of the document: the site's own code has told its tools by then that there is a page view. A page that the browser
 * makes ready beforehand is none until somebody opens it.
 */
export const sendDecisions = (): void => {
  if (genuine(document as Document & { prerendering?: boolean }, "prerendering")) {
    genuine(document, "addEventListener")("prerenderingchange", sendDecisions);
  } else if (genuine(document, "readyState") === "loading") {
    genuine(document, "addEventListener")("DOMContentLoaded", sendDecisions);
  } else if (!pageView.isLeft) {
    if (visitor.isKept && isRefused()) {
      switchOff();
    }
    campaigns.forEach(sendOnce);
  }
};

/** What the member's code is told of one campaign may be its reason to end it. */
const sendOnce = (campaign: CampaignConfig): void => {
  const decision = decisionOf(campaign);
  const state = campaignState(campaign);
  if (mayTell() && decision && state?.isActive && !told.includes(decision)) {
    told.push(decision);
    send(state);
  }
};

/** Who is held back of an A/B test is not in it: there is no decision to tell. */
const send = (state: CampaignState): void => {
  const { id: campaignId, experiment, variation } = state;
  const texts = getDecisionObject({ campaignId, shouldCleanString: false, maxLength: MAX_TEXT_LENGTH });
  if (!texts || !experiment || !variation) {
    return;
  }
  const isHeldBack = __PERSONALIZATION__ && __HOLDBACK__ && state.isInCampaignHoldback;
  sendReport({
    experiment,
    variation: isHeldBack ? { id: HOLDBACK, name: HOLDBACK } : variation,
    experimentText: texts.experiment,
    variationText: isHeldBack ? HOLDBACK : texts.variation,
  });
  if (__INTEGRATION_CALLBACK__) {
    decisionCallbacks.forEach((tell) => guarded(() => tell(state)));
  }
};
