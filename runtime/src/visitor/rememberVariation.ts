/** Takes down which variation of an experiment the visitor was given: the entry of the variation map. */

import { memorize } from "./memorize";

/** `place`: that of the variation in its experiment. */
export const rememberVariation = (experimentId: string, variationId: string, place: number | string): void =>
  memorize("e" + experimentId, variationId + "." + place);
