/** The redirect that led to this page view, if the campaign was the one that redirected. */

import type { CampaignConfig } from "../config";
import { pageView } from "../pageView";
import type { Landing } from "../redirect/Landing";

export const landingOf = (campaign: CampaignConfig): Landing | undefined =>
  pageView.landing?.campaign === campaign ? pageView.landing : undefined;
