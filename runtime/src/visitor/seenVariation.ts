/** The id of the variation that the visitor was given in an experiment; `undefined` if none was. */

import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";
import { seenVariations } from "./seenVariations";

export const seenVariation = (experiment: ExperimentConfig): number | undefined =>
  seenVariations.get(experiment[ExperimentField.Id])?.id;
