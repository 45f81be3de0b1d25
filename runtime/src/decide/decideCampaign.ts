/**
 * Decides a campaign for the visitor, in this order: forced, audiences, holdback, the variation given earlier, bucketing.
 * The same rules in Rust: `crates/decide`.
 */

import { CampaignField, ExperimentField, projectHoldback } from "../config";
import type { CampaignConfig, ExperimentConfig } from "../config";
import { forcedVariations } from "../visitor/forcedVariations";
import { seenVariation } from "../visitor/seenVariation";
import { visitor } from "../visitor/visitor";
import { bucketOf } from "./bucketOf";
import { chooseExperiment } from "./chooseExperiment";
import type { Decision } from "./Decision";
import { forcedDecision } from "./forcedDecision";
import { isPaused } from "./isPaused";
import { metAudiences } from "./metAudiences";
import { placeOfVariation } from "./placeOfVariation";
import { shareAt } from "./shareAt";

export const decideCampaign = (campaign: CampaignConfig): Decision => {
  const forced = __FORCE__ && forcedVariations.length > 0 && forcedDecision(campaign);
  if (forced) {
    return forced;
  }
  const experiment = chooseExperiment(campaign);
  const variation = experiment ? chooseVariation(experiment) : -1;
  const isStopped = __PAUSED_VARIATIONS__ && !!experiment && isPaused(experiment, variation);
  return {
    experiment,
    variation,
    ...(__HOLDBACK__ && { isHeldBack: isHeldBack(campaign) || isStopped }),
    ...(__AUDIENCES__ && { audiences: metAudiences(campaign) }),
  };
};

/** By the project or by the campaign. Independent of the variation, and not sticky: traffic can be cut, and given back. */
const isHeldBack = (campaign: CampaignConfig): boolean => {
  const holdback = campaign[CampaignField.Holdback] || 0;
  return (
    (__PROJECT_HOLDBACK__ && bucketOf(visitor.id + "null", 0) < projectHoldback) ||
    (holdback > 0 && bucketOf(visitor.id + campaign[CampaignField.Id], 0) < holdback)
  );
};

/**
 * What is shipped is everybody's. Otherwise a variation once given wins over new weights; when it is gone from the experiment, the visitor
 * is in none. What was stored and is no id counts for nothing.
 */
const chooseVariation = (experiment: ExperimentConfig): number => {
  const shipped = __SHIPPED__ && experiment[ExperimentField.Shipped];
  if (shipped) {
    return shipped - 1;
  }
  const seen = seenVariation(experiment);
  if (seen) {
    return placeOfVariation(experiment, seen);
  }
  const count = experiment[ExperimentField.Variations].length / 2;
  return shareAt(bucketOf(visitor.id + experiment[ExperimentField.Id], 1), count, __WEIGHTS__ ? experiment[ExperimentField.Ends] : 0);
};
