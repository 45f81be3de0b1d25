/** By place in `audiences`: whether the visitor is in it, once that was asked in this activation. */

export const knownAudiences: (boolean | undefined)[] = [];
