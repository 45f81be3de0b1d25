/**
 * Notices when the document changes, and then asks the pages that follow it again: once a frame at most, and only while there is one
 * that could turn active or inactive.
 */

import { PageField, pages } from "../config";
import { activePages } from "./activePages";
import { askAgain } from "./askAgain";

let isDue = false;

/** To be called whenever everything was asked anew. */
export const watchDocument = (): void => {
  if ([...pages.keys()].some(follows)) {
    documentObserver.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  }
};

const documentObserver = (__DOM_CHANGED__ &&
  new MutationObserver(() => {
    if (!isDue) {
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        documentObserver.disconnect();
        askAgain("dom_changed");
        watchDocument();
      });
    }
  })) as MutationObserver;

const follows = (place: number): boolean =>
  pages[place][PageField.Activation] === "dom_changed" &&
  (!activePages[place] || (Number(pages[place][PageField.Deactivation]) & 1) > 0);
