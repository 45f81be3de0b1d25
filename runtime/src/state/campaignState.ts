/** A campaign as the state module shows it; all that other functions say about campaigns and experiments is taken from it. */

import type { CampaignState, NameIdObject } from "../../types/index";
import { AudienceField, audiences, CampaignField } from "../config";
import type { CampaignConfig } from "../config";
import { itemById } from "../itemById";
import { decisionOf } from "./decisionOf";
import { experimentOf } from "./experimentOf";
import { isActive } from "./isActive";
import { landingOf } from "./landingOf";
import { nameIdOf } from "./nameIdOf";
import { variationOf } from "./variationOf";

/** `undefined` for a campaign that was never decided for the visitor. */
export const campaignState = (campaign: CampaignConfig): CampaignState | undefined => {
  const decision = decisionOf(campaign);
  if (!decision) {
    return undefined;
  }
  const { experiment, variation } = decision;
  const { id, name } = nameIdOf(campaign[CampaignField.Id], campaign[CampaignField.Name]);
  return {
    id,
    campaignName: name,
    experiment: experiment ? experimentOf(experiment, name) : null,
    variation: experiment && variation >= 0 ? variationOf(experiment, variation) : null,
    isActive: isActive(campaign),
    visitorRedirected: __CHANGE_REDIRECT__ && !!landingOf(campaign),
    isInCampaignHoldback: __HOLDBACK__ && !!decision.isHeldBack,
    audiences: __AUDIENCES__ ? (decision.audiences || []).map(audienceOf) : [],
  };
};

/** An audience that is gone from the snippet has no name. */
const audienceOf = (id: number): NameIdObject => nameIdOf(id, itemById(audiences, id)?.[AudienceField.Name]);
