/** What was decided for one campaign and visitor. Made by decideCampaign.ts, kept by visitor/rememberDecision.ts. */

import type { ExperimentConfig } from "../config";

export interface Decision {
  /** `undefined` if the visitor is in none. */
  readonly experiment: ExperimentConfig | undefined;
  /** Place of the variation in the experiment; negative if the visitor is in none. */
  readonly variation: number;
  /** Bucketed, but shown nothing. */
  readonly isHeldBack?: boolean;
  /** Ids of the audiences the visitor was in, of those that the campaign's experiments name. */
  readonly audiences?: readonly number[];
  /** None of the campaign's pages is active any more: when one is again, the campaign is decided anew. */
  isOver?: boolean;
  /** Its changes are in force, and listeners were told so. */
  isApplied?: boolean;
}
