/** Takes down which variation of an experiment the visitor was given: the entry of the variation map. */

import { fading } from "./fading";
import { seenVariations } from "./seenVariations";
import { visitor } from "./visitor";

/** `place`: that of the variation in its experiment. */
export const rememberVariation = (experimentId: number, id: number, place: number): void => {
  const seen = seenVariations.get(experimentId);
  if (fading.delete(experimentId) || seen?.id !== id || seen.place !== place) {
    visitor.isChanged = true;
    // What is met last stands last.
    seenVariations.delete(experimentId);
    seenVariations.set(experimentId, { id, place });
  }
};
