/** Matomo: an event, which needs no plugin. */

import { callMatomo } from "./callMatomo";
import type { DecisionReport } from "./DecisionReport";

export const sendToMatomo = ({ experimentText, variationText }: DecisionReport): void =>
  callMatomo("trackEvent", "Experiment", experimentText, variationText);
