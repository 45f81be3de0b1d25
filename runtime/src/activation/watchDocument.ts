/**
 * Notices when the document changes, and then asks the pages that follow it again, but only while there is one that could turn active
 * or inactive: see askSoon.ts.
 */

import { attempt } from "../attempt";
import { PageField, pages } from "../config";
import { activePages } from "./activePages";
import { askSoon } from "./askSoon";

/** To be called whenever everything was asked anew. */
export const watchDocument = (): void => {
  documentObserver.disconnect();
  if ([...pages.keys()].some(follows)) {
    documentObserver.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  }
};

const documentObserver = (__DOM_CHANGED__ && attempt(() => new window.MutationObserver(() => askSoon()))) as MutationObserver;

const follows = (place: number): boolean =>
  pages[place][PageField.Activation] === "dom_changed" &&
  (!activePages[place] || (Number(pages[place][PageField.Deactivation]) & 1) > 0);
