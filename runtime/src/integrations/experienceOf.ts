/**
 * A decision as parameters of an event of Google Analytics 4. The first is the one that its audiences are made of, in the form
 * `tool-experiment-variant`: https://developers.google.com/analytics/devguides/collection/ga4/integration
 */

import type { DecisionReport } from "./DecisionReport";

export const experienceOf = ({ experiment, variation, experimentText, variationText }: DecisionReport): Record<string, string> => {
  return {
    exp_variant_string: "assay-" + experiment.id + "-" + variation.id,
    experiment: experimentText,
    variation: variationText,
  };
};
