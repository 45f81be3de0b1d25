/** Which changes are in force. */

import { isCampaignOnPage } from "../pageView/activation";
import { emit } from "../pageView/events";
import { activePages } from "../pageView/pageView";
import { CampaignField, campaigns, ChangeField, ChangeKind, Deactivation, ExperimentField, PageField, pages } from "../project/config";
import type { CampaignConfig, ChangeConfig, ExperimentConfig } from "../project/config";
import { isEverybodyIn, variationIdAt } from "../project/items";
import { followRedirect } from "../redirect/followRedirect";
import { campaignDecidedData } from "../state/campaigns";
import { inOrder } from "./dependencies";
import { edited } from "./edited";
import { keepUp } from "./keepUp";
import { recordOf } from "./records";
import { undoChange } from "./undo";

/** The address from which a redirect is on its way. To start its navigation again would end the one before, on and on. */
let leavingFrom = "";

/**
 * Makes the page show the variations that the visitor is in. Called whenever campaigns are decided or pages turn active or inactive. What
 * is done to elements is kept up while it is in force: see `keepUp`.
 */
export const applyChanges = (): void => {
  const inForce: ChangeConfig[] = [];
  const applied: CampaignConfig[] = [];
  const undoable: ChangeConfig[] = [];
  let isLeaving: unknown = __CHANGE_REDIRECT__ && leavingFrom === location.href;
  campaigns.forEach((campaign) => {
    const decision = campaign.decision_;
    const experiment = decision?.experiment_ as ExperimentConfig;
    if (!decision || !(isEverybodyIn || experiment) || decision.variation_ < 0 || (__HOLDBACK__ && decision.isHeldBack_) || !isCampaignOnPage(campaign)) {
      return;
    }
    const variation = decision.variation_;
    const isEdited = __EDITOR__ && variationIdAt(experiment, variation) === edited.variationId;
    for (const list of [campaign[CampaignField.Changes], isEdited ? edited.changes : experiment[ExperimentField.Changes]?.[variation]]) {
      if (!list) {
        continue;
      }
      for (const change of __CHANGE_OPTIONS__ ? inOrder(list).filter(isOnActivePage) : list) {
        if (__CHANGE_REDIRECT__ && change[ChangeField.Kind] === ChangeKind.Redirect) {
          isLeaving ||= followRedirect(change, campaign, decision) && (leavingFrom = location.href);
        } else {
          inForce.push(change);
          if (__CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__) {
            recordOf(change).id_ = campaign[CampaignField.Id] + (list === campaign[CampaignField.Changes] ? "-" : ".") + list.indexOf(change);
          }
          if (__CHANGE_JAVASCRIPT__) {
            recordOf(change).decision_ = decision;
          }
          applied.push(campaign);
          if (__UNDO__ && isUndone(campaign)) {
            undoable.push(change);
          }
        }
      }
    }
  });
  if (__UNDO__ && !isLeaving) {
    undoPassed(undoable);
  }
  keepUp(isLeaving ? [] : inForce);
  if (!isLeaving) {
    applied.forEach(tellOnce);
  }
};

/** Changes of later elements are applied when these appear. */
const tellOnce = (campaign: CampaignConfig): void => {
  const decision = campaign.decision_;
  if (decision && !decision.isApplied_) {
    decision.isApplied_ = true;
    emit("applied", () => campaignDecidedData(campaign), "action");
  }
};

/** Changes that were in force at the last call, are no longer, and must be undone: the latest first. */
const undoPassed = (undoable: readonly ChangeConfig[]): void => {
  const passed = lastUndoable.filter((change) => !undoable.includes(change));
  passed.reverse().forEach(undoChange);
  lastUndoable = undoable;
};

let lastUndoable: readonly ChangeConfig[] = [];

/** Whether any page of the campaign wants its changes undone when it ends. */
const isUndone = (campaign: CampaignConfig): boolean => {
  const places = campaign[CampaignField.Pages];
  return (typeof places === "number" ? [places] : places).some((place) => Number(pages[place][PageField.Deactivation]) & Deactivation.UndoesChanges);
};

/** A change may be limited to one of the campaign's pages. */
const isOnActivePage = (change: ChangeConfig): boolean => {
  const page = change[ChangeField.Page];
  return !page || !!activePages[page - 1];
};
