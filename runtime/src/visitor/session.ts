/** Sessions of the visitor. */

import { Date } from "../browser/builtins";
import { memorize, recall } from "./memory";
import { saveVisitor } from "./saveVisitor";
import { visitor } from "./visitor";

/** Idle for longer, and the next page view begins another session. */
const IDLE_MINUTES_MAX = 30;

/**
 * Notes, once a page view, whether it belongs to the visitor's first session, as `1.minute` or `0.minute`: the minute, counted from
 * 1970, tells when the session goes on. Only what this browser has stored proves an earlier visit: the visitor's cookie may be the
 * server's.
 */
export const noteSession = (): void => {
  const now = Math.floor(Date.now() / 60000);
  const [isFirst, last] = recall("ses").split(".").map(Number);
  const isStillFirst = last ? isFirst && now - last <= IDLE_MINUTES_MAX : !recall("day");
  memorize("ses", (isStillFirst ? 1 : 0) + "." + now);
};

const IDLE_MS_MAX = 30 * 60 * 1000;

/**
 * The id of the visitor's session, for integrations written for Optimizely's interface: it goes on for as long as it is asked for at
 * least every half an hour. Nothing of it is kept on a page that does not ask. Empty while the snippet is switched off.
 */
export const sessionId = (): string => {
  if (!visitor.id) {
    return "";
  }
  const now = Date.now();
  const [start, last] = recall("sid").split(".").map(Number);
  const since = now - last < IDLE_MS_MAX ? start : now;
  // Once a minute is often enough.
  if (since === now || now - last > IDLE_MS_MAX / 30) {
    memorize("sid", since + "." + now);
    saveVisitor();
  }
  return visitor.id + "." + since;
};
