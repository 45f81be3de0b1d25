/** The last decision of each campaign, over page views. */

import { CampaignField, ExperimentField } from "../project/config";
import type { CampaignConfig, Decision } from "../project/config";
import { itemById, placeOfVariation } from "../project/items";
import { memorize, recall, seenVariation } from "./memory";

/** Whether a decision can be more than the variation of an A/B test's experiment, so that more has to be remembered. */
export const keepsRest = __PERSONALIZATION__ || __HOLDBACK__ || __AUDIENCES__ || __WEIGHTS__;

/**
 * Remembers the rest of a decision for later page views, once its variation is: `experiment id.held back.unbucketed.audience id.audience
 * id…`. Most A/B tests have no rest. Read by `storedDecision`.
 */
export const rememberRest = (campaign: CampaignConfig, decision: Decision): void => {
  const { experiment_: experiment, variation_: variation } = decision;
  const rest = [__HOLDBACK__ && decision.isHeldBack_ ? 1 : "", variation >= 0 ? "" : 1, ...((__AUDIENCES__ && decision.audiences_) || [])].join(".");
  const isImplied = rest === "." && !campaign[CampaignField.IsPersonalization];
  memorize("c" + campaign[CampaignField.Id], isImplied ? "" : (experiment ? experiment[ExperimentField.Id] : "") + "." + rest);
};

/**
 * The last decision of a campaign for this visitor, from this or an earlier page view. `rememberRest` explains its form. `undefined`
 * if there was none. A variation or experiment that is gone from the project counts as none chosen.
 */
export const storedDecision = (campaign: CampaignConfig): Decision | undefined => {
  const experiments = campaign[CampaignField.Experiments];
  const rest = keepsRest && recall("c" + campaign[CampaignField.Id]);
  if (rest) {
    const [id, isHeldBack, isUnbucketed, ...audiences] = rest.split(".");
    const experiment = itemById(experiments, id);
    return {
      experiment_: experiment,
      variation_: experiment && !isUnbucketed ? placeOfVariation(experiment, seenVariation(experiment)) : -1,
      ...(__HOLDBACK__ && { isHeldBack_: !!isHeldBack }),
      audiences_: audiences.map(Number),
    };
  }
  const experiment = experiments[0];
  const seen = __PERSONALIZATION__ && campaign[CampaignField.IsPersonalization] ? 0 : seenVariation(experiment);
  return seen > 0 ? { experiment_: experiment, variation_: placeOfVariation(experiment, seen) } : undefined;
};
