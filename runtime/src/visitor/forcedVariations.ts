/** Ids of the variations that the visitor's tab asked for. Filled by loadForced.ts. */

export const forcedVariations: number[] = [];
