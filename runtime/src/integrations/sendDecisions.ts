/** Reports decisions to the site's tools and to the member's own code. */

import type { CampaignState } from "../../types/index";
import { genuine } from "../browser/genuine";
import { isPrerendered } from "../browser/prerendered";
import { guarded } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { campaigns, decisionCallbacks, isConsentRequired } from "../project/config";
import type { CampaignConfig, Decision } from "../project/config";
import { campaignState, decisionOf } from "../state/campaigns";
import { getDecisionObject } from "../state/decisionString";
import { isRefused, switchOff, visitor } from "../visitor/visitor";
import { sendToAmplitude } from "./amplitude";
import { sendToGtag, sendToGtm } from "./google";
import { sendToMatomo } from "./matomo";
import { sendToPlausible } from "./plausible";
import { disowned, mayTell } from "./report";
import type { DecisionReport } from "./report";
import { sendToSegment } from "./segment";

/** What Google Analytics takes of one value, the least of all. Ids are always left whole. */
const MAX_TEXT_LENGTH = 100;

/** Replaces the variation of a held-back visitor, who did not see it. */
const HOLDBACK = "holdback";

const told: Decision[] = [];

/**
 * Reports to the site's tools, and to the member's own code, which variations the visitor is in: each decision once. A campaign is reported
 * again when it is decided again, at a further activation or when one of its pages is active again: the page view of a single-page app.
 * Waits for the end of the document: by then the site's own code has reported the page view to its tools. A page that the browser
 * prerenders is none until the visitor opens it.
 */
export const sendDecisions = (): void => {
  if (isPrerendered()) {
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

/** The member's code may end a campaign in response to a decision, so this checks that it is still active. */
const sendOnce = (campaign: CampaignConfig): void => {
  const decision = decisionOf(campaign);
  const state = campaignState(campaign);
  if (mayTell() && decision && !(isConsentRequired && disowned.includes(decision)) && state?.isActive && !told.includes(decision)) {
    told.push(decision);
    send(state);
  }
};

/** A visitor held back from an A/B test is not in it: there is no decision to report. */
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
    experimentText_: texts.experiment,
    variationText_: isHeldBack ? HOLDBACK : texts.variation,
  });
  if (__INTEGRATION_CALLBACK__) {
    decisionCallbacks.forEach((tell) => guarded(() => tell(state)));
  }
};

/** Tells each tool that the project names. One that fails must not keep it from the others. */
const sendReport = (report: DecisionReport): void => {
  if (__INTEGRATION_GA4_GTAG__) {
    guarded(() => sendToGtag(report));
  }
  if (__INTEGRATION_GA4_GTM__) {
    guarded(() => sendToGtm(report));
  }
  if (__INTEGRATION_SEGMENT__) {
    guarded(() => sendToSegment(report));
  }
  if (__INTEGRATION_AMPLITUDE__) {
    guarded(() => sendToAmplitude(report));
  }
  if (__INTEGRATION_MATOMO__) {
    guarded(() => sendToMatomo(report));
  }
  if (__INTEGRATION_PLAUSIBLE__) {
    guarded(() => sendToPlausible(report));
  }
};
