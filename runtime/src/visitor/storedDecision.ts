/** The last decision of a campaign for this visitor, from this or an earlier page view. rememberDecision.ts explains its form. */

import { CampaignField } from "../config";
import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";
import { placeOfVariation } from "../decide/placeOfVariation";
import { itemById } from "../itemById";
import { keepsRest } from "./keepsRest";
import { recall } from "./recall";
import { seenVariation } from "./seenVariation";

/** `undefined` if there was none. A variation or experiment that is gone from the project counts as none chosen. */
export const storedDecision = (campaign: CampaignConfig): Decision | undefined => {
  const experiments = campaign[CampaignField.Experiments];
  const rest = keepsRest && recall("c" + campaign[CampaignField.Id]);
  if (rest) {
    const [id, isHeldBack, isUnbucketed, ...audiences] = rest.split(".");
    const experiment = itemById(experiments, id);
    return {
      experiment,
      variation: experiment && !isUnbucketed ? placeOfVariation(experiment, seenVariation(experiment)) : -1,
      isHeldBack: !!isHeldBack,
      audiences: audiences.map(Number),
    };
  }
  const experiment = experiments[0];
  const seen = __PERSONALIZATION__ && campaign[CampaignField.IsPersonalization] ? undefined : seenVariation(experiment);
  return seen ? { experiment, variation: placeOfVariation(experiment, seen), isHeldBack: false } : undefined;
};
