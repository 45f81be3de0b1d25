/** `getDecisionObject`: a campaign's decision in one text for each part, for analytics tools. */

import type { DecisionConfig, DecisionObject } from "../../types/index";
import { describeDecision } from "./describeDecision";
import { formatDecisionObject } from "./formatDecisionObject";

export const getDecisionObject = (config: DecisionConfig): DecisionObject | null => {
  const texts = describeDecision(config);
  return __CAMPAIGNS__ ? texts && formatDecisionObject(texts) : null;
};
