/** Tells the page's listeners that something happened. */

import { guarded } from "../guarded";
import { pageView } from "../pageView";

/** `data` is made anew for each listener, and only if there is one. A filter without a type, or without a name, lets all through. */
export const emit = (name: string, data: () => unknown, type = "lifecycle"): void => {
  for (const { filter, handler } of pageView.listeners) {
    const { type: wantedType = type, name: wantedName = name } = Object(filter) as { type?: unknown; name?: unknown };
    if (wantedType === type && wantedName === name) {
      guarded(() => handler({ type, name, data: data() }));
    }
  }
};
