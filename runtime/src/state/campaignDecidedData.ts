/** What listeners of `campaignDecided` are given. */

import type { CampaignDecidedData } from "../../types/index";
import type { CampaignConfig } from "../config";
import { campaignState } from "./campaignState";

export const campaignDecidedData = (campaign: CampaignConfig): CampaignDecidedData | undefined => {
  const state = campaignState(campaign);
  if (!state) {
    return undefined;
  }
  const { id, campaignName: name, experiment, variation, audiences, isInCampaignHoldback: isCampaignHoldback } = state;
  return {
    campaign: { id, name },
    decision: {
      campaignId: id,
      experimentId: experiment && experiment.id,
      variationId: variation && variation.id,
      isCampaignHoldback,
    },
    audiences,
  };
};
