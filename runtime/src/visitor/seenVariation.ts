/** The id of the variation that the visitor was given in an experiment; empty if none was. */

import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";
import { recall } from "./recall";

export const seenVariation = (experiment: ExperimentConfig): string => recall("e" + experiment[ExperimentField.Id]).split(".")[0];
