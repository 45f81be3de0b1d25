/**
 * Keeps changes up while the page is built and rebuilt: one observer for the whole document notes that something moved, and all that
 * is in force is gone through at once, before the browser paints, but no more than once a frame. Without anything to keep up nothing
 * is observed.
 */

import type { ChangeConfig } from "../config";
import { applyChange } from "./applyChange";

let inForce: readonly ChangeConfig[] = [];
let observer: MutationObserver | undefined;
let isFrameTaken = false;
let isPassDue = false;

/** From now on, these changes and no others. */
export const keepUp = (changes: readonly ChangeConfig[]): void => {
  inForce = changes;
  observer ??= new MutationObserver(passOncePerFrame);
  // The page's own scripts, which wait for this event, find the page as it shall be.
  document.addEventListener("DOMContentLoaded", passIfDue);
  pass();
};

const pass = (): void => {
  isPassDue = false;
  inForce = inForce.filter(applyChange);
  // What was noted until now is seen to, and what we did ourselves is no news.
  observer?.disconnect();
  if (inForce.length > 0) {
    observer?.observe(document, {
      attributes: __CHANGE_ATTRIBUTE__ || __CHANGE_CLASS__ || __CHANGE_STYLE__,
      characterData: true,
      childList: true,
      subtree: true,
    });
  }
};

/** The first time in a frame at once, so that nothing is seen that was not meant to be; then with the next frame. */
const passOncePerFrame = (): void => {
  isPassDue = true;
  if (!isFrameTaken) {
    isFrameTaken = true;
    requestAnimationFrame(() => {
      isFrameTaken = false;
      passIfDue();
    });
    pass();
  }
};

const passIfDue = (): void => {
  if (isPassDue) {
    pass();
  }
};
