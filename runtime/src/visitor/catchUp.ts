/**
 * Takes in what other tabs, and other origins of the site, did meanwhile: whatever they stored, and above all that the visitor refused.
 * Then nothing is stored or sent here any more either. Asked before anything is stored, and when another tab has.
 */

import { switchOff } from "../api/switchOff";
import { isConsentRequired } from "../config";
import { idCookie } from "./idCookie";
import { isRefused } from "./isRefused";
import { mergeEntry } from "./mergeEntry";
import { storedEntry } from "./storedEntry";
import { visitor } from "./visitor";

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
