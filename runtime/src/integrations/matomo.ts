/** Matomo. */

import { globalObject } from "../browser/globals";
import type { DecisionReport } from "./report";

/** Matomo: an event, which needs no plugin. */
export const sendToMatomo = ({ experimentText_: experimentText, variationText_: variationText }: DecisionReport): void =>
  callMatomo("trackEvent", "Experiment", experimentText, variationText);

/** Calls a method of Matomo's tracker by its queue, which works before it loads and after. */
export const callMatomo = (...call: unknown[]): void => {
  globalObject("_paq", (): unknown[] => []).push(call);
};
