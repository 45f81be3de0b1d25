/**
 * Finds out who the visitor is and what they were given earlier, with one look at the cookies and one at local storage.
 *
 * The stored entry is `version|visitor id|key:text,key:text…`. It is not JSON, since old libraries change how arrays and texts are
 * written as JSON. What it says belongs to its visitor: another id starts anew.
 */

import { attempt } from "../attempt";
import { visitorIdSource } from "../config";
import { createVisitorId } from "./createVisitorId";
import { decodePercent } from "./decodePercent";
import { idCookie } from "./idCookie";
import { memorize } from "./memorize";
import { memory } from "./memory";
import { namedVisitorId } from "./namedVisitorId";
import { storageKey } from "./storageKey";
import { visitor } from "./visitor";
import { writeIdCookie } from "./writeIdCookie";

const DAY_MS = 24 * 60 * 60 * 1000;

export const loadVisitor = (): void => {
  const [version, id, entries] = (attempt(() => localStorage.getItem(storageKey)) || "").split("|");
  const storedId = version === "1" && entries && decodePercent(id);
  const namedId = visitorIdSource && namedVisitorId(visitorIdSource);
  // The entry mirrors the id for browsers that drop cookies written by scripts, or refuse them.
  visitor.id = namedId || idCookie() || storedId || createVisitorId();
  if (storedId === visitor.id) {
    for (const entry of entries.split(",")) {
      const colon = entry.indexOf(":");
      memory.set(entry.slice(0, colon), entry.slice(colon + 1));
    }
  }
  memorize("day", String(Math.floor(Date.now() / DAY_MS)));
  // Once a day is enough for a cookie of 400 days, and spares other page views a slow write.
  if (!namedId && (visitor.isChanged || !idCookie())) {
    writeIdCookie(visitor.id);
  }
};
