/**
 * Finds out who the visitor is and what they were given earlier, with one look at the cookies and one at local storage.
 *
 * The stored entry is `version|visitor id|key,text,key,text…|experiment,variation,place,experiment,variation,place…|`: what is in
 * `memory`, then what is in `seenVariations`. It is not JSON, since old libraries change how arrays and texts are written as JSON. What it
 * says belongs to its visitor: another id starts anew. What another version wrote, or what was cut off before its end, counts for nothing.
 */

import { attempt } from "../attempt";
import { isConsentRequired, isCookieRenewedByServer, visitorIdSource } from "../config";
import { pageView } from "../pageView";
import { createVisitorId } from "./createVisitorId";
import { decodePercent } from "./decodePercent";
import { forgetVisitor } from "./forgetVisitor";
import { idCookie } from "./idCookie";
import { isAnonymous } from "./isAnonymous";
import { memorize } from "./memorize";
import { memory } from "./memory";
import { namedVisitorId } from "./namedVisitorId";
import { noteSession } from "./noteSession";
import { seenVariations } from "./seenVariations";
import { storageKey } from "./storageKey";
import { today } from "./today";
import { visitor } from "./visitor";
import { writeIdCookie } from "./writeIdCookie";

export const loadVisitor = (): void => {
  const [version, id, texts, numbers, end] = (attempt(() => localStorage.getItem(storageKey)) || "").split("|");
  const storedId = version === "1" && end === "" && decodePercent(id);
  const namedId = visitorIdSource && namedVisitorId(visitorIdSource);
  // Who takes their consent back on another subdomain takes the cookie away.
  if (isConsentRequired && storedId && storedId === (namedId || idCookie()) && /^(?:[^,]*,[^,]*,)*ok,1(,|$)/.test(texts)) {
    pageView.hasConsent = true;
  }
  visitor.id = namedId || (isConsentRequired && visitor.id) || createVisitorId();
  if (isAnonymous()) {
    // What was kept before the browser spoke for the visitor goes, too.
    if ((__GPC__ || __DNT__) && !isConsentRequired && (version || idCookie())) {
      writeIdCookie("");
      forgetVisitor();
    }
    return;
  }
  visitor.isKept = true;
  // The entry mirrors the id for browsers that drop cookies written by scripts, or refuse them.
  visitor.id = namedId || (!(isCookieRenewedByServer && storedId && idCookie()[0] === "0") && idCookie()) || storedId || visitor.id;
  if (storedId === visitor.id) {
    recollect(texts.split(","), numbers.split(","));
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
  if (!namedId && (isCookieRenewedByServer ? idCookie() !== visitor.id : visitor.isChanged || !idCookie())) {
    writeIdCookie(visitor.id);
  }
};

/** Who consents only now was told and given things on this page already: these stand. */
const recollect = (texts: readonly string[], numbers: readonly string[]): void => {
  for (let at = 0; at < texts.length; at += 2) {
    memory[texts[at]] ??= texts[at + 1];
  }
  for (let at = 0; at < numbers.length; at += 3) {
    const experimentId = Number(numbers[at]);
    const id = Number(numbers[at + 1]);
    const place = Number(numbers[at + 2]);
    // Something else than three numbers was written by somebody else.
    if (experimentId > 0 && id > 0 && place >= 0 && !(isConsentRequired && seenVariations[-experimentId])) {
      seenVariations[-experimentId] = { id, place };
    }
  }
};
