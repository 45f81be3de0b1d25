/**
 * Takes in what the visitor said when asked whether anything may be kept of them. It counts more than what their browser says.
 *
 * That they consented is remembered with the rest, and goes with it; that they did not is not, since that would be kept.
 */

import { correctReferrer } from "../integrations/correctReferrer";
import { sendDecisions } from "../integrations/sendDecisions";
import { pageView } from "../pageView";
import { idCookie } from "../visitor/idCookie";
import { loadVisitor } from "../visitor/loadVisitor";
import { optedOut } from "../visitor/optedOut";
import { saveVisitor } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { refuse } from "./refuse";
import { switchOff } from "./switchOff";

export const consent = (isGiven: boolean): void => {
  if (!visitor.id && !pageView.isOff) {
    // A command that waited for us comes before the visitor is known: the last one counts.
    pageView.hasConsent = isGiven;
    pageView.hasRefused = !isGiven;
  } else if (!isGiven) {
    refuse();
  } else if (visitor.id) {
    allow();
  } else if (idCookie() !== optedOut) {
    // The snippet stays switched off for this page view; the next one shall know.
    pageView.hasConsent = true;
    loadVisitor();
    saveVisitor();
    switchOff();
  }
};

const allow = (): void => {
  if (pageView.hasConsent) {
    return;
  }
  pageView.hasConsent = true;
  loadVisitor();
  saveVisitor();
  if (__INTEGRATIONS__ && __CHANGE_REDIRECT__) {
    correctReferrer();
  }
  if (__INTEGRATIONS__) {
    sendDecisions();
  }
};
