/** `get("state")`: the state module. Each call makes a new object, so that nobody can change another's. */

import type { State } from "../../types/index";
import { getActivationId } from "./getActivationId";
import { getActiveExperimentIds } from "./getActiveExperimentIds";
import { getCampaignStates } from "./getCampaignStates";
import { getDecisionObject } from "./getDecisionObject";
import { getDecisionString } from "./getDecisionString";
import { getExperimentStates } from "./getExperimentStates";
import { getPageStates } from "./getPageStates";
import { getRedirectInfo } from "./getRedirectInfo";
import { getVariationMap } from "./getVariationMap";
import { explain } from "./explain";

export const state = (): State => {
  return {
    getActiveExperimentIds,
    getCampaignStates,
    getExperimentStates,
    getPageStates,
    getRedirectInfo,
    getVariationMap,
    getDecisionString,
    getDecisionObject,
    getActivationId,
    ...(__EXPLAIN__ && { explain }),
  };
};
