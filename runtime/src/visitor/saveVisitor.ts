/** Keeps the visitor's data in memory and in storage consistent, in this tab and in others. */

import { attempt } from "../browser/attempt";
import { Object } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { isPrerendered } from "../browser/prerendered";
import { guarded } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { CampaignField, campaigns, ExperimentField, isConsentRequired, isCookieRenewedByServer, revision } from "../project/config";
import { placeOfVariation } from "../project/items";
import { idCookie, writeIdCookie } from "./cookies";
import { keepsRest } from "./decisions";
import { forgetUnsaved, lastUnsaved, memory, mergeStored, newTable, readGiven, seenVariation, unsaved } from "./memory";
import { storageKey, storedEntry, UNREAD } from "./storedEntry";
import { forgetVisitor, isRefused, switchOff, visitor } from "./visitor";

/**
 * As many A/B tests as a project document can hold, so that one page view never has more. With ids of 16 digits they take 200 kB: far
 * below what browsers give one site.
 */
const ENTRIES_MAX = 5000;

/** The first time, it begins to listen to other tabs as well: browsers connect to them then, which takes up to a millisecond. */
const save = (): void => {
  // The visitor has not opened the page yet, and may never do so: then nothing was seen or done.
  if (__AUDIENCES__ && attempt(isPrerendered)) {
    attempt(() => addEventListener("prerenderingchange", save, true));
    return;
  }
  guarded(saveVisitor);
  if (__CAMPAIGNS__) {
    attempt(() => ["storage", "pageshow"].forEach((type) => addEventListener(type, hearOtherTab)));
  }
};

/** A page that is shown, at first or again as it was left, has heard nothing meanwhile. */
const hearOtherTab = ({ key, persisted }: Event & { key?: string | null; persisted?: boolean }): unknown =>
  (key && key !== storageKey) || guarded(() => syncWithOtherTabs(persisted));

/**
 * Saves once the document is there, or left, or has loaded for half a second: what is decided has to be kept, but no page has to wait for it.
 * Until then it is in `memory`, and the visitor's cookie holds the id from which the same decisions follow. Where the browser tells of nothing
 * later, it is now. Chromium does not say that a tab was closed while it loaded, and `document.open` drops listeners: timers go on.
 */
export const saveSoon = (): void => {
  const isLoading = __CAMPAIGNS__ && genuine(document, "readyState") === "loading";
  if (!isLoading || !attempt(() => (["DOMContentLoaded", "pagehide"].forEach((type) => addEventListener(type, save)), setTimeout(save, 500)))) {
    save();
  }
};

/**
 * Writes the visitor's entry in local storage if anything changed, with what other tabs have added, and the cookie where that is due.
 * `StoredEntry` explains its form.
 */
export const saveVisitor = (): void => {
  settleCookie();
  if (!(__CAMPAIGNS__ ? Object.keys(unsaved)[0] : lastUnsaved)) {
    return;
  }
  if (__CAMPAIGNS__) {
    syncWithOtherTabs();
  }
  if (!visitor.isKept) {
    return;
  }
  if (__MANY_CAMPAIGNS__) {
    readGiven();
  }
  if (__CAMPAIGNS__) {
    forgetOldest("-");
    if (__RESULTS__ || keepsRest) {
      forgetOldest("c");
    }
    if (__RESULTS__) {
      forgetOldest("x");
    }
  }
  attempt(() => {
    // What is forgotten takes no room: without campaigns, that is nothing.
    const texts = __CAMPAIGNS__ ? Object.entries(memory).filter(({ 1: text }) => text) : Object.entries(memory);
    // Lists inside a list are joined with commas.
    localStorage.setItem(storageKey, "2|" + encodeURIComponent(visitor.id) + "|" + (__MANY_CAMPAIGNS__ ? withPlaces(texts).join("|") : texts + "|"));
    visitor.hasEntry = true;
    forgetUnsaved();
  });
};

/** The texts with those last that the next page view can leave unread, and where these variations are. */
const withPlaces = (texts: readonly (readonly [key: string, text: string])[]): readonly unknown[] => {
  const isPlaced: Record<string, unknown> = newTable();
  const places = campaigns.map(({ [CampaignField.Experiments]: experiments }) => {
    // A personalization may have none.
    for (const experiment of experiments.slice(0, 1)) {
      const seen = seenVariation(experiment);
      const place = seen > 0 ? placeOfVariation(experiment, seen) : -1;
      if (place >= 0 && place < 10) {
        isPlaced["-" + experiment[ExperimentField.Id]] = true;
        return place;
      }
    }
    return "-";
  });
  const [placed, others] = [true, false].map((isLast) => texts.filter(({ 0: key }) => !!isPlaced[key] === isLast));
  return [others + UNREAD + placed, "", revision, places.join("")];
};

/**
 * Writes or renews the visitor's cookie where `loadVisitor` found that due, unless another tab, which came at the same
 * time, has written one meanwhile: then this is its visitor.
 */
const settleCookie = (): void => {
  if (visitor.unsettled_ != null) {
    pageView.cookies = undefined;
    if (idCookie() === visitor.unsettled_) {
      writeIdCookie(visitor.id);
    }
    visitor.unsettled_ = undefined;
    if (__CAMPAIGNS__ || isConsentRequired) {
      visitor.hasCookie = !!idCookie();
    }
  }
};

/** Drops what was given first. Who meets such an experiment again is given what their id says, mostly the same. */
const forgetOldest = (kind: string): void =>
  Object.keys(memory)
    .filter((key) => key[0] === kind)
    .slice(0, -ENTRIES_MAX)
    .forEach((key) => delete memory[key]);

/**
 * Takes in what other tabs, and other origins of the site, did meanwhile: whatever they stored, and above all that the visitor refused.
 * Then nothing is stored or sent here any more either. Asked before anything is stored, and when another tab has.
 */
export const syncWithOtherTabs = (isShownAgain?: unknown): void => {
  settleCookie();
  if (!visitor.isKept) {
    return;
  }
  const entry = storedEntry();
  // Consent is in the entry. Otherwise a page may have emptied its storage: only with the cookie is it gone for a reason.
  if (isRefused() || (visitor.hasEntry && !entry && (isConsentRequired || (visitor.hasCookie && !idCookie())))) {
    forgetVisitor();
    switchOff();
    return;
  }
  if (visitor.hasCookie) {
    const id = idCookie() || visitor.id;
    // Who was known in a page that is shown again was forgotten meanwhile, and its decisions are another visitor's. What the server writes for
    // who comes without a cookie gives way to the entry.
    if (isShownAgain && visitor.hasEntry && id !== visitor.id && !(isCookieRenewedByServer && id[0] === "0")) {
      switchOff();
      return;
    }
    // Two tabs came at once, and the other's cookie was the last, or the first.
    visitor.id = id;
  }
  if (entry && entry.id_ === visitor.id) {
    visitor.hasEntry = true;
    if (__MANY_CAMPAIGNS__) {
      entry.readAll?.();
    }
    mergeStored(entry);
  }
};
