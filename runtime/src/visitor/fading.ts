/**
 * What was not met for so long that it is the first to go: ids of experiments in `seenVariations` and keys of campaigns in `memory`
 * beyond the newest ones, until the visitor meets them again. Empty for all but very few visitors. Filled by loadVisitor.ts.
 */

export const fading = new Set<string | number>();
