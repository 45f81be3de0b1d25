/**
 * Deactivates one page. Campaigns that are on no other active page turn inactive, and their changes are no longer kept up; should
 * one of their pages be active again, they are decided anew.
 */

import { emit } from "../api/emit";
import { applyChanges } from "../changes/applyChanges";
import { pageState } from "../state/pageState";
import { activePages } from "./activePages";
import { decisions } from "./decisions";
import { isCampaignOnPage } from "./isCampaignOnPage";

export const deactivatePage = (place: number): void => {
  if (!activePages[place]) {
    return;
  }
  activePages[place] = undefined;
  emit("pageDeactivated", () => ({ page: pageState(place) }));
  if (__CAMPAIGNS__) {
    decisions.forEach((decision, campaign) => {
      decision.isOver ||= !isCampaignOnPage(campaign);
    });
  }
  if (__CHANGES__) {
    applyChanges();
  }
};
