/** Decides one campaign. */

import { metAudiences } from "../conditions/audiences";
import { pageView } from "../pageView/pageView";
import { CampaignField, ExperimentField, locatedCampaigns, projectHoldback } from "../project/config";
import type { CampaignConfig, Decision, ExperimentConfig } from "../project/config";
import { isEverybodyIn, isPaused, placeOfVariation, variationIdAt } from "../project/items";
import { keepsRest, rememberRest } from "../visitor/decisions";
import { forcedVariations } from "../visitor/forced";
import { givenPlace, rememberVariation, seenVariation, takeAsked } from "../visitor/memory";
import { visitor } from "../visitor/visitor";
import { bucketOf, shareAt } from "./bucketing";
import { chooseExperiment } from "./experiment";

/**
 * Decides a campaign for the visitor, in this order: forced, audiences, holdback, the variation given earlier, bucketing. The same rules
 * in Rust: `crates/decide`. Remembers the decision, except for a trial and what the visitor's tab asked for, which is not given to the visitor.
 */
export const decideCampaign = (campaign: CampaignConfig, isTrial?: boolean): Decision => {
  // Asked for before code of the page runs, which may have other campaigns decided.
  const campaignPlace = __MANY_CAMPAIGNS__ ? takeAsked() : 0;
  const forced = __FORCE__ && forcedVariations.length && forcedDecision(campaign);
  if (forced) {
    return forced;
  }
  const experiment = chooseExperiment(campaign);
  const known = __MANY_CAMPAIGNS__ && experiment && knownVariation(campaign, experiment, campaignPlace);
  const variation = known ? known - 1 : isEverybodyIn || experiment ? chooseVariation(experiment as ExperimentConfig, isTrial) : -1;
  const isStopped = __PAUSED_VARIATIONS__ && !!experiment && isPaused(experiment, variation);
  const decision = {
    experiment_: experiment,
    variation_: variation,
    ...(__HOLDBACK__ && { isHeldBack_: isHeldBack(campaign) || isStopped }),
    ...(__AUDIENCES__ && { audiences_: metAudiences(campaign) }),
  };
  if (keepsRest && !((__RESULTS__ || __INTEGRATIONS__) && isTrial)) {
    rememberRest(campaign, decision);
  }
  return decision;
};

/** One more than the place of the variation that was given earlier and is to be given again, if that is known without a look at its text. */
const knownVariation = (campaign: CampaignConfig, experiment: ExperimentConfig, campaignPlace: number): number | undefined => {
  const place = givenPlace(campaignPlace);
  const isOther = __PERSONALIZATION__ && experiment !== campaign[CampaignField.Experiments][0];
  const shipped = __SHIPPED__ && experiment[ExperimentField.Shipped];
  return !isOther && variationIdAt(experiment, place) && (!shipped || shipped === place + 1) ? place + 1 : undefined;
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
 * All visitors get a shipped variation. Otherwise a stored variation wins over new weights, be it given or chosen by the site; if it has
 * left the experiment, the visitor is in none. A stored value that is no id counts for nothing. Remembers what is given for the first time.
 */
const chooseVariation = (experiment: ExperimentConfig, isTrial?: boolean): number => {
  const shipped = __SHIPPED__ && experiment[ExperimentField.Shipped];
  const seen = seenVariation(experiment);
  if (seen > 0 && !shipped) {
    return placeOfVariation(experiment, seen);
  }
  const count = experiment[ExperimentField.Variations].length / 2;
  const ends = __WEIGHTS__ ? experiment[ExperimentField.Ends] : 0;
  const variation = shipped ? shipped - 1 : seen ? placeOfVariation(experiment, -seen) : shareAt(bucketOf(visitor.id + experiment[ExperimentField.Id], 1), count, ends);
  if (variation >= 0 && !((__RESULTS__ || __INTEGRATIONS__) && isTrial)) {
    rememberVariation(experiment[ExperimentField.Id], variationIdAt(experiment, variation), variation);
  }
  return variation;
};

/**
 * The decision that `?experimentation_x=<variation ids>` asks for, for people who want to look at a variation. It passes over audiences
 * and holdback, lasts for the tab, and leaves campaigns alone that it does not name. See `loadForced`.
 */
export const forcedDecision = (campaign: CampaignConfig): Decision | undefined => {
  for (const id of forcedVariations) {
    for (const experiment of campaign[CampaignField.Experiments]) {
      const variation = placeOfVariation(experiment, id);
      if (variation >= 0) {
        return { experiment_: experiment, variation_: variation, ...(__AUDIENCES__ && { audiences_: metAudiences(campaign) }) };
      }
    }
  }
  return undefined;
};

/**
 * Whether a campaign cannot be decided yet, since its audiences ask where the visitor is and the page has not said so. A variation that
 * is asked for needs no audience.
 */
export const awaitsLocation = (campaign: CampaignConfig): boolean =>
  !pageView.location && locatedCampaigns.includes(campaign[CampaignField.Id]) && !(__FORCE__ && forcedDecision(campaign));
