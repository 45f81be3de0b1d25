/** What is remembered about the visitor over page views. */

import { ExperimentField } from "../project/config";
import type { ExperimentConfig } from "../project/config";

/**
 * What to remember about the visitor beside their variations (`seenVariations`), oldest first. Filled by loadVisitor.ts, changed through
 * `memorize`, and written back by saveVisitor.ts; where the browser refuses to store, it lasts for the page view. The keys:
 * - `c<campaign id>`: what its last decision was beside the variation, as `rememberDecision` writes it
 * - `g<group id>`: the campaign given in a group of mutually exclusive ones
 * - `a<attribute id>`: a custom attribute; by name where the project does not know it; both percent-encoded
 * - `ok`: set if the visitor consented to being remembered
 * - `utm`, `ref`, `dev`, `kind`, `ver`, `src`: what `noteVisitor` keeps of where the visitor was first seen, percent-encoded
 * - `ses`: whether this is the visitor's first session; see `noteSession`
 * - `sid`: when the session began, and when it was last asked for; see `sessionId`
 * - `b<name>`: when the visitor did something that a condition asks for; see `noteBehavior`
 * - `day`: when the cookie was last renewed, in days since 1970
 * - `domain`: the one that took the cookie
 * - `tab`: set if any tab of the visitor may have a note; see `tabNote` No `Map`, since pages have their own; without a prototype, it
 *   has nothing but what is in it.
 */
export const memory = { __proto__: null } as unknown as Record<string, string>;

/**
 * What was met in this page view and is not stored yet, by its key in `memory` or `seenVariations`: 1 where the same from another tab
 * stands before it, since it was first; 2 where it stands itself. Emptied by saveVisitor.ts.
 */
export const unsaved = { __proto__: null } as unknown as Record<string, 1 | 2>;

/** What is remembered about the visitor under a key of `memory`; empty for nothing. */
export const recall = (key: string): string => memory[key] || "";

/** Remembers something about the visitor, or forgets it with an empty text. `memory` lists what. `strength`: see `unsaved`. */
export const memorize = (key: string, text: string, strength: 1 | 2 = 2): void => {
  if (recall(key) !== text) {
    unsaved[key] = strength;
  }
  // What is met last stands last.
  delete memory[key];
  memory[key] = text;
};

/** The place is that in the experiment, and all there is to tell once the experiment is gone from the project. */
export interface SeenVariation {
  readonly id: number;
  readonly place: number;
}

/**
 * The variation of every experiment that the visitor was ever bucketed into, by the experiment's id with a minus before it, oldest first.
 * Filled by loadVisitor.ts, changed by `rememberVariation`, and written back by saveVisitor.ts. No `Map`, since pages have their own. Of
 * an object's keys, numbers from zero on would stand before all others.
 */
export const seenVariations = { __proto__: null } as unknown as Record<number, SeenVariation>;

/**
 * Takes down which variation of an experiment the visitor was given: the entry of the variation map. `place`: that of the variation in
 * its experiment.
 */
export const rememberVariation = (experimentId: number, id: number, place: number): void => {
  const seen = seenVariations[-experimentId] as SeenVariation | undefined;
  if (seen?.id !== id || seen.place !== place) {
    unsaved[-experimentId] = seen ? 2 : 1;
  }
  // What is met last stands last.
  delete seenVariations[-experimentId];
  seenVariations[-experimentId] = { id, place };
};

/** The id of the variation that the visitor was given in an experiment; `undefined` if none was. */
export const seenVariation = (experiment: ExperimentConfig): number | undefined =>
  (seenVariations[-experiment[ExperimentField.Id]] as SeenVariation | undefined)?.id;
