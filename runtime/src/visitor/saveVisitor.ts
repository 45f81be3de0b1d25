/** Keeps the visitor's data in memory and in storage consistent, in this tab and in others. */

import { attempt } from "../browser/attempt";
import { Object } from "../browser/builtins";
import { isConsentRequired } from "../project/config";
import { idCookie } from "./cookies";
import { keepsRest } from "./decisions";
import { empty, memory, Strength, unsaved } from "./memory";
import { storageKey, storedEntry } from "./storedEntry";
import type { StoredEntry } from "./storedEntry";
import { isRefused, switchOff, visitor } from "./visitor";

/**
 * As many A/B tests as a project document can hold, so that one page view never has more. With ids of 16 digits they take 200 kB: far
 * below what browsers give one site.
 */
const ENTRIES_MAX = 5000;

/** Writes the visitor's entry in local storage if anything changed, with what other tabs have added. `StoredEntry` explains its form. */
export const saveVisitor = (): void => {
  if (Object.keys(unsaved).length === 0) {
    return;
  }
  if (__CAMPAIGNS__) {
    syncWithOtherTabs();
  }
  if (!visitor.isKept) {
    return;
  }
  if (__CAMPAIGNS__) {
    forgetOldest("-");
    if (keepsRest) {
      forgetOldest("c");
    }
    if (__RESULTS__) {
      forgetOldest("x");
    }
  }
  const texts: string[] = [];
  const variations: (number | string)[] = [];
  for (const key in memory) {
    if (memory[key]) {
      if (-key > 0) {
        variations.push(-key, memory[key]);
      } else {
        texts.push(key, memory[key]);
      }
    }
  }
  attempt(() => {
    // Lists inside a list are joined with commas.
    localStorage.setItem(storageKey, ["1", encodeURIComponent(visitor.id), texts, variations, ""].join("|"));
    visitor.hasEntry = true;
    empty(unsaved);
  });
};

/** Drops what was not met for the longest time first: this page view's own come last. */
const forgetOldest = (kind: string): void =>
  Object.keys(memory)
    .filter((key) => key[0] === kind)
    .slice(0, -ENTRIES_MAX)
    .forEach((key) => delete memory[key]);

/**
 * Takes in what other tabs, and other origins of the site, did meanwhile: whatever they stored, and above all that the visitor refused.
 * Then nothing is stored or sent here any more either. Asked before anything is stored, and when another tab has.
 */
export const syncWithOtherTabs = (): void => {
  if (!visitor.isKept) {
    return;
  }
  const entry = storedEntry();
  // Consent is in the entry. Otherwise a page may have emptied its storage: only with the cookie is it gone for a reason.
  if (isRefused() || (visitor.hasEntry && !entry && (isConsentRequired || (visitor.hasCookie && !idCookie())))) {
    switchOff();
    return;
  }
  // Two tabs came at once, and the other's cookie was the last.
  if (visitor.hasCookie) {
    visitor.id = idCookie() || visitor.id;
  }
  if (entry && entry.id_ === visitor.id) {
    visitor.hasEntry = true;
    mergeEntry(entry);
  }
};

/** Merges the stored data of the visitor, to which other tabs may have added. Unsaved values win according to `Strength`. */
export const mergeEntry = ({ memory_: stored }: StoredEntry): void => {
  const own = Object.entries(memory);
  Object.assign(memory, stored);
  for (const { 0: key, 1: text } of own) {
    // Forgotten here, or in another tab: then it is `undefined`.
    const kept = unsaved[key] > (key in stored ? Strength.IfFirst : 0) ? text : stored[key];
    if (kept === stored[key]) {
      delete unsaved[key];
    }
    // The latest comes last.
    delete memory[key];
    memory[key] = kept;
  }
};
