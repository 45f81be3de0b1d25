/** The state module's view of all campaigns and their experiments. */

import type { CampaignState, ExperimentState, Filter } from "../../types/index";
import { CampaignField, campaigns, ExperimentField } from "../project/config";
import type { CampaignConfig } from "../project/config";
import { campaignState, decisionOf, isActive } from "./campaigns";
import { selected } from "./filter";
import { experimentOf } from "./names";

/** `getCampaignStates`: all campaigns of the project that were decided for the visitor, now or on an earlier page. */
export const getCampaignStates = (filter?: Filter<CampaignState>): Record<string, CampaignState> =>
  __CAMPAIGNS__ ? selected(campaigns.map(campaignState), filter) : {};

/** `getExperimentStates`: the decisions of A/B tests, each under its one experiment, also when the visitor is not in it. */
export const getExperimentStates = (filter?: Filter<ExperimentState>): Record<string, ExperimentState> =>
  __CAMPAIGNS__ ? selected(campaigns.map(experimentState), filter) : {};

/** `undefined` for a personalization, and for a campaign that was never decided for the visitor. */
const experimentState = (campaign: CampaignConfig): ExperimentState | undefined => {
  const state = __PERSONALIZATION__ && campaign[CampaignField.IsPersonalization] ? undefined : campaignState(campaign);
  if (!state) {
    return undefined;
  }
  const { campaignName, experiment, isInCampaignHoldback: isInExperimentHoldback, ...shared } = state;
  const { id, name: experimentName } = experimentOf(campaign[CampaignField.Experiments][0], campaignName);
  return { ...shared, id, experimentName, isInExperimentHoldback };
};

/**
 * `getActiveExperimentIds`: the experiments of active campaigns, those of held-back visitors included. An active campaign has a decision,
 * and that an experiment.
 */
export const getActiveExperimentIds = (): string[] =>
  __CAMPAIGNS__ ? campaigns.filter(isActive).map((campaign) => String(decisionOf(campaign)?.experiment_?.[ExperimentField.Id])) : [];
