/**
 * Makes the page show the variations that the visitor is in. Called whenever campaigns are decided or pages turn active or inactive.
 * What is done to elements is kept up while it is in force: see keepUp.ts.
 */

import { activePages } from "../activation/activePages";
import { decisions } from "../activation/decisions";
import { isCampaignOnPage } from "../activation/isCampaignOnPage";
import { CampaignField, ChangeField, ChangeKind, ExperimentField } from "../config";
import type { ChangeConfig } from "../config";
import { followRedirect } from "../redirect/followRedirect";
import { inOrder } from "./inOrder";
import { keepUp } from "./keepUp";

export const applyChanges = (): void => {
  const inForce: ChangeConfig[] = [];
  let isLeaving = false;
  decisions.forEach((decision, campaign) => {
    const { experiment, variation } = decision;
    if (!experiment || variation < 0 || (__HOLDBACK__ && decision.isHeldBack) || !isCampaignOnPage(campaign)) {
      return;
    }
    for (const list of [campaign[CampaignField.Changes], experiment[ExperimentField.Changes]?.[variation]]) {
      for (const change of __CHANGE_OPTIONS__ ? inOrder(list || []).filter(isOnActivePage) : list || []) {
        if (__CHANGE_REDIRECT__ && change[ChangeField.Kind] === ChangeKind.Redirect) {
          isLeaving = isLeaving || followRedirect(change, experiment, variation);
        } else {
          inForce.push(change);
        }
      }
    }
  });
  keepUp(isLeaving ? [] : inForce);
};

/** A change may be limited to one of the campaign's pages. */
const isOnActivePage = (change: ChangeConfig): boolean => {
  const page = change[ChangeField.Options]?.page;
  return page === undefined || !!activePages[page];
};
