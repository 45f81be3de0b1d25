/** The place of a variation in its experiment, from 0; negative if the experiment has no such variation (any more). */

import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";

export const placeOfVariation = (experiment: ExperimentConfig, variationId: string | number | undefined): number => {
  // Ids and names stand in turn; ids are the only numbers, but for the 0 of a missing name.
  const variations: readonly unknown[] = experiment[ExperimentField.Variations];
  return variations.indexOf(Number(variationId) || -1) / 2;
};
