/** Ids and names as the state module shows them. */

import type { NameIdObject } from "../../types/index";
import { ExperimentField } from "../project/config";
import type { ExperimentConfig, Name } from "../project/config";

/** An id and a name as the state module shows them. */
export const nameIdOf = (id: number | string, name: number | string | null | undefined): NameIdObject => {
  return { id: String(id), name: (name as string) || null };
};

/** The id and name of an experiment. */
export const experimentOf = (experiment: ExperimentConfig, campaignName: Name | null): NameIdObject => {
  const name = experiment[ExperimentField.Name];
  return nameIdOf(experiment[ExperimentField.Id], name === 1 ? campaignName : name);
};

/** The id and name of an experiment's variation. */
export const variationOf = (experiment: ExperimentConfig, place: number): NameIdObject => {
  const variations = experiment[ExperimentField.Variations];
  return nameIdOf(variations[place * 2], variations[place * 2 + 1]);
};
