/** The id of the variation that the visitor was given in an experiment; `undefined` if none was. */

import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";
import { seenVariations } from "./seenVariations";
import type { SeenVariation } from "./seenVariations";

export const seenVariation = (experiment: ExperimentConfig): number | undefined =>
  (seenVariations[-experiment[ExperimentField.Id]] as SeenVariation | undefined)?.id;
