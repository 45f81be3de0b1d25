/** The id and name of an experiment's variation. */

import type { NameIdObject } from "../../types/index";
import { ExperimentField } from "../config";
import type { ExperimentConfig } from "../config";
import { nameIdOf } from "./nameIdOf";

export const variationOf = (experiment: ExperimentConfig, place: number): NameIdObject => {
  const variations = experiment[ExperimentField.Variations];
  return nameIdOf(variations[place * 2], variations[place * 2 + 1]);
};
