/**
 * Notices when the address changes while the page stays, as single-page apps do it, and then asks pages again: once the call that
 * changed it has returned, and never by looking at intervals.
 */

import { attempt } from "../attempt";
import { askAgain } from "./askAgain";

export const watchAddress = (): void => {
  let address = location.href;
  const noteChange = (): void => {
    void Promise.resolve().then(() => {
      if (address !== location.href) {
        address = location.href;
        askAgain("url_changed");
      }
    });
  };
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) {
    navigation.addEventListener("currententrychange", noteChange);
    return;
  }
  // Older browsers tell of a step back or forward and of another fragment, but of nothing that the page does itself.
  addEventListener("popstate", noteChange);
  addEventListener("hashchange", noteChange);
  tellBefore("pushState", noteChange);
  tellBefore("replaceState", noteChange);
};

/** Stands before the browser's method on this one object: its prototype stays as it is, and so does all that the method does. */
const tellBefore = (name: "pushState" | "replaceState", tell: () => void): void => {
  const method = history[name];
  attempt(() => {
    history[name] = function (this: History, ...args) {
      tell();
      return method.apply(this, args);
    };
  });
};
