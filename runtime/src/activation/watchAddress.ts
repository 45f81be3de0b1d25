/**
 * Notices when the address changes while the page stays, as single-page apps do it, and then asks pages again: once the call that
 * changed it has returned, and never by looking at intervals.
 */

import { attempt } from "../browser/attempt";
import { Object } from "../browser/builtins";
import { guarded } from "../pageView/events";
import { askAgain } from "./pages";

/** `address`: the one that pages were asked about. */
export const watchAddress = (address: string): void => {
  const look = (): void => {
    if (address !== location.href) {
      address = location.href;
      guarded(() => askAgain("url_changed"));
    }
  };
  const noteChange = (): unknown => attempt(() => queueMicrotask(look));
  look();
  // A page may have a `navigation` of its own, and the browser's reports nothing to a page without an origin: both have no current entry.
  const isTold = attempt(() => {
    const { navigation } = window as unknown as { navigation: EventTarget & { currentEntry: unknown } };
    navigation.addEventListener("currententrychange", noteChange);
    return navigation.currentEntry;
  });
  if (isTold) {
    return;
  }
  // Older browsers tell of a step back or forward and of another fragment, but of nothing that the page does itself.
  attempt(() => {
    addEventListener("popstate", noteChange);
    addEventListener("hashchange", noteChange);
  });
  tellBefore("pushState", noteChange);
  tellBefore("replaceState", noteChange);
};

/**
 * Stands before the browser's method on this one object: its prototype stays as it is, and so does all that the method does, also what
 * another program of the page puts before the prototype's later. That may call this one in turn. A page's own `history` is left alone.
 */
const tellBefore = (name: "pushState" | "replaceState", tell: () => void): void => {
  attempt(() => {
    const { history } = window;
    const prototype = Object.getPrototypeOf(history) as History;
    const method = history[name];
    let isCalled = method !== prototype[name];
    if (String(history) === "[object History]") {
      history[name] = function (this: History, ...args) {
        tell();
        const wasCalled = isCalled;
        isCalled = true;
        try {
          return (wasCalled ? method : prototype[name]).apply(this, args);
        } finally {
          isCalled = wasCalled;
        }
      };
    }
  });
};
