/** The visitor's data across page views. */

import { ExperimentField } from "../project/config";
import type { ExperimentConfig } from "../project/config";

/** Without a prototype it has nothing but what it is given. */
export const newTable = (): Record<string, string> => ({ __proto__: null }) as unknown as Record<string, string>;

/**
 * What to remember about the visitor, in the order in which it was first met. Filled by `loadVisitor`, changed through `memorize`, and
 * written back by `saveVisitor`; where the browser refuses to store, it lasts for the page view. No `Map`, since pages have their own.
 * Other programs of the site may have written what is stored. The keys:
 * - `-<experiment id>`: the variation that the visitor was given in any experiment ever, `id.place`. The place is that in the experiment
 *   when it was given, all there is to tell once the experiment is gone from the project. The id is below zero for one that the site chose
 *   and that is given only when the campaign is decided. The minus in the key keeps the order: numbers would be sorted
 * - `c<campaign id>`: what its last decision was beside the variation, as `rememberRest` writes it
 * - `g<group id>`: the campaign given in a group of mutually exclusive ones
 * - `a<attribute id>`: a custom attribute; by name where the project does not know it; both percent-encoded
 * - `ok`: set if the visitor consented to being remembered
 * - `utm`, `ref`, `dev`, `kind`, `ver`, `src`: what `noteVisitor` keeps of where the visitor was first seen, percent-encoded
 * - `ses`: whether this is the visitor's first session; see `noteSession`
 * - `sid`: when the session began, and when it was last asked for; see `sessionId`
 * - `b<name>`: when the visitor did something that a condition asks for; see `countBehaviorEvent`
 * - `day`: when the cookie was last renewed, in days since 1970
 * - `domain`: the one that took the cookie
 * - `x<experiment id>`: the last exposure that the server was told of, `variation id.day`
 * - `u`: what the server could not take, as JSON, percent-encoded; `integrations/eventQueue.ts` keeps it
 * - `tab`: set if any tab of the visitor may have a note; see `tabNote`
 */
export let memory = newTable();

/**
 * What was met in this page view and is not stored yet, by its key in `memory`: whether it wins where another tab has stored something
 * else. Emptied by `saveVisitor`.
 */
export let unsaved: Record<string, unknown> = newTable();

/** The last of these keys: all that has to be known without campaigns, where no other tab counts. */
export let lastUnsaved = "";

/** What was met is stored now, or not to be. */
export const forgetUnsaved = (): void => {
  if (__CAMPAIGNS__) {
    unsaved = newTable();
  } else {
    lastUnsaved = "";
  }
};

/** Nothing is known of the visitor any more. */
export const forgetMemory = (): void => {
  memory = newTable();
  unread = places = "";
  forgetUnsaved();
};

/** The visitor's values under a key of `memory`; empty for none. */
export const recall = (key: string): string => memory[key] || "";

/**
 * Remembers something about the visitor, or forgets it with an empty text. `memory` lists what. With `mayYield`, another tab that stored
 * something first is right, unless this replaces what was known before.
 */
export const memorize = (key: string, text: string, mayYield?: unknown): void => {
  const before = recall(key);
  if (before !== text) {
    if (__CAMPAIGNS__) {
      unsaved[key] = !mayYield || before;
    } else {
      lastUnsaved = key;
    }
    memory[key] = text;
  }
};

/** Takes in what is stored, to which other tabs may have added. `unsaved` says which of its values win. */
export const mergeStored = (entry: { readonly memory_: Record<string, string> }): void => {
  if (__CAMPAIGNS__) {
    const stored = entry.memory_;
    for (const key in unsaved) {
      if (memory[key] !== stored[key] && (unsaved[key] || !(key in stored))) {
        stored[key] = memory[key];
      } else {
        delete unsaved[key];
      }
    }
    memory = stored;
  } else {
    // What was told before the visitor was known.
    memory = Object.assign(entry.memory_, memory);
  }
  if (__MANY_CAMPAIGNS__) {
    unread = places = "";
  }
};

/**
 * Of many campaigns, what the visitor was given and `memory` does not hold yet, in its stored form: a page that asks only which variations they
 * are in, as most do, is answered by `places`.
 */
let unread = "";

/** By place in `campaigns`: a digit, the place of the variation that the visitor was given in its first experiment; or another character. */
let places = "";

/** The place in `campaigns` of the one that is decided next, by `places`; below zero for none. */
let asked = -1;

/** Says which campaign is decided next. */
export const askPlace = (campaignPlace: number): void => {
  asked = campaignPlace;
};

/** The place in `campaigns` that was said, once. */
export const takeAsked = (): number => {
  const campaignPlace = asked;
  asked = -1;
  return campaignPlace;
};

/** The place of the variation given in that campaign's first experiment; `NaN`, or no place, where `memory` has to tell. */
export const givenPlace = (campaignPlace: number): number => places.charCodeAt(campaignPlace) - 48;

/** Leaves unread what an entry was read without. */
export const leaveUnread = ({ unread: given = "", places: digits = "" }: { readonly unread?: string; readonly places?: string }): void => {
  unread = given;
  places = digits;
};

/** What was given is about to change: `memory` alone knows it from now on. */
export const forgetPlaces = (): void => {
  places = "";
};

/** Reads into `memory` what is still unread. */
export const readGiven = (): void => {
  const texts = unread;
  unread = "";
  addTexts(memory, texts);
};

/** Adds `key,text,key,text…` to a table. */
export const addTexts = (table: Record<string, string>, texts: string): void => {
  const pairs = texts.split(",");
  for (let at = 1; at < pairs.length; at += 2) {
    table[pairs[at - 1]] = pairs[at];
  }
};

/** Remembers which variation of an experiment the visitor was given: the entry of the variation map. */
export const rememberVariation = (experimentId: number, id: number, place: number): void =>
  memorize("-" + experimentId, id + "." + place, true);

/** The id of the variation that the visitor was given in an experiment; `NaN` if none was, and below zero if the site only chose one. */
export const seenVariation = (experiment: ExperimentConfig): number => {
  if (__MANY_CAMPAIGNS__ && unread) {
    readGiven();
  }
  return Number.parseInt(recall("-" + experiment[ExperimentField.Id]));
};
