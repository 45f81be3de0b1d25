/**
 * Takes in what the visitor said when asked whether anything may be kept of them. It counts more than what their browser says.
 *
 * That they consented is remembered with the rest, and goes with it; that they did not is not, since that would be kept.
 */

import { correctReferrer } from "../integrations/correctReferrer";
import { sendDecisions } from "../integrations/sendDecisions";
import { pageView } from "../pageView";
import { forgetVisitor } from "../visitor/forgetVisitor";
import { loadVisitor } from "../visitor/loadVisitor";
import { saveVisitor } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { switchOff } from "./switchOff";

export const consent = (isGiven: boolean): void => {
  if (!isGiven) {
    forgetVisitor("");
    switchOff();
  } else if (!pageView.hasConsent) {
    pageView.hasConsent = true;
    // A command that waited for us comes before the visitor is known; one who is switched off is nobody.
    if (visitor.id) {
      loadVisitor();
      saveVisitor();
      if (__INTEGRATIONS__ && __CHANGE_REDIRECT__) {
        correctReferrer();
      }
      if (__INTEGRATIONS__) {
        sendDecisions();
      }
    }
  }
};
