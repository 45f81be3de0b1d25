/** Writes the visitor's entry in local storage if anything changed. loadVisitor.ts explains its form. */

import { attempt } from "../attempt";
import { memory } from "./memory";
import { storageKey } from "./storageKey";
import { visitor } from "./visitor";

/** Experiments in ids of 16 digits take 80 kB: far below what browsers give one site, far above what one visitor meets. */
const ENTRIES_MAX = 2000;

/** @returns false if there was something to write, and the browser refused it */
export const saveVisitor = (): boolean => {
  // Who was switched off meanwhile has no id, and nothing to store.
  if (visitor.isChanged && visitor.id) {
    visitor.isChanged = false;
    const entries: string[] = [];
    memory.forEach((text, key) => text && entries.push(key + ":" + text));
    // The oldest go first.
    const kept = entries.slice(-ENTRIES_MAX).join(",");
    return !!attempt(() => {
      localStorage.setItem(storageKey, "1|" + encodeURIComponent(visitor.id) + "|" + kept);
      return true;
    });
  }
  return true;
};
