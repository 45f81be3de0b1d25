/** Decides the campaigns of active pages that this activation has not decided yet. */

import { emit } from "../api/emit";
import { campaigns } from "../config";
import { decideCampaign } from "../decide/decideCampaign";
import { campaignDecidedData } from "../state/campaignDecidedData";
import { rememberDecision } from "../visitor/rememberDecision";
import { decisions } from "./decisions";
import { isCampaignOnPage } from "./isCampaignOnPage";

export const decideCampaigns = (): void => {
  const undecided = campaigns.filter((campaign) => !decisions.has(campaign) && isCampaignOnPage(campaign));
  for (const campaign of undecided) {
    const decision = decideCampaign(campaign);
    decisions.set(campaign, decision);
    rememberDecision(campaign, decision);
  }
  // Told after all are decided: a handler may ask for any of them.
  for (const campaign of undecided) {
    emit("campaignDecided", () => campaignDecidedData(campaign));
  }
};
