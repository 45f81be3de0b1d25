/** Who the visitor is, at the start of a page view. */

import { pageView } from "../pageView/pageView";
import { isConsentRequired, isCookieRenewedByServer, visitorIdSource } from "../project/config";
import { today } from "./behavior";
import { idCookie, writeIdCookie } from "./cookies";
import { lastUnsaved, leaveUnread, memorize, mergeStored, unsaved } from "./memory";
import { noteSession } from "./session";
import { storedEntry } from "./storedEntry";
import { forgetVisitor, isAnonymous, visitor } from "./visitor";
import { randomId, namedVisitorId } from "./visitorId";

/**
 * Loads the visitor's id and earlier decisions, with one read of the cookies, one of local storage, and for a new visitor one cookie
 * written: each asks another process of the browser, and the page waits for it. The rest is for `saveVisitor`.
 *
 * The stored entry (`storedEntry`) belongs to its visitor: another id starts afresh.
 */
export const loadVisitor = (): void => {
  const entry = storedEntry();
  const storedId = entry && entry.id_;
  const namedId = visitorIdSource && namedVisitorId(visitorIdSource);
  if (__RESULTS__ && visitorIdSource) {
    visitor.isNamed = !!namedId;
  }
  // Withdrawing consent on another subdomain removes the cookie.
  if (isConsentRequired && storedId && storedId === (namedId || idCookie()) && entry.memory_.ok) {
    pageView.hasConsent = true;
  }
  visitor.isKept = !isAnonymous();
  // The entry mirrors the id for browsers that drop cookies written by scripts, or refuse them.
  visitor.id =
    namedId ||
    (visitor.isKept && ((!(isCookieRenewedByServer && storedId && idCookie()[0] === "0") && idCookie()) || storedId)) ||
    (isConsentRequired && visitor.id) ||
    randomId();
  if (!visitor.isKept) {
    // Also deletes what was stored before the browser sent its signal, or before consent was withdrawn on another subdomain.
    if (isConsentRequired ? entry && entry.memory_.ok : (__GPC__ || __DNT__) && (entry || idCookie())) {
      if ((__GPC__ || __DNT__) && !isConsentRequired) {
        writeIdCookie("");
      }
      forgetVisitor();
    }
    return;
  }
  if (entry && storedId === visitor.id) {
    visitor.hasEntry = true;
    // What is unread cannot be compared with what is new.
    const mayStayUnread = __MANY_CAMPAIGNS__ && !Object.keys(unsaved)[0];
    if (__MANY_CAMPAIGNS__ && !mayStayUnread) {
      entry.readAll?.();
    }
    mergeStored(entry);
    if (mayStayUnread) {
      leaveUnread(entry);
    }
  }
  if (isConsentRequired) {
    memorize("ok", pageView.hasConsent ? "1" : "");
  }
  if (__CONDITION_FIRST_SESSION__) {
    noteSession();
  }
  memorize("day", String(today()));
  // Once a day is enough for a cookie of 400 days, and spares other page views a slow write. What the server wrote lasts longer than
  // what we could write.
  if (!namedId && (isCookieRenewedByServer ? idCookie() !== visitor.id : (__CAMPAIGNS__ ? unsaved.day : lastUnsaved === "day") || !idCookie())) {
    visitor.unsettled_ = idCookie();
    if (!visitor.unsettled_) {
      writeIdCookie(visitor.id, true);
    }
  }
  if (__CAMPAIGNS__ || isConsentRequired) {
    visitor.hasCookie = idCookie() === visitor.id;
  }
};
