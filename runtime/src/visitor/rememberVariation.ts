/** Takes down which variation of an experiment the visitor was given: the entry of the variation map. */

import { seenVariations } from "./seenVariations";
import { visitor } from "./visitor";

/** `place`: that of the variation in its experiment. */
export const rememberVariation = (experimentId: number, id: number, place: number): void => {
  const seen = seenVariations.get(experimentId);
  visitor.isChanged ||= seen?.id !== id || seen.place !== place;
  // What is met last stands last.
  seenVariations.delete(experimentId);
  seenVariations.set(experimentId, { id, place });
};
