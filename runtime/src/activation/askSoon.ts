/**
 * Asks the pages that follow the document again with the next frame: it has changed, be it by the page or by us, who show what depends on
 * a page that has just become active.
 */

import { requestAnimationFrame } from "../builtins/requestAnimationFrame";
import { guarded } from "../guarded";
import { askAgain } from "./askAgain";
import { watchDocument } from "./watchDocument";

let isDue = false;

export const askSoon = (): void => {
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      guarded(() => askAgain("dom_changed"));
      // What conditions did to the document, as some libraries do when they look for something, is no news.
      watchDocument();
    });
  }
};
