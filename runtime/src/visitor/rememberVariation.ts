/** Takes down which variation of an experiment the visitor was given: the entry of the variation map. */

import { seenVariations } from "./seenVariations";
import type { SeenVariation } from "./seenVariations";
import { unsaved } from "./unsaved";

/** `place`: that of the variation in its experiment. */
export const rememberVariation = (experimentId: number, id: number, place: number): void => {
  const seen = seenVariations[-experimentId] as SeenVariation | undefined;
  if (seen?.id !== id || seen.place !== place) {
    unsaved[-experimentId] = seen ? 2 : 1;
  }
  // What is met last stands last.
  delete seenVariations[-experimentId];
  seenVariations[-experimentId] = { id, place };
};
