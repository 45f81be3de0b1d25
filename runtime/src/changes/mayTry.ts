/**
 * Whether a change may be applied to an element once more. An app that keeps taking it back is not fought for ever: after so many
 * times within a second we leave that element alone, and say so.
 */

import { Date } from "../builtins/Date";
import { genuine } from "../genuine";
import { warn } from "../warn";
import { isArriving } from "./isArriving";
import type { Trace } from "./Trace";

const TIMES_PER_SECOND_MAX = 10;

export const mayTry = (trace: Trace, element: Element): boolean => {
  // The parser brings more of an element as often as it likes: it takes nothing back.
  if (trace.first && genuine(trace.first, "parentNode") === element && isArriving(element)) {
    return true;
  }
  const now = Date.now();
  if (trace.count <= TIMES_PER_SECOND_MAX && now - trace.since > 1000) {
    trace.count = 0;
    trace.since = now;
  }
  if (trace.count++ === TIMES_PER_SECOND_MAX) {
    warn("reverted too often, gave up:", element);
  }
  return trace.count <= TIMES_PER_SECOND_MAX;
};
