/**
 * Whether the visitor is in an audience, given by its place in the project's list; `undefined` where it cannot be said. Asked once an
 * activation. Conditions that cannot be read make the audience not met.
 */

import { AudienceField, audiences } from "../config";
import type { Condition } from "../config";
import { guarded } from "../guarded";
import { forcedAudiences } from "../visitor/forcedAudiences";
import { evaluateTree } from "./evaluateTree";
import { holdsForVisitor } from "./holdsForVisitor";
import { knownAudiences } from "./knownAudiences";

export const isInAudience = (place: number): boolean | undefined => {
  if (!(place in knownAudiences)) {
    // The compiler refuses audiences that name each other in a circle; should one come, its visitors are in none of them.
    knownAudiences[place] = __FORCE__ && forcedAudiences.includes(audiences[place][AudienceField.Id]);
    guarded(() => {
      knownAudiences[place] ||= evaluateTree(audiences[place][AudienceField.Conditions], holdsOrIsIn);
    });
  }
  return knownAudiences[place];
};

const holdsOrIsIn = (condition: Condition): boolean | undefined =>
  __CONDITION_AUDIENCE__ && condition.type === "audience" ? isInAudience(Number(condition.value)) : holdsForVisitor(condition);
