/** Activates those of the pages whose conditions hold, then decides, keeps and shows what depends on them. */

import type { PageTags } from "../../types/index";
import { emit } from "../api/emit";
import { applyChanges } from "../changes/applyChanges";
import { isPageMatched } from "../conditions/isPageMatched";
import { PageField, pages } from "../config";
import { sendDecisions } from "../integrations/sendDecisions";
import { pageView } from "../pageView";
import { pageState } from "../state/pageState";
import { noteBehavior } from "../visitor/noteBehavior";
import { saveVisitor } from "../visitor/saveVisitor";
import { activePages } from "./activePages";
import { askSoon } from "./askSoon";
import { decideCampaigns } from "./decideCampaigns";

/** A page that is active already only takes the tags. */
export const activatePages = (places: readonly number[], tags?: PageTags): void => {
  if (pageView.isOff) {
    return;
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
    activated.forEach((place) => noteBehavior("p" + pages[place][PageField.Id]));
  }
  saveVisitor();
  if (__CHANGES__) {
    applyChanges();
  }
  if (__DOM_CHANGED__ && activated.length > 0) {
    askSoon();
  }
  if (__INTEGRATIONS__) {
    sendDecisions();
  }
};
