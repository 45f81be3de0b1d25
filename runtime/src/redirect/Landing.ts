/** This page view as the end of a redirect. Made by takeLanding.ts. */

import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";

export interface Landing {
  readonly experimentId: string;
  readonly variationId: string;
  /** `document.referrer` before the first redirect of the chain. */
  readonly referrer: string;
  /** Ids of the variations whose redirects were followed on the way here. */
  readonly chain: readonly string[];
  /** The campaign that redirected; `undefined` if it is gone from the project. */
  readonly campaign: CampaignConfig | undefined;
  /** What that campaign had decided. */
  readonly decision: Decision | undefined;
}
