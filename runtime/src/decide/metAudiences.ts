/** Lists the audiences the visitor is in, of those that a campaign's experiments name. */

import { isInAudience } from "../conditions/isInAudience";
import { AudienceField, audiences, CampaignField, ExperimentField } from "../config";
import type { AudienceTree, CampaignConfig } from "../config";

export const metAudiences = (campaign: CampaignConfig): number[] => {
  const places: number[] = [];
  for (const experiment of campaign[CampaignField.Experiments]) {
    const tree = experiment[ExperimentField.Audiences];
    if (tree) {
      collect(tree, places);
    }
  }
  return places.filter((place, at) => places.indexOf(place) === at && isInAudience(place)).map((place) => audiences[place][AudienceField.Id]);
};

const collect = (tree: AudienceTree | string, places: number[]): void => {
  if (typeof tree === "number") {
    places.push(tree);
  } else if (typeof tree === "object") {
    for (const operand of tree) {
      collect(operand, places);
    }
  }
};
