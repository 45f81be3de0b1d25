/**
 * Asks the conditions of pages again after something changed while the page stayed: the address (watchAddress.ts) or the document
 * (watchDocument.ts). Pages that are to follow such changes turn active or inactive.
 */

import { forgetAnswers } from "../conditions/forgetAnswers";
import { isPageMatched } from "../conditions/isPageMatched";
import { PageField, pages } from "../config";
import { pageView } from "../pageView";
import { activatePages } from "./activatePages";
import { activePages } from "./activePages";
import { deactivatePage } from "./deactivatePage";

export type Trigger = "url_changed" | "dom_changed";

export const askAgain = (trigger: Trigger): void => {
  if (pageView.isOff) {
    return;
  }
  forgetAnswers();
  const places = [...pages.keys()];
  // Those that are left come first: a campaign on both pages is decided anew for the one that is reached.
  for (const place of places.filter((each) => mayEnd(each, trigger))) {
    if (!isPageMatched(place)) {
      deactivatePage(place);
    }
  }
  const waiting = places.filter((place) => pages[place][PageField.Activation] === trigger && !activePages[place]);
  if (waiting.length > 0) {
    activatePages(waiting);
  }
};

/** Any active page may end with an address, if it is to end with its conditions; only those that follow the document end with that. */
const mayEnd = (place: number, trigger: Trigger): boolean =>
  !!activePages[place] &&
  (Number(pages[place][PageField.Deactivation]) & 1) > 0 &&
  (trigger === "url_changed" || pages[place][PageField.Activation] === trigger);
