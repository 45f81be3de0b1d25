/** What the snippet reports to the site's tools, and whether it may. */

import type { NameIdObject } from "../../types/index";
import { tracking } from "../pageView/pageView";
import type { Decision } from "../project/config";
import { visitor } from "../visitor/visitor";

/** A decision as integrations get it. `sendDecisions` makes it. */
export interface DecisionReport {
  readonly experiment: NameIdObject;
  /** `holdback` for both if the visitor is held back from a personalization. */
  readonly variation: NameIdObject;
  /** Name and id in one text, as getDecisionObject writes it: what people read. */
  readonly experimentText_: string;
  readonly variationText_: string;
}

/** Whether the snippet may report anything about this visitor to the site's tools. */
export const mayTell = (): boolean => visitor.isKept && !tracking.isOff;

/** Decisions for an id that turned out not to be the visitor's, of which nothing is reported: see `consent`. */
export const disowned: (Decision | undefined)[] = [];
