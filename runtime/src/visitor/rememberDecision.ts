/**
 * Takes down a decision for later page views: the experiment's variation, and the rest as
 * `experiment id.held back.unbucketed.audience id.audience id…`. Most A/B tests have no rest. Read by storedDecision.ts.
 */

import { CampaignField, ExperimentField } from "../config";
import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";
import { variationIdAt } from "../decide/variationIdAt";
import { forcedVariations } from "./forcedVariations";
import { keepsRest } from "./keepsRest";
import { memorize } from "./memorize";
import { rememberVariation } from "./rememberVariation";

export const rememberDecision = (campaign: CampaignConfig, decision: Decision): void => {
  const { experiment, variation } = decision;
  const variationId = experiment ? variationIdAt(experiment, variation) : 0;
  // What the visitor's tab asked for was not given to the visitor.
  if (__FORCE__ && forcedVariations.includes(variationId)) {
    return;
  }
  if (experiment && variationId) {
    rememberVariation(experiment[ExperimentField.Id], variationId, variation);
  }
  if (keepsRest) {
    const rest = [__HOLDBACK__ && decision.isHeldBack ? 1 : "", variationId ? "" : 1, ...((__AUDIENCES__ && decision.audiences) || [])].join(".");
    const isImplied = rest === "." && !campaign[CampaignField.IsPersonalization];
    memorize("c" + campaign[CampaignField.Id], isImplied ? "" : (experiment ? experiment[ExperimentField.Id] : "") + "." + rest);
  }
};
