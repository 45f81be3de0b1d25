/** An activation: it begins with nothing known, and campaigns are on while one of their pages is active. */

import { Date } from "../browser/builtins";
import { CampaignField, campaigns } from "../project/config";
import type { CampaignConfig } from "../project/config";
import { activePages, pageView } from "./pageView";

/** Starts a fresh activation: no page is active, nothing is decided. */
export const beginActivation = (): void => {
  // Two activations within one millisecond must not share an id.
  pageView.activationId = Math.max(Date.now(), pageView.activationId + 1);
  if (__PAGES__) {
    activePages.length = 0;
  }
  if (__CAMPAIGNS__) {
    campaigns.forEach((campaign) => (campaign.decision_ = undefined));
  }
};

/** Pages are about to turn active, later than the rest. */
export const noteExposure = (): void => {
  if (__RESULTS__) {
    pageView.exposedAt = Date.now();
  }
};

/** Whether any of a campaign's pages is active. */
export const isCampaignOnPage = (campaign: CampaignConfig): boolean => {
  if (!__CAMPAIGN_PAGES__) {
    return !!activePages[campaign[CampaignField.Pages] as number];
  }
  const places = campaign[CampaignField.Pages];
  return typeof places === "number" ? !!activePages[places] : places.some((place) => activePages[place]);
};
