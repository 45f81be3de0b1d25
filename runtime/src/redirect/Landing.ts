/** This page view as the end of a redirect. Made by takeLanding.ts. */

import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";

export interface Landing {
  readonly experimentId: string;
  readonly variationId: string;
  /** `document.referrer` before the first redirect of the chain. */
  readonly referrer: string;
  /** Ids of the variations whose redirects were followed on the way here, with dots between. */
  readonly chain: string;
  /** The campaign that redirected; left out if it is not in the project (any more). */
  readonly campaign?: CampaignConfig;
  /** What that campaign had decided. */
  readonly decision?: Decision;
}
