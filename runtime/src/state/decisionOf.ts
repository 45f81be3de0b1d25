/** The decision that stands for a campaign: of this activation, of the redirect that led here, or of an earlier page view. */

import { decisions } from "../activation/decisions";
import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";
import { storedDecision } from "../visitor/storedDecision";
import { landingOf } from "./landingOf";

/** `undefined` if nothing was ever decided. */
export const decisionOf = (campaign: CampaignConfig): Decision | undefined =>
  decisions.get(campaign) || (__CHANGE_REDIRECT__ && landingOf(campaign)?.decision) || storedDecision(campaign);
