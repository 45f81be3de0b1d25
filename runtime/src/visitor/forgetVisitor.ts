/** Takes away all that is kept of the visitor in this browser, but that they opted out. */

import { attempt } from "../attempt";
import { isConsentRequired } from "../config";
import { idCookie } from "./idCookie";
import { optedOut } from "./optedOut";
import { storageKey } from "./storageKey";
import { writeIdCookie } from "./writeIdCookie";

/** `mark`: what the cookie says from now on. */
export const forgetVisitor = (mark: string): void => {
  if (!isConsentRequired || idCookie() !== optedOut) {
    writeIdCookie(mark);
  }
  attempt(() => localStorage.removeItem(storageKey));
  if (isConsentRequired) {
    attempt(() => tabNotes().forEach((name) => sessionStorage.removeItem(name)));
  }
};

const tabNotes = (): readonly string[] => Object.keys(sessionStorage).filter((name) => name.startsWith(storageKey + ":"));
