/** What the site's tools may be told, and whether they may. */

import type { NameIdObject } from "../../types/index";
import { tracking } from "../pageView/pageView";
import { visitor } from "../visitor/visitor";

/** What the integrations are told about a decision. `sendDecisions` makes it. */
export interface DecisionReport {
  readonly experiment: NameIdObject;
  /** `holdback` for both if the visitor is held back from a personalization. */
  readonly variation: NameIdObject;
  /** Name and id in one text, as getDecisionObject writes it: what people read. */
  readonly experimentText: string;
  readonly variationText: string;
}

/** Whether the site's tools may be told anything about this visitor. */
export const mayTell = (): boolean => visitor.isKept && !tracking.isOff;
