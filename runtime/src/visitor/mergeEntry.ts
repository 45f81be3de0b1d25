/** Takes in what is stored of the visitor: other tabs may have stored more meanwhile. What is unsaved here stands, as unsaved.ts says. */

import { Object } from "../builtins/Object";
import { memory } from "./memory";
import { seenVariations } from "./seenVariations";
import type { StoredEntry } from "./storedEntry";
import { unsaved } from "./unsaved";

export const mergeEntry = (entry: StoredEntry): void => {
  merge(memory, entry.memory);
  merge(seenVariations, entry.seen);
};

/** What is met last stands last. */
const merge = (known: Record<string, unknown>, stored: Record<string, unknown>): void => {
  const met = { ...known };
  for (const key in known) {
    delete known[key];
  }
  Object.assign(known, stored);
  for (const { 0: key, 1: own } of Object.entries(met)) {
    const isOwn = (unsaved[key] || 0) > (key in stored ? 1 : 0);
    if (!isOwn || stored[key] === own) {
      delete unsaved[key];
    }
    delete known[key];
    if (isOwn || key in stored) {
      known[key] = isOwn ? own : stored[key];
    }
  }
};
