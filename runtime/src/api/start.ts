/** How a page view begins. */

import { activate } from "../activation/activate";
import { watchAddress } from "../activation/watchAddress";
import { queryParameter } from "../browser/address";
import { correctReferrer } from "../integrations/correctReferrer";
import { beginActivation } from "../pageView/activation";
import { emit, guarded } from "../pageView/events";
import { pageView } from "../pageView/pageView";
import { isConsentRequired, previewed, projectJavascript } from "../project/config";
import { takeAddressNote } from "../redirect/note";
import { takeLanding } from "../redirect/takeLanding";
import { idCookie, optedOut } from "../visitor/cookies";
import { noteVisitor } from "../visitor/firstSeen";
import { loadForced } from "../visitor/forced";
import { loadVisitor } from "../visitor/loadVisitor";
import { saveSoon } from "../visitor/saveVisitor";
import { forgetVisitor, switchOff } from "../visitor/visitor";
import { optOut, refuse } from "./consent";
import { push } from "./push";

/**
 * Everything that happens while the script element runs: when it is done, all is decided for the pages that are active by then.
 *
 * Commands that waited for us run in their order, but for two kinds that come before anything else: those that tell what may be stored,
 * and where, and listeners, since they want to hear it all. `activate` among them does nothing: all is activated anyway, once.
 */
export const start = (queue: readonly unknown[]): void => {
  beginActivation();
  const addressNote = __LANDINGS__ ? takeAddressNote() : "";
  queue.filter(isFirst).forEach(push);
  obeyVisitor();
  if (pageView.isOff) {
    return;
  }
  loadVisitor();
  if (__FORCE__ && __CAMPAIGNS__ && !(__PREVIEWED__ && previewed.length > 0)) {
    loadForced();
  }
  if (__LANDINGS__) {
    takeLanding(addressNote);
  }
  if (__AUDIENCES__) {
    noteVisitor();
  }
  if (__INTEGRATIONS__ && __CHANGE_REDIRECT__) {
    correctReferrer();
  }
  // It may push commands, which need the visitor, and one of them may be `disable`.
  if (projectJavascript) {
    guarded(projectJavascript);
    if (pageView.isOff) {
      return;
    }
  }
  emit("initialized", () => ({}));
  queue.filter((command) => !isFirst(command)).forEach(push);
  // What listens to an activation may move the address.
  const address = __URL_CHANGED__ ? location.href : "";
  activate();
  if (__URL_CHANGED__) {
    watchAddress(address);
  }
  // With pages, this was done when they were activated.
  if (!__PAGES__) {
    saveSoon();
  }
};

/**
 * By their first letters: `activate`, `addListener`, `consent`, `cookieDomain`, `disable` and `optOut`; no other command has one of these.
 * What cannot be read as text is logged, once for each look, and is none.
 */
const isFirst = (command: unknown): boolean | undefined =>
  guarded(() => /^[acdo]/.test((Object(command) as { type: string }).type));

/** What the visitor said, by the address too, or said on an earlier page, maybe of another origin. */
const obeyVisitor = (): void => {
  const isOptOut = queryParameter("experimentation_opt_out");
  if (isOptOut) {
    optOut(isOptOut !== "false");
  }
  if (isConsentRequired && pageView.hasRefused) {
    refuse();
  }
  if (idCookie() === optedOut) {
    forgetVisitor();
    switchOff();
  }
  if (queryParameter("experimentation_disable") === "true") {
    switchOff();
  }
};
