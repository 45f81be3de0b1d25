/** Tells the page's listeners that something happened. */

import { guarded } from "../guarded";
import { listeners } from "./listeners";

const LIFECYCLE = "lifecycle";

/** `data` is made anew for each listener, and only if there is one. */
export const emit = (name: string, data: () => unknown): void => {
  for (const { filter, handler } of [...listeners]) {
    const { type = LIFECYCLE, name: wanted = name } = Object(filter) as { type?: unknown; name?: unknown };
    if (type === LIFECYCLE && wanted === name) {
      guarded(() => handler({ type: LIFECYCLE, name, data: data() }));
    }
  }
};
