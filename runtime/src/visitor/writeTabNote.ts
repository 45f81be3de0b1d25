/** Leaves a note for the visitor's tab, or takes it away with an empty text. See tabNote.ts. */

import { attempt } from "../attempt";
import { memorize } from "./memorize";
import { storageKey } from "./storageKey";
import { visitor } from "./visitor";

export const writeTabNote = (name: string, text: string): void => {
  memorize("tab", "1");
  if (visitor.isKept) {
    attempt(() => sessionStorage.setItem(storageKey + name, text));
  }
};
