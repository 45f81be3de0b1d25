/** `getActiveExperimentIds`: the experiments of active campaigns, those of held-back visitors included. */

import { campaigns, ExperimentField } from "../config";
import { decisionOf } from "./decisionOf";
import { isActive } from "./isActive";

export const getActiveExperimentIds = (): string[] => {
  const ids: string[] = [];
  if (__CAMPAIGNS__) {
    for (const campaign of campaigns) {
      const experiment = isActive(campaign) && decisionOf(campaign)?.experiment;
      if (experiment) {
        ids.push(String(experiment[ExperimentField.Id]));
      }
    }
  }
  return ids;
};
