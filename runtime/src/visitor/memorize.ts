/** Remembers something about the visitor, or forgets it with an empty text. `memory` lists what. */

import { memory } from "./memory";
import { recall } from "./recall";
import { visitor } from "./visitor";

export const memorize = (key: string, text: string): void => {
  visitor.isChanged ||= recall(key) !== text;
  // What is met last stands last.
  delete memory[key];
  memory[key] = text;
};
