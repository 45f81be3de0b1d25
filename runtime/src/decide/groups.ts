/** Groups of mutually exclusive campaigns. */

import { CampaignField, groups } from "../project/config";
import type { CampaignConfig, GroupConfig } from "../project/config";
import { memorize, recall } from "../visitor/memory";
import { visitor } from "../visitor/visitor";
import { bucketOf, shareAt } from "./bucketing";
import { forcedDecision } from "./campaign";

/**
 * Whether a group of mutually exclusive campaigns leaves one of them out for the visitor: each visitor is given one campaign of a group,
 * and keeps it. Such a campaign is not decided at all. A variation that is asked for is decided all the same.
 */
export const isLeftOut = (campaign: CampaignConfig): boolean => {
  const id = campaign[CampaignField.Id];
  const group = groups.find(({ 1: campaignIds }) => campaignIds.includes(id));
  return !!group && chosenCampaign(group) !== id && !(__FORCE__ && forcedDecision(campaign));
};

/** The campaign given earlier, as long as it is in the group; `undefined` for a visitor beyond the shares. */
const chosenCampaign = ({ 0: id, 1: campaignIds, 2: ends }: GroupConfig): number | undefined => {
  const earlier = Number(recall("g" + id));
  if (campaignIds.includes(earlier)) {
    return earlier;
  }
  const chosen = campaignIds[shareAt(bucketOf(visitor.id + id, 1), campaignIds.length, ends)];
  if (chosen) {
    memorize("g" + id, String(chosen), true);
  }
  return chosen;
};
