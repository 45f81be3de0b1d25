/** Whether any of a campaign's pages is active. */

import { activePages } from "./activePages";
import { CampaignField } from "../config";
import type { CampaignConfig } from "../config";

export const isCampaignOnPage = (campaign: CampaignConfig): boolean => {
  const places = campaign[CampaignField.Pages];
  return (typeof places === "number" ? [places] : places).some((place) => activePages[place]);
};
