/** Turns pages active and inactive, and does what follows from it. */

import type { PageTags } from "../../types/index";
import { attempt } from "../browser/attempt";
import { requestAnimationFrame } from "../browser/builtins";
import { applyChanges } from "../changes/applyChanges";
import type { Tries } from "../changes/records";
import { mayOnceMore } from "../changes/restraint";
import { isPageMatched } from "../conditions/pageConditions";
import { sendExposures } from "../integrations/exposures";
import "../integrations/results";
import { tellPageviews } from "../integrations/siteEvents";
import { sendDecisions } from "../integrations/sendDecisions";
import { isCampaignOnPage, noteExposure } from "../pageView/activation";
import { emit, guarded } from "../pageView/events";
import { activePages, audienceAnswers, pageView } from "../pageView/pageView";
import { campaigns, Deactivation, PageField, pages } from "../project/config";
import { pageState } from "../state/pages";
import { countBehaviorEvent } from "../visitor/behavior";
import { saveSoon } from "../visitor/saveVisitor";
import { decideCampaigns } from "./campaigns";

/**
 * Activates those of the pages whose conditions hold, then decides, keeps and shows what depends on them. A page that is active already
 * only takes the tags. What conditions ask about the visitor is asked again: the page may have said more meanwhile, or set a cookie.
 */
export const activatePages = (places: readonly number[], tags?: PageTags): void => {
  if (pageView.isOff) {
    return;
  }
  if (__AUDIENCES__) {
    audienceAnswers.length = 0;
    pageView.cookies = undefined;
  }
  const activated = places.filter((place) => {
    const known = activePages[place];
    if (known || isPageMatched(place)) {
      activePages[place] = { ...known, ...tags };
    }
    return !known && activePages[place];
  });
  for (const place of activated) {
    emit("pageActivated", () => ({ page: pageState(place) }));
  }
  if (__CAMPAIGNS__) {
    decideCampaigns();
  }
  if (__CONDITION_BEHAVIOR__) {
    activated.forEach((place) => countBehaviorEvent("p" + pages[place][PageField.Id]));
  }
  saveSoon();
  if (__CHANGES__) {
    applyChanges();
  }
  if (__DOM_CHANGED__ && activated.length > 0) {
    askSoon();
  }
  if (__RESULTS__) {
    sendExposures();
  }
  if (__INTEGRATIONS__) {
    sendDecisions();
  }
  if (__RESULTS_PAGEVIEWS__ && !pageView.isLeft) {
    tellPageviews(activated);
  }
};

/**
 * Deactivates one page. Campaigns that are on no other active page turn inactive, and their changes are no longer kept up; should one of
 * their pages be active again, they are decided again.
 */
export const deactivatePage = (place: number): void => {
  if (!activePages[place]) {
    return;
  }
  activePages[place] = undefined;
  emit("pageDeactivated", () => ({ page: pageState(place) }));
  if (__CAMPAIGNS__) {
    campaigns.forEach((campaign) => {
      if (campaign.decision_) {
        campaign.decision_.isOver_ ||= !isCampaignOnPage(campaign);
      }
    });
  }
  if (__CHANGES__) {
    applyChanges();
  }
};

/** By place in `pages`: how often each ended with the document. Code that looks for what its own campaign takes away would never stop. */
const endings: Tries[] = [];

type Trigger = "url_changed" | "dom_changed";

/**
 * Asks the conditions of pages again after something changed while the page stayed: the address (`watchAddress`) or the document
 * (`watchDocument`). Pages that are to follow such changes turn active or inactive.
 */
export const askAgain = (trigger: Trigger): void => {
  if (pageView.isOff) {
    return;
  }
  const places = [...pages.keys()];
  // Pages that end come first: a campaign on both pages is decided again for the one that begins.
  for (const place of places.filter((each) => mayEnd(each, trigger))) {
    if (
      !isPageMatched(place) &&
      (!__DOM_CHANGED__ ||
        trigger === "url_changed" ||
        mayOnceMore((endings[place] ||= { count_: 0, since_: 0 }), pages[place][PageField.Key]))
    ) {
      deactivatePage(place);
    }
  }
  const waiting = places.filter((place) => pages[place][PageField.Activation] === trigger && !activePages[place]);
  if (waiting.length > 0) {
    noteExposure();
    activatePages(waiting);
  }
};

/** Any active page may end with an address, if it is to end with its conditions; only those that follow the document end with that. */
const mayEnd = (place: number, trigger: Trigger): unknown =>
  activePages[place] &&
  Number(pages[place][PageField.Deactivation]) & Deactivation.WithConditions &&
  (trigger === "url_changed" || pages[place][PageField.Activation] === trigger);

let isDue = false;

/**
 * Asks the pages that follow the document again with the next frame: it has changed, be it by the page or by us, who show what depends on
 * a page that has just become active.
 */
const askSoon = (): void => {
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      guarded(() => askAgain("dom_changed"));
      // Ignore changes that conditions made to the document, as some libraries do when they search it.
      watchDocument();
    });
  }
};

/**
 * Notices when the document changes, and then asks the pages that follow it again, but only while there is one that could turn active or
 * inactive: see `askSoon`. To be called whenever everything was asked anew.
 */
export const watchDocument = (): void => {
  documentObserver.disconnect();
  if ([...pages.keys()].some(follows)) {
    documentObserver.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  }
};

const documentObserver = (__DOM_CHANGED__ && attempt(() => new window.MutationObserver(() => askSoon()))) as MutationObserver;

const follows = (place: number): unknown =>
  mayEnd(place, "dom_changed") || (pages[place][PageField.Activation] === "dom_changed" && !activePages[place]);
