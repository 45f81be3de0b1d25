/** What the integrations are told about a decision. Made by sendDecisions.ts. */

import type { NameIdObject } from "../../types/index";

export interface DecisionReport {
  readonly experiment: NameIdObject;
  /** `holdback` in the place of both for a visitor who is held back of a personalization. */
  readonly variation: NameIdObject;
  /** Name and id in one text, as getDecisionObject writes it: what people read. */
  readonly experimentText: string;
  readonly variationText: string;
}
