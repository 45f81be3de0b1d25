/** What listeners of `campaignDecided` are given, once a campaign was decided. */

import type { CampaignDecidedData, CampaignState } from "../../types/index";
import { isAliased } from "../api/isAliased";
import type { CampaignConfig } from "../config";
import { campaignData } from "../data/campaignData";
import { campaignState } from "./campaignState";

export const campaignDecidedData = (campaign: CampaignConfig): CampaignDecidedData => {
  const state = campaignState(campaign) as CampaignState;
  const { id, campaignName: name, experiment, variation, audiences } = state;
  return {
    campaign: isAliased ? campaignData(campaign) : { id, name },
    decision: {
      campaignId: id,
      experimentId: experiment && experiment.id,
      variationId: variation && variation.id,
      isCampaignHoldback: __HOLDBACK__ && state.isInCampaignHoldback,
    },
    audiences,
  };
};
