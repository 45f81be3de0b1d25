/** The id of an experiment's variation; 0 for a place where there is none. Its list holds ids and names in turn; see `ExperimentConfig`. */

import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";

export const variationIdAt = (experiment: ExperimentConfig, place: number): number =>
  (experiment[ExperimentField.Variations][place * 2] as number | undefined) || 0;
