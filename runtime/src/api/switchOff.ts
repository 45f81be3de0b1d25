/** Switches the snippet off for this page view: nothing is known, active or kept up any more. What was changed stays changed. */

import { beginActivation } from "../activation/beginActivation";
import { keepUp } from "../changes/keepUp";
import { pageView } from "../pageView";
import { memory } from "../visitor/memory";
import { seenVariations } from "../visitor/seenVariations";
import { unsaved } from "../visitor/unsaved";
import { visitor } from "../visitor/visitor";

export const switchOff = (): void => {
  beginActivation();
  pageView.isOff = true;
  pageView.activationId = 0;
  if (__CAMPAIGNS__) {
    pageView.landing = undefined;
  }
  visitor.id = "";
  visitor.isKept = false;
  // Neither has anything that it was not given.
  for (const known of [memory, seenVariations, unsaved]) {
    for (const key in known) {
      delete known[key as never];
    }
  }
  // Other changes are done with at once, but for those that wait for others.
  if (__CHANGE_ELEMENT__ || __CHANGE_OPTIONS__) {
    keepUp([]);
  }
};
