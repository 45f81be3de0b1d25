/** Whether any of a campaign's pages is active. */

import { CampaignField } from "../config";
import type { CampaignConfig } from "../config";
import { activePages } from "./activePages";

export const isCampaignOnPage = (campaign: CampaignConfig): boolean => {
  const places = campaign[CampaignField.Pages];
  return typeof places === "number" ? !!activePages[places] : places.some((place) => activePages[place]);
};
