/** Ids of the audiences that the visitor's tab asked to count as being in. Filled by loadForced.ts. */

export const forcedAudiences: number[] = [];
