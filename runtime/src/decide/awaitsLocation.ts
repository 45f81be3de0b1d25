/**
 * Whether a campaign cannot be decided yet, since its audiences ask where the visitor is and the page has not said so. A variation that is
 * asked for needs no audience.
 */

import { CampaignField, locatedCampaigns } from "../config";
import type { CampaignConfig } from "../config";
import { pageView } from "../pageView";
import { forcedDecision } from "./forcedDecision";

export const awaitsLocation = (campaign: CampaignConfig): boolean =>
  !pageView.location && locatedCampaigns.includes(campaign[CampaignField.Id]) && !(__FORCE__ && forcedDecision(campaign));
