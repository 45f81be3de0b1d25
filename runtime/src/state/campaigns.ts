/** Campaigns and experiments as the state module and listeners see them. */

import type { CampaignDecidedData, CampaignState, ExperimentState, NameIdObject } from "../../types/index";
import { isCampaignOnPage } from "../pageView/activation";
import { pageView } from "../pageView/pageView";
import type { Landing } from "../pageView/pageView";
import { AudienceField, audiences, CampaignField } from "../project/config";
import type { CampaignConfig, Decision } from "../project/config";
import { isAliased, itemById } from "../project/items";
import { storedDecision } from "../visitor/decisions";
import { campaignData } from "./data";
import { experimentOf, nameIdOf, variationOf } from "./names";

/**
 * A campaign as the state module shows it; all that other functions say about campaigns and experiments is taken from it. `undefined` for
 * a campaign that was never decided for the visitor.
 */
export const campaignState = (campaign: CampaignConfig): CampaignState | undefined => {
  const decision = decisionOf(campaign);
  if (!decision) {
    return undefined;
  }
  const { id, name } = nameIdOf(campaign[CampaignField.Id], campaign[CampaignField.Name]);
  return {
    ...outcomeOf(campaign, decision),
    id,
    campaignName: name,
    experiment: decision.experiment_ ? experimentOf(decision.experiment_, name) : null,
    isInCampaignHoldback: __HOLDBACK__ && !!decision.isHeldBack_,
  };
};

/** `undefined` for a personalization, and for a campaign that was never decided for the visitor. */
export const experimentState = (campaign: CampaignConfig): ExperimentState | undefined => {
  const decision = __PERSONALIZATION__ && campaign[CampaignField.IsPersonalization] ? undefined : decisionOf(campaign);
  if (!decision) {
    return undefined;
  }
  const { id, name } = experimentOf(campaign[CampaignField.Experiments][0], campaign[CampaignField.Name]);
  return {
    ...outcomeOf(campaign, decision),
    id,
    experimentName: name,
    isInExperimentHoldback: __HOLDBACK__ && !!decision.isHeldBack_,
  };
};

/** What the states of a campaign and of its experiment have in common. Both spread it first: taking a rest from one would be many times slower. */
const outcomeOf = (campaign: CampaignConfig, { experiment_: experiment, variation_: variation, audiences_: ids }: Decision) => ({
  variation: experiment && variation >= 0 ? variationOf(experiment, variation) : null,
  isActive: isActive(campaign),
  visitorRedirected: __CHANGE_REDIRECT__ && !!landingOf(campaign),
  audiences: __AUDIENCES__ ? (ids || []).map(audienceOf) : [],
});

/** An audience that is gone from the snippet has no name. */
const audienceOf = (id: number): NameIdObject => nameIdOf(id, itemById(audiences, id)?.[AudienceField.Name]);

/**
 * The decision that counts for a campaign: of this activation, of the redirect that led here, or of an earlier page view. On the landing
 * page the redirect's also wins over a new one without a variation, if the audiences do not hold, say. `undefined` if nothing
 * was ever decided.
 */
export const decisionOf = (campaign: CampaignConfig): Decision | undefined => {
  const decision = campaign.decision_;
  const landed = __CHANGE_REDIRECT__ && !((decision?.variation_ as number) >= 0) && landingOf(campaign)?.decision_;
  return landed || decision || storedDecision(campaign);
};

/**
 * Whether a campaign is active: the visitor is in a variation, held back or not, that was decided in this activation, and one of its
 * pages still is active; or the campaign redirected here.
 */
export const isActive = (campaign: CampaignConfig): boolean =>
  (__CHANGE_REDIRECT__ && !!landingOf(campaign)) || ((campaign.decision_?.variation_ as number) >= 0 && isCampaignOnPage(campaign));

/** The redirect that led to this page view, if the campaign was the one that redirected. */
const landingOf = (campaign: CampaignConfig): Landing | undefined =>
  pageView.landing?.campaign_ === campaign ? pageView.landing : undefined;

/** What listeners of `campaignDecided` are given, once a campaign was decided. */
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
