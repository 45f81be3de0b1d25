/** `getDecisionString`: a campaign's decision in one line, for analytics tools. */

import type { DecisionConfig } from "../../types/index";
import { describeDecision } from "./describeDecision";
import { formatDecisionString } from "./formatDecisionString";

export const getDecisionString = (config: DecisionConfig): string | null => {
  const texts = describeDecision(config);
  return __CAMPAIGNS__ ? texts && formatDecisionString(texts) : null;
};
