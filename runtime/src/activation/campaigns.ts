/** The campaigns of active pages. */

import { awaitsLocation, decideCampaign } from "../decide/campaign";
import { isLeftOut } from "../decide/groups";
import { isCampaignOnPage } from "../pageView/activation";
import { emit } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { campaigns } from "../project/config";
import type { CampaignConfig } from "../project/config";
import { campaignDecidedData } from "../state/campaigns";
import { askPlace } from "../visitor/memory";

/** Decides the campaigns of active pages that are not decided yet, or no longer. */
export const decideCampaigns = (): void => {
  let place = 0;
  const decided = campaigns.filter((campaign) => {
    if (__MANY_CAMPAIGNS__) {
      askPlace(place++);
    }
    const isDue = isToBeDecided(campaign);
    if (isDue) {
      campaign.decision_ = decideCampaign(campaign);
      if (__RESULTS__) {
        campaign.decision_.exposedAt_ = pageView.exposedAt;
      }
    }
    return isDue;
  });
  if (__MANY_CAMPAIGNS__) {
    askPlace(-1);
  }
  // Told after all are decided: a handler may ask for any of them.
  for (const campaign of pageView.listeners[0] ? decided : []) {
    // A handler may also switch us off.
    if (campaign.decision_) {
      emit("campaignDecided", () => campaignDecidedData(campaign));
    }
  }
};

const isToBeDecided = (campaign: CampaignConfig): boolean => {
  const decision = campaign.decision_;
  if ((decision && !decision.isOver_) || (__CONDITION_LOCATION__ && awaitsLocation(campaign))) {
    return false;
  }
  const isOn = isCampaignOnPage(campaign);
  return __GROUPS__ ? isOn && !isLeftOut(campaign) : isOn;
};
