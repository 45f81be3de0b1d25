/** Who the visitor is, and whether anything may be kept of them. */

import { attempt } from "../browser/attempt";
import { beginActivation } from "../pageView/activation";
import { pageView } from "../pageView/pageView";
import { isConsentRequired } from "../project/config";
import { idCookie, optedOut } from "./cookies";
import { forgetMemory } from "./memory";
import { storageKey } from "./storedEntry";

/** The visitor. Their data is in `memory`. */
export const visitor = {
  /** Empty while the snippet is switched off. */
  id: "",
  /** Whether their data may be stored or sent: not while `isAnonymous`, nor while the snippet is switched off. */
  isKept: false,
  /** The cookie there was before ours that has yet to be written, renewed or looked for: see `settleCookie`. `undefined` once that is done. */
  unsettled_: undefined as string | undefined,
  /** Whether the project's source gave the id. */
  isNamed: false,
  /** Whether their cookie and local storage entry existed in this page view: only then their absence means a deletion. */
  hasCookie: false,
  hasEntry: false,
};

/**
 * Whether the visitor still has to consent, or their browser says that they do not. All is decided nevertheless, with an id that is gone
 * with the page. `loadVisitor` asks it, and everything else `visitor.isKept`; `consent` ends it.
 */
export const isAnonymous = (): boolean =>
  !(isConsentRequired && pageView.hasConsent) &&
  !!(
    isConsentRequired ||
    (__GPC__ && (navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl) ||
    (__DNT__ && navigator.doNotTrack === "1")
  );

/**
 * Whether the visitor opted out, or took their consent back, since this page view began: in another tab, or on another origin of the
 * site, of which only the cookie tells.
 */
export const isRefused = (): boolean => {
  pageView.cookies = undefined;
  return (!!isConsentRequired && visitor.hasCookie && !idCookie()) || idCookie() === optedOut;
};

/**
 * Switches the snippet off for this page view: nothing is known, active or kept up any more (see `keepUp`). What was changed
 * stays changed.
 */
export const switchOff = (): void => {
  if (__PAGES__) {
    beginActivation();
  }
  pageView.isOff = true;
  pageView.activationId = 0;
  if (__LANDINGS__) {
    pageView.landing = undefined;
  }
  visitor.id = "";
  visitor.isKept = false;
  visitor.unsettled_ = undefined;
  if (isConsentRequired) {
    // Should they consent once more: that there was an entry is no refusal in another tab.
    visitor.hasEntry = false;
  }
  forgetMemory();
};

/** Takes away all that is kept of the visitor on this origin beside the cookie. */
export const forgetVisitor = (): void => {
  attempt(() => localStorage.removeItem(storageKey));
  if (__FORCE__ && __CAMPAIGNS__) {
    attempt(() => tabNotes().forEach((name) => sessionStorage.removeItem(name)));
  }
};

const tabNotes = (): readonly string[] => Object.keys(sessionStorage).filter((name) => name.startsWith(storageKey + ":"));
