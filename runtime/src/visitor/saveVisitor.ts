/** Keeps what is remembered of the visitor and what is stored of them the same, in this tab and in others. */

import { attempt } from "../browser/attempt";
import { Object } from "../browser/builtins";
import { isConsentRequired } from "../project/config";
import { idCookie } from "./cookies";
import { keepsRest } from "./decisions";
import { memory, seenVariations, unsaved } from "./memory";
import { storageKey, storedEntry } from "./storedEntry";
import type { StoredEntry } from "./storedEntry";
import { isRefused, switchOff, visitor } from "./visitor";

/**
 * As many A/B tests as a project document can hold, so that one page view never has more. With ids of 16 digits they take 200 kB: far
 * below what browsers give one site.
 */
const ENTRIES_MAX = 5000;

/** Writes the visitor's entry in local storage if anything changed, with what other tabs have added. storedEntry.ts explains its form. */
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

/**
 * Takes in what other tabs, and other origins of the site, did meanwhile: whatever they stored, and above all that the visitor refused.
 * Then nothing is stored or sent here any more either. Asked before anything is stored, and when another tab has.
 */
export const catchUp = (): void => {
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
  if (entry && entry.id === visitor.id) {
    visitor.hasEntry = true;
    mergeEntry(entry);
  }
};

/** Takes in what is stored of the visitor: other tabs may have stored more meanwhile. What is unsaved here stands, as `unsaved` says. */
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
