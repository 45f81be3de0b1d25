/** Writes the visitor's entry in local storage if anything changed. loadVisitor.ts explains its form. */

import { attempt } from "../attempt";
import { fading } from "./fading";
import { memory } from "./memory";
import { seenVariations } from "./seenVariations";
import { storageKey } from "./storageKey";
import { visitor } from "./visitor";

/** With ids of 16 digits these take 150 kB: far below what browsers give one site, far above what one visitor meets. */
const ENTRIES_MAX = 4000;

/** @returns false if there was something to write, and the browser refused it; what it stored before is still there then */
export const saveVisitor = (): boolean => {
  // Who was switched off meanwhile has no id, and nothing to store.
  if (!visitor.isChanged || !visitor.id) {
    return true;
  }
  const isFull = seenVariations.size + memory.size > ENTRIES_MAX;
  const texts: string[] = [];
  memory.forEach((text, key) => {
    if (text && !(isFull && fading.has(key))) {
      texts.push(key, text);
    }
  });
  const numbers: number[] = [];
  seenVariations.forEach(({ id, place }, experimentId) => {
    if (!(isFull && fading.has(experimentId))) {
      numbers.push(experimentId, id, place);
    }
  });
  attempt(() => {
    // Lists inside a list are joined with commas.
    localStorage.setItem(storageKey, ["2", encodeURIComponent(visitor.id), texts, numbers, ""].join("|"));
    visitor.isChanged = false;
  });
  return !visitor.isChanged;
};
