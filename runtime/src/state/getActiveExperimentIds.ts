/** `getActiveExperimentIds`: the experiments of active campaigns, those of held-back visitors included. */

import { campaigns, ExperimentField } from "../config";
import { decisionOf } from "./decisionOf";
import { isActive } from "./isActive";

/** An active campaign has a decision, and that an experiment. */
export const getActiveExperimentIds = (): string[] =>
  __CAMPAIGNS__ ? campaigns.filter(isActive).map((campaign) => String(decisionOf(campaign)?.experiment?.[ExperimentField.Id])) : [];
