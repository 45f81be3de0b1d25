/** Lists the audiences the visitor is in, of those that a campaign's experiments name. */

import { isInAudience } from "../conditions/isInAudience";
import { AudienceField, audiences, CampaignField, ExperimentField } from "../config";
import type { AudienceTree, CampaignConfig } from "../config";

export const metAudiences = (campaign: CampaignConfig): number[] => {
  const places = new Set<number>();
  for (const experiment of campaign[CampaignField.Experiments]) {
    const tree = experiment[ExperimentField.Audiences];
    if (tree) {
      collect(tree, places);
    }
  }
  const ids: number[] = [];
  places.forEach((place) => {
    if (isInAudience(place)) {
      ids.push(audiences[place][AudienceField.Id]);
    }
  });
  return ids;
};

const collect = (tree: AudienceTree | string, places: Set<number>): void => {
  if (typeof tree === "number") {
    places.add(tree);
  } else if (typeof tree === "object") {
    for (const operand of tree) {
      collect(operand, places);
    }
  }
};
