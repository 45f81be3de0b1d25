/** Remembers something about the visitor, or forgets it with an empty text. `memory` lists what. */

import { memory } from "./memory";
import { recall } from "./recall";
import { unsaved } from "./unsaved";

/** `strength`: see unsaved.ts. */
export const memorize = (key: string, text: string, strength: 1 | 2 = 2): void => {
  if (recall(key) !== text) {
    unsaved[key] = strength;
  }
  // What is met last stands last.
  delete memory[key];
  memory[key] = text;
};
