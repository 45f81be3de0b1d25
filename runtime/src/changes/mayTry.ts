/**
 * Whether a change may be applied to an element once more. An app that keeps taking it back is not fought for ever: after so many
 * times within a second we leave that element alone, and say so.
 */

import { warn } from "../warn";
import type { Trace } from "./Trace";

const TIMES_PER_SECOND_MAX = 10;

export const mayTry = (trace: Trace, element: Element): boolean => {
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
