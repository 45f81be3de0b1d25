/** Which audiences the visitor is in. */

import { guarded } from "../pageView/events";
import { audienceAnswers } from "../pageView/pageView";
import { AudienceField, audiences, CampaignField, ExperimentField } from "../project/config";
import type { AudienceTree, CampaignConfig, Condition } from "../project/config";
import { forcedAudiences } from "../visitor/forced";
import { evaluateTree } from "./tree";
import { holdsForVisitor } from "./visitorConditions";

/**
 * Whether the visitor is in an audience, given by its place in the project's list; `undefined` where it cannot be said. Asked once
 * for all campaigns that are decided together. Conditions that cannot be read make the audience not met.
 */
export const isInAudience = (place: number): boolean | undefined => {
  if (!(place in audienceAnswers)) {
    // The compiler refuses audiences that name each other in a circle; should one come, its visitors are in none of them.
    audienceAnswers[place] = __FORCE__ && forcedAudiences.includes(audiences[place][AudienceField.Id]);
    guarded(() => {
      audienceAnswers[place] ||= evaluateTree(audiences[place][AudienceField.Conditions], holdsOrIsIn);
    });
  }
  return audienceAnswers[place];
};

const holdsOrIsIn = (condition: Condition): boolean | undefined =>
  __CONDITION_AUDIENCE__ && condition.type === "audience" ? isInAudience(Number(condition.value)) : holdsForVisitor(condition);

/** Lists the audiences the visitor is in, of those that a campaign's experiments name. */
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
