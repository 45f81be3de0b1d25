/** Looks up what the project's configuration holds: by id, and by the place of a variation in its experiment. */

import { ExperimentField, globalAliases } from "./config";
import type { ExperimentConfig } from "./config";

/** The campaign, experiment or audience with an id, from a list of the project's configuration. Each has its id first. */
export const itemById = <Item extends { readonly 0: number }>(items: readonly Item[], id: unknown): Item | undefined =>
  items.find((item) => String(item[0]) === String(id));

/** The place of a variation in its experiment, from 0; negative if the experiment has no such variation (any more). */
export const placeOfVariation = (experiment: ExperimentConfig, variationId: string | number | undefined): number => {
  // Ids and names alternate; ids are the only numbers, except for the 0 of a missing name.
  const variations: readonly unknown[] = experiment[ExperimentField.Variations];
  return variations.indexOf(Number(variationId) || -1) / 2;
};

/**
 * The id of an experiment's variation; 0 for a place where there is none. Its list holds ids and names in turn; see `ExperimentConfig`.
 */
export const variationIdAt = (experiment: ExperimentConfig, place: number): number =>
  (experiment[ExperimentField.Variations][place * 2] as number | undefined) || 0;

/** Whether a variation is stopped: its visitors stay in it, and are held back. */
export const isPaused = (experiment: ExperimentConfig, variation: number): boolean =>
  (experiment[ExperimentField.Paused] || []).includes(variation);

/** Whether the global has other names, too: then integrations written for Optimizely's interface may read what no other code does. */
export const isAliased = __GLOBAL_ALIASES__ && globalAliases.length > 0;

/** Whether each campaign has an experiment for every visitor. */
export const isEverybodyIn = !__PERSONALIZATION__ && !__AUDIENCES__;
