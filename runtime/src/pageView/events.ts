/** Events of the page view, and failures, which are events as well. */

import { warn } from "../browser/attempt";
import { pageView } from "./pageView";

/**
 * Sends an event to the page's listeners. `data` is built for each listener, and only if there is one. A filter without a
 * type, or without a name, lets all through.
 */
export const emit = (name: string, data: () => unknown, type = "lifecycle"): void => {
  for (const { filter, handler } of pageView.listeners) {
    const { type: wantedType = type, name: wantedName = name } = Object(filter) as { type?: unknown; name?: unknown };
    if (wantedType === type && wantedName === name) {
      guarded(() => handler({ type, name, data: data() }));
    }
  }
};

/**
 * Runs code whose failure must not reach the page, the member's own above all: what it throws is logged and told to listeners, and goes
 * no further.
 */
export const guarded = <T>(run: () => T): T | undefined => {
  try {
    return run();
  } catch (error) {
    warn(error);
    // A listener that fails on a `failed` event gets no event about its own failure.
    if (!isTelling) {
      isTelling = true;
      emit("failed", () => ({ error }));
      isTelling = false;
    }
  }
  return undefined;
};

let isTelling: unknown;
