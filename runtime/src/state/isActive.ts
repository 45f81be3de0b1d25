/**
 * Whether a campaign is active: the visitor is in a variation, held back or not, that was decided in this activation, and one of its
 * pages still is active; or the campaign redirected here.
 */

import { decisions } from "../activation/decisions";
import { isCampaignOnPage } from "../activation/isCampaignOnPage";
import type { CampaignConfig } from "../config";
import { landingOf } from "./landingOf";

export const isActive = (campaign: CampaignConfig): boolean =>
  (__CHANGE_REDIRECT__ && !!landingOf(campaign)) || (Number(decisions.get(campaign)?.variation) >= 0 && isCampaignOnPage(campaign));
