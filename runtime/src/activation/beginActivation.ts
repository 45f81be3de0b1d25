/** Starts an activation from nothing: no page is active, nothing is decided, all that can change is asked anew. */

import { Date } from "../builtins/Date";
import { forgetAnswers } from "../conditions/forgetAnswers";
import { pageView } from "../pageView";
import { activePages } from "./activePages";
import { decisions } from "./decisions";

export const beginActivation = (): void => {
  // Two activations within one millisecond must not share an id.
  pageView.activationId = Math.max(Date.now(), pageView.activationId + 1);
  activePages.length = 0;
  if (__CAMPAIGNS__) {
    decisions.forEach((_, campaign) => decisions.delete(campaign));
  }
  forgetAnswers();
};
