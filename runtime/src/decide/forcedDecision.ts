/**
 * The decision that `?experimentation_x=<variation ids>` asks for, for people who want to look at a variation. It passes over
 * audiences and holdback, lasts for the tab, and leaves campaigns alone that it does not name. See visitor/loadForced.ts.
 */

import { CampaignField } from "../config";
import type { CampaignConfig } from "../config";
import { forcedVariations } from "../visitor/forcedVariations";
import type { Decision } from "./Decision";
import { metAudiences } from "./metAudiences";
import { placeOfVariation } from "./placeOfVariation";

export const forcedDecision = (campaign: CampaignConfig): Decision | undefined => {
  for (const id of forcedVariations) {
    for (const experiment of campaign[CampaignField.Experiments]) {
      const variation = placeOfVariation(experiment, id);
      if (variation >= 0) {
        return { experiment, variation, isHeldBack: false, ...(__AUDIENCES__ && { audiences: metAudiences(campaign) }) };
      }
    }
  }
  return undefined;
};
