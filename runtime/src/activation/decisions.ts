/** The decisions of this activation, made by decideCampaigns.ts. Those of earlier page views: visitor/storedDecision.ts. */

import { Map } from "../builtins/Map";
import type { CampaignConfig } from "../config";
import type { Decision } from "../decide/Decision";

export const decisions = /* @__PURE__ */ new Map<CampaignConfig, Decision>();
