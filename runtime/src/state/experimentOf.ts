/** The id and name of an experiment. */

import type { NameIdObject } from "../../types/index";
import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";
import { nameIdOf } from "./nameIdOf";

export const experimentOf = (experiment: ExperimentConfig, campaignName: string | null): NameIdObject => {
  const name = experiment[ExperimentField.Name];
  return nameIdOf(experiment[ExperimentField.Id], name === 1 ? campaignName : name);
};
