/** The state module's view of all campaigns and their experiments. */

import type { CampaignState, ExperimentState, Filter } from "../../types/index";
import { campaigns, ExperimentField } from "../project/config";
import { campaignState, decisionOf, experimentState, isActive } from "./campaigns";
import { selected } from "./filter";

/** `getCampaignStates`: all campaigns of the project that were decided for the visitor, now or on an earlier page. */
export const getCampaignStates = (filter?: Filter<CampaignState>): Record<string, CampaignState> =>
  __CAMPAIGNS__ ? selected(campaigns, campaignState, filter) : {};

/** `getExperimentStates`: the decisions of A/B tests, each under its one experiment, also when the visitor is not in it. */
export const getExperimentStates = (filter?: Filter<ExperimentState>): Record<string, ExperimentState> =>
  __CAMPAIGNS__ ? selected(campaigns, experimentState, filter) : {};

/**
 * `getActiveExperimentIds`: the experiments of active campaigns, those of held-back visitors included. An active campaign has a decision,
 * and that an experiment.
 */
export const getActiveExperimentIds = (): string[] =>
  __CAMPAIGNS__ ? campaigns.filter(isActive).map((campaign) => String(decisionOf(campaign)?.experiment_?.[ExperimentField.Id])) : [];
