/** Decides the campaigns of active pages that are not decided yet, or no longer. */

import { emit } from "../api/emit";
import { campaigns } from "../config";
import type { Decision } from "../decide/Decision";
import { decideCampaign } from "../decide/decideCampaign";
import { isLeftOut } from "../decide/isLeftOut";
import { campaignDecidedData } from "../state/campaignDecidedData";
import { rememberDecision } from "../visitor/rememberDecision";
import { decisions } from "./decisions";
import { isCampaignOnPage } from "./isCampaignOnPage";

export const decideCampaigns = (): void => {
  const undecided = campaigns.filter(
    (campaign) => isUndecided(decisions.get(campaign)) && isCampaignOnPage(campaign) && !(__GROUPS__ && isLeftOut(campaign)),
  );
  for (const campaign of undecided) {
    const decision = decideCampaign(campaign);
    decisions.set(campaign, decision);
    rememberDecision(campaign, decision);
  }
  // Told after all are decided: a handler may ask for any of them.
  for (const campaign of undecided) {
    // A handler may also switch us off.
    if (decisions.has(campaign)) {
      emit("campaignDecided", () => campaignDecidedData(campaign));
    }
  }
};

const isUndecided = (decision: Decision | undefined): boolean => !decision || !!decision.isOver;
