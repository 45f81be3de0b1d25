/** Ids of the variations that the visitor's tab asked for. Filled by loadForcedVariations.ts. */

export const forcedVariations: string[] = [];
