/** What the visitor said about being kept: consent, refusal, opting out. */

import { decideCampaign } from "../decide/campaign";
import { isLeftOut } from "../decide/groups";
import { correctReferrer } from "../integrations/correctReferrer";
import { disowned } from "../integrations/report";
import { sendExposures } from "../integrations/exposures";
import { sendDecisions } from "../integrations/sendDecisions";
import { pageView } from "../pageView/pageView";
import { campaigns, isConsentRequired, visitorIdSource } from "../project/config";
import { decisionOf } from "../state/campaigns";
import { idCookie, optedOut, writeIdCookie } from "../visitor/cookies";
import { loadVisitor } from "../visitor/loadVisitor";
import { memory, unsaved } from "../visitor/memory";
import { saveVisitor } from "../visitor/saveVisitor";
import { forgetVisitor, isAnonymous, switchOff, visitor } from "../visitor/visitor";
import { randomId } from "../visitor/visitorId";

/**
 * Handles the visitor's consent or refusal. It counts more than their browser's signal.
 *
 * Consent is stored with the rest, and deleted with it; a refusal is not stored.
 */
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
    // The snippet stays switched off for this page view; the next one must know.
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
  const before = visitor.id;
  pageView.hasConsent = true;
  loadVisitor();
  // Elsewhere variations are not counted, and the bytes are worth more.
  if ((__RESULTS__ || __INTEGRATIONS__) && visitor.id !== before) {
    disownDecisions();
  }
  saveVisitor();
  if (__INTEGRATIONS__ && __CHANGE_REDIRECT__) {
    correctReferrer();
  }
  if (__RESULTS__) {
    sendExposures();
  }
  if (__INTEGRATIONS__) {
    sendDecisions();
  }
};

/**
 * The visitor was known all along, by a cookie that could not be asked, and the decisions of this page view are those of the id that is
 * gone. Those that are not the visitor's own as well stay in the page until their campaigns are decided again, and are neither stored nor
 * told. What the site chose is kept.
 */
const disownDecisions = (): void => {
  for (const key in unsaved) {
    if (key[0] === "c" || (!unsaved[key] && /^[-g]/.test(key))) {
      [memory, unsaved].forEach((table) => delete table[key]);
    }
  }
  for (const campaign of campaigns) {
    const decision = decisionOf(campaign);
    const own = decideCampaign(campaign, true);
    const isOwn = decision?.variation_ === own.variation_ && decision.experiment_ === own.experiment_ && decision.isHeldBack_ === own.isHeldBack_;
    if (decision && isOwn && !(__GROUPS__ && isLeftOut(campaign))) {
      decideCampaign(campaign);
    } else {
      disowned.push(decision);
    }
  }
};

/** Deletes what is stored of a visitor who does not consent, except the mark of an opt-out, and switches the snippet off. */
export const refuse = (): void => {
  if (idCookie() !== optedOut) {
    writeIdCookie("");
  }
  forgetVisitor();
  switchOff();
};

/** Takes the visitor out of all experiments, for good, or lets them in again as a new visitor, from the next page view on at the latest. */
export const optOut = (isOut: boolean): void => {
  if (isOut) {
    writeIdCookie(optedOut);
    forgetVisitor();
    switchOff();
  } else if (idCookie() === optedOut) {
    // Other origins of the site may still keep who they were: with a new id, what these keep is another visitor's.
    writeIdCookie(isConsentRequired || visitorIdSource || isAnonymous() ? "" : randomId());
    forgetVisitor();
  }
};
