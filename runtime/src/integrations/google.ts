/** Google Analytics 4, by Google's tag and by its tag manager. */

import { globalObject } from "../browser/globals";
import { gtagDataLayer, gtagTarget, gtmDataLayer } from "../project/config";
import type { DecisionReport } from "./report";

/** The event that Google Analytics 4 asks tools like this one to send; `experienceOf` has its parameters. */
const EXPERIENCE_EVENT = "experience_impression";

/** Google Analytics 4 by its own tag. */
export const sendToGtag = (report: DecisionReport): void =>
  callGtag("event", EXPERIENCE_EVENT, { ...experienceOf(report), ...(gtagTarget && { send_to: gtagTarget }) });

/** Google Tag Manager: the container's triggers wait for the event, its variables read the rest. */
export const sendToGtm = (report: DecisionReport): void => {
  dataLayer(gtmDataLayer).push({ event: EXPERIENCE_EVENT, ...experienceOf(report) });
};

/** Calls Google's tag. In its array a call is the `arguments` of a function; it takes nothing else for one. */
export const callGtag: (...call: unknown[]) => void = function () {
  dataLayer(gtagDataLayer).push(arguments);
};

/** The queue of one of Google's tags, which it reads whenever it loads. */
export const dataLayer = (name: string): unknown[] => globalObject(name, (): unknown[] => []);

/**
 * A decision as parameters of an event of Google Analytics 4. The first is the one that its audiences are made of, in the form
 * `tool-experiment-variant`: https://developers.google.com/analytics/devguides/collection/ga4/integration
 */
const experienceOf = ({ experiment, variation, experimentText_: experimentText, variationText_: variationText }: DecisionReport): Record<string, string> => {
  return {
    exp_variant_string: "assay-" + experiment.id + "-" + variation.id,
    experiment: experimentText,
    variation: variationText,
  };
};
