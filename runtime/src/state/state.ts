/** The state module, and what of it is about the page view alone. */

import type { RedirectInfo, State } from "../../types/index";
import { pageView } from "../pageView/pageView";
import { getActiveExperimentIds, getCampaignStates, getExperimentStates } from "./campaignStates";
import { getDecisionObject, getDecisionString } from "./decisionString";
import { explain } from "./explain";
import { getPageStates } from "./pages";
import { getVariationMap } from "./variationMap";

/** `get("state")`: the state module. Each call makes a new object, so that no caller can change another's. */
export const state = (): State => {
  return {
    getActiveExperimentIds,
    getCampaignStates,
    getExperimentStates,
    getPageStates,
    getRedirectInfo,
    getVariationMap,
    getDecisionString,
    getDecisionObject,
    getActivationId,
    ...(__EXPLAIN__ && { explain }),
  };
};

/** `getActivationId`: the millisecond at which the present activation began; `0` while the snippet is switched off. */
export const getActivationId = (): string => String(pageView.activationId);

/** `getRedirectInfo`: the redirect that led to this page view. */
const getRedirectInfo = (): RedirectInfo | null => {
  if (!__LANDINGS__ || !pageView.landing) {
    return null;
  }
  const { experimentId, variationId, referrer } = pageView.landing;
  return { experimentId, variationId, referrer };
};
