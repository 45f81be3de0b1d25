/** Plausible. */

import { globalObject } from "../browser/globals";
import type { DecisionReport } from "./report";

type Plausible = ((event: string, options: object) => void) & { q?: unknown[] };

/** Plausible: a custom event with properties. */
export const sendToPlausible = ({ experimentText_: experimentText, variationText_: variationText }: DecisionReport): void =>
  globalObject("plausible", queueing)("Experiment", {
    props: { experiment: experimentText, variation: variationText },
    // The event is not an interaction of the visitor.
    interactive: false,
  });

/** What Plausible's own loader puts there. */
const queueing = (): Plausible => {
  const plausible: Plausible = function () {
    (plausible.q ||= []).push(arguments);
  };
  return plausible;
};
