/** Writes the visitor's entry in local storage if anything changed, with what other tabs have added. storedEntry.ts explains its form. */

import { attempt } from "../attempt";
import { catchUp } from "./catchUp";
import { keepsRest } from "./keepsRest";
import { memory } from "./memory";
import { seenVariations } from "./seenVariations";
import { storageKey } from "./storageKey";
import { unsaved } from "./unsaved";
import { visitor } from "./visitor";

/**
 * As many A/B tests as a project document can hold, so that one page view never has more. With ids of 16 digits they take 200 kB: far
 * below what browsers give one site.
 */
const ENTRIES_MAX = 5000;

export const saveVisitor = (): void => {
  if (Object.keys(unsaved).length === 0) {
    return;
  }
  if (__CAMPAIGNS__) {
    catchUp();
  }
  if (!visitor.isKept) {
    return;
  }
  if (__CAMPAIGNS__) {
    forgetOldest(seenVariations, Object.keys(seenVariations));
  }
  if (keepsRest) {
    forgetOldest(
      memory,
      Object.keys(memory).filter((key) => key[0] === "c"),
    );
  }
  const texts = Object.entries(memory).filter(({ 1: text }) => text);
  const numbers = Object.entries(seenVariations).map(({ 0: key, 1: { id, place } }) => [-key, id, place]);
  attempt(() => {
    // Lists inside a list are joined with commas.
    localStorage.setItem(storageKey, ["1", encodeURIComponent(visitor.id), texts, numbers, ""].join("|"));
    visitor.hasEntry = true;
    for (const key in unsaved) {
      delete unsaved[key];
    }
  });
};

/** What was not met for the longest time goes first: this page view's own stand last. */
const forgetOldest = (known: Record<string, unknown>, keys: readonly string[]): void =>
  keys.slice(0, -ENTRIES_MAX).forEach((key) => delete known[key]);
