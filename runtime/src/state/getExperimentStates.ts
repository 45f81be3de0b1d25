/** `getExperimentStates`: the decisions of A/B tests, each under its one experiment, also when the visitor is not in it. */

import type { ExperimentState, Filter } from "../../types/index";
import { CampaignField, campaigns } from "../config";
import type { CampaignConfig } from "../config";
import { campaignState } from "./campaignState";
import { experimentOf } from "./experimentOf";
import { selected } from "./selected";

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
