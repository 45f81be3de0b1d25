/** Decides the campaigns of active pages that are not decided yet, or no longer. */

import { emit } from "../api/emit";
import { campaigns } from "../config";
import type { CampaignConfig } from "../config";
import { awaitsLocation } from "../decide/awaitsLocation";
import { decideCampaign } from "../decide/decideCampaign";
import { isLeftOut } from "../decide/isLeftOut";
import { pageView } from "../pageView";
import { campaignDecidedData } from "../state/campaignDecidedData";
import { rememberDecision } from "../visitor/rememberDecision";
import { decisions } from "./decisions";
import { isCampaignOnPage } from "./isCampaignOnPage";

export const decideCampaigns = (): void => {
  const decided = campaigns.filter(isToBeDecided);
  for (const campaign of decided) {
    const decision = decideCampaign(campaign);
    decisions.set(campaign, decision);
    rememberDecision(campaign, decision);
  }
  // Told after all are decided: a handler may ask for any of them.
  for (const campaign of pageView.listeners.length > 0 ? decided : []) {
    // A handler may also switch us off.
    if (decisions.has(campaign)) {
      emit("campaignDecided", () => campaignDecidedData(campaign));
    }
  }
};

const isToBeDecided = (campaign: CampaignConfig): boolean => {
  const decision = decisions.get(campaign);
  const isOpen = (!decision || !!decision.isOver) && isCampaignOnPage(campaign) && !(__CONDITION_LOCATION__ && awaitsLocation(campaign));
  return isOpen && !(__GROUPS__ && isLeftOut(campaign));
};
