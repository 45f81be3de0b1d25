/**
 * Keeps changes up while the page is built and rebuilt: one observer for the whole document notes that something moved, and all that
 * is in force is gone through at once, before the browser paints, but no more than once a frame. What the page's own code waits for
 * (waiting/observeSelector.ts) is looked for in the same pass. Without either nothing is observed.
 */

import type { ChangeConfig } from "../config";
import { selectorWatchers } from "../waiting/selectorWatchers";
import { applyChange } from "./applyChange";

let inForce: readonly ChangeConfig[] = [];
let isFrameTaken = false;
let isPassDue = false;

/**
 * Makes a pass the first time in a frame at once, so that nothing is seen that was not meant to be; then with the next frame. Without
 * campaigns there is nothing to keep up: the minifier must not find an observer that it could not drop.
 */
const observer = (__CAMPAIGNS__ &&
  new MutationObserver(() => {
    isPassDue = true;
    if (!isFrameTaken) {
      isFrameTaken = true;
      requestAnimationFrame(() => {
        isFrameTaken = false;
        passIfDue();
      });
      pass();
    }
  })) as MutationObserver;

/** From now on, these changes and no others; those of before where only something else is to be looked for. */
export const keepUp = (changes = inForce): void => {
  inForce = changes;
  // The page's own scripts, which wait for this event, find the page as it shall be.
  document.addEventListener("DOMContentLoaded", passIfDue);
  pass();
};

const pass = (): void => {
  isPassDue = false;
  inForce = inForce.filter(applyChange);
  // What was noted until now is seen to, and what we did ourselves is no news.
  observer.disconnect();
  const isWaitedFor = __UTILS__ && selectorWatchers.size > 0;
  if (inForce.length > 0 || isWaitedFor) {
    observer.observe(document, {
      attributes: __CHANGE_ATTRIBUTE__ || __CHANGE_CLASS__ || __CHANGE_STYLE__ || isWaitedFor,
      characterData: true,
      childList: true,
      subtree: true,
    });
  }
  if (__UTILS__) {
    // What these do is news.
    selectorWatchers.forEach((look) => look());
  }
};

const passIfDue = (): void => {
  if (isPassDue) {
    pass();
  }
};
