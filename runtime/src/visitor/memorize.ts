/** Remembers something about the visitor, or forgets it with an empty text. `memory` lists what. */

import { memory } from "./memory";
import { recall } from "./recall";
import { visitor } from "./visitor";

export const memorize = (key: string, text: string): void => {
  if (recall(key) !== text) {
    visitor.isChanged = true;
    memory.set(key, text);
  }
};
