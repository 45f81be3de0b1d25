/** Exposures: which variations the visitor was given. docs/events.md has the rules. */

import type { CampaignState, NameIdObject } from "../../types/index";
import { String } from "../browser/builtins";
import { isPrerendered } from "../browser/prerendered";
import { activePages, pageView } from "../pageView/pageView";
import type { CampaignConfig } from "../project/config";
import { CampaignField, campaigns, ExperimentField, isConsentRequired, PageField, pages } from "../project/config";
import { campaignState, decisionOf } from "../state/campaigns";
import { today } from "../visitor/behavior";
import { forcedVariations } from "../visitor/forced";
import { memorize, recall } from "../visitor/memory";
import { saveSoon } from "../visitor/saveVisitor";
import { sendBeforeLeaving, sendSoon, tell } from "./eventQueue";
import { disowned, mayTell } from "./report";

/**
 * Tells of the variations of the campaigns that are active now, at once: who leaves before the document ends has seen something of the page,
 * and who is being redirected has been given the other one. Each is told once a day: what is lost today is told tomorrow. Asked again
 * whenever the page may be over, or has been opened: `isSeenOrLeft`.
 */
export const sendExposures = (isSeenOrLeft?: unknown): void => {
  // The visitor has not seen a prerendered page yet, and may never see it.
  if (mayTell() && !isPrerendered()) {
    campaigns.forEach(tellExposure);
    saveSoon();
  }
  if (isSeenOrLeft || pageView.isLeft) {
    sendBeforeLeaving();
  }
  // The page may only be hidden, and what the server could not take still waits.
  sendSoon();
};

/** The id is the same wherever it is told from on that day, another tab or the landing page of a redirect, so that it counts once. */
const tellExposure = (config: CampaignConfig): void => {
  const state = campaignState(config) as CampaignState & Record<"experiment" | "variation", NameIdObject>;
  // All visitors get the winner that is shipped: that says nothing about it.
  if (
    !state?.isActive ||
    (isConsentRequired && disowned.includes(decisionOf(config))) ||
    (__SHIPPED__ && decisionOf(config)?.experiment_?.[ExperimentField.Shipped])
  ) {
    return;
  }
  // Where a campaign is active, all are known.
  const { id: campaign, experiment, variation } = state;
  // From an A/B test, too: who is held back is shown nothing.
  const holdback = __HOLDBACK__ && state.isInCampaignHoldback;
  const forced = __FORCE__ && forcedVariations.includes(+variation.id);
  const key = "x" + experiment.id;
  let note = variation.id + "." + today() + (holdback ? "h" : "") + (forced ? "f" : "");
  const id = key + "." + note;
  if (__CHANGE_REDIRECT__ && state.visitorRedirected) {
    // What was sent from a page that was being left for this one may be lost.
    note += "r";
  }
  if (recall(key) !== note) {
    memorize(key, note);
    // None after a redirect from another page.
    const page = __CAMPAIGN_PAGES__ ? [config[CampaignField.Pages]].flat().find((place) => activePages[place]) : undefined;
    tell({
      // That of a landing was made on the page before.
      time: decisionOf(config)?.exposedAt_ || pageView.exposedAt,
      id,
      type: "exposure",
      campaign,
      experiment: experiment.id,
      variation: variation.id,
      ...(__HOLDBACK__ && { holdback }),
      ...(__FORCE__ && { forced }),
      ...(page !== undefined && { page: String(pages[page][PageField.Id]) }),
      flicker,
    });
  }
};

/** Whether the page could be seen before the snippet ran: browsers may paint as soon as there is a body, or an element that takes its name. */
const flicker = __RESULTS__ && !!document.body;
