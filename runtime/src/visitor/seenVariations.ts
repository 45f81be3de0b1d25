/**
 * The variation of every experiment that the visitor was ever bucketed into, by the experiment's id with a minus before it, oldest first. Filled by
 * loadVisitor.ts, changed by rememberVariation.ts, and written back by saveVisitor.ts.
 */

/** The place is that in the experiment, and all there is to tell once the experiment is gone from the project. */
export interface SeenVariation {
  readonly id: number;
  readonly place: number;
}

/** No `Map`, since pages have their own. Of an object's keys, numbers from zero on would stand before all others. */
export const seenVariations = { __proto__: null } as unknown as Record<number, SeenVariation>;
