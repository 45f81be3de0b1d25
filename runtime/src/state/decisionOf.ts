/**
 * The decision that stands for a campaign: of this activation, of the redirect that led here, or of an earlier page view. On the landing
 * page the redirect's also stands before a new one that gives no variation, where the audiences do not hold, say.
 */

import { decisions } from "../activation/decisions";
import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";
import { storedDecision } from "../visitor/storedDecision";
import { landingOf } from "./landingOf";

/** `undefined` if nothing was ever decided. */
export const decisionOf = (campaign: CampaignConfig): Decision | undefined => {
  const decision = decisions.get(campaign);
  const landed = __CHANGE_REDIRECT__ && !(Number(decision?.variation) >= 0) && landingOf(campaign)?.decision;
  return landed || decision || storedDecision(campaign);
};
