/**
 * Takes down, once a page view, whether it belongs to the visitor's first session, as `1.minute` or `0.minute`: the minute, counted from
 * 1970, tells when the session goes on. Only what this browser has stored proves an earlier visit: the visitor's cookie may be the server's.
 */

import { Date } from "../builtins/Date";
import { memorize } from "./memorize";
import { recall } from "./recall";

/** Idle for longer, and the next page view begins another session. */
const IDLE_MINUTES_MAX = 30;

export const noteSession = (): void => {
  const now = Math.floor(Date.now() / 60000);
  const [isFirst, last] = recall("ses").split(".").map(Number);
  const isStillFirst = last ? isFirst && now - last <= IDLE_MINUTES_MAX : !recall("day");
  memorize("ses", (isStillFirst ? 1 : 0) + "." + now);
};
