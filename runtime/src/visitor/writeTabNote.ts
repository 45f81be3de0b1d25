/** Leaves a note for the visitor's tab, or takes it away with an empty text. See tabNote.ts. */

import { attempt } from "../attempt";
import { memorize } from "./memorize";
import { storageKey } from "./storageKey";

/** @returns true if the browser stored it */
export const writeTabNote = (name: string, text: string): boolean | undefined => {
  memorize("tab", "1");
  return attempt(() => {
    sessionStorage.setItem(storageKey + name, text);
    return true;
  });
};
