/** Which experiment of a campaign the visitor takes part in. */

import { isInAudience } from "../conditions/audiences";
import { evaluateTree } from "../conditions/tree";
import { CampaignField, ExperimentField } from "../project/config";
import type { CampaignConfig, ExperimentConfig } from "../project/config";
import { visitor } from "../visitor/visitor";
import { bucketOf, shareAt } from "./bucketing";

/**
 * Chooses the experiment of a campaign that the visitor takes part in, if any: the only one of an A/B test, or one of a personalization's
 * first priority group that has any for the visitor.
 */
export const chooseExperiment = (campaign: CampaignConfig): ExperimentConfig | undefined => {
  const experiments = campaign[CampaignField.Experiments];
  if (!__PERSONALIZATION__ || !campaign[CampaignField.IsPersonalization]) {
    return !__AUDIENCES__ || isOpen(experiments[0]) ? experiments[0] : undefined;
  }
  const groups = campaign[CampaignField.Priorities] || [experiments.map((_, place) => place)];
  for (const group of groups) {
    const open = group.map((place) => experiments[place]).filter((experiment) => !__AUDIENCES__ || isOpen(experiment));
    if (open.length > 0) {
      return open[shareAt(bucketOf(visitor.id + campaign[CampaignField.Id], 1), open.length, 0)];
    }
  }
  return undefined;
};

/** Whether the experiment's audiences let the visitor in. */
const isOpen = (experiment: ExperimentConfig): boolean => {
  const audiences = experiment[ExperimentField.Audiences];
  return !audiences || evaluateTree(audiences, isInAudience) === true;
};
