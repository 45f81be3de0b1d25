/** Whether a variation is stopped: who is in it stays in it, and is held back. */

import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";

export const isPaused = (experiment: ExperimentConfig, variation: number): boolean =>
  (experiment[ExperimentField.Paused] || []).includes(variation);
