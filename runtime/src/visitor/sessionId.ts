/**
 * The id of the visitor's session, for integrations written for another product's interface: it goes on for as long as it is asked for at
 * least every half an hour. Nothing of it is kept where nobody asks.
 */

import { Date } from "../builtins/Date";
import { memorize } from "./memorize";
import { recall } from "./recall";
import { saveVisitor } from "./saveVisitor";
import { visitor } from "./visitor";

const IDLE_MS_MAX = 30 * 60 * 1000;

/** Empty while the snippet is switched off. */
export const sessionId = (): string => {
  if (!visitor.id) {
    return "";
  }
  const now = Date.now();
  const [start, last] = recall("sid").split(".").map(Number);
  const since = last && now - last < IDLE_MS_MAX ? start : now;
  // Once a minute is often enough.
  if (since === now || now - last > IDLE_MS_MAX / 30) {
    memorize("sid", since + "." + now);
    saveVisitor();
  }
  return visitor.id + "." + since;
};
