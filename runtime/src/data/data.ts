/** `get("data")`: what the snippet was compiled from, as far as it is in the snippet. */

import type { Data } from "../../types/index";
import { isAliased } from "../api/isAliased";
import { AudienceField, audiences, campaigns, events, groups, pages, projectId, revision } from "../config";
import { nameIdOf } from "../state/nameIdOf";
import { pageState } from "../state/pageState";
import { selected } from "../state/selected";
import { campaignData } from "./campaignData";

export const data = (): Data => {
  const project = { projectId, revision, ...(isAliased && { accountId: projectId }) };
  if (!__DATA__) {
    return project;
  }
  const allCampaigns = campaigns.map(campaignData);
  const experiments = allCampaigns.flatMap((campaign) => campaign.experiments);
  return {
    ...project,
    campaigns: selected(allCampaigns, 0),
    experiments: selected(experiments, 0),
    variations: selected(
      experiments.flatMap((experiment) => experiment.variations),
      0,
    ),
    pages: selected([...pages.keys()].map(pageState), 0),
    audiences: selected(
      audiences.map((audience) => nameIdOf(audience[AudienceField.Id], audience[AudienceField.Name])),
      0,
    ),
    groups: selected(
      groups.map(([id, campaignIds]) => ({ id: String(id), campaignIds: campaignIds.map(String) })),
      0,
    ),
    ...(isAliased && {
      events: selected(
        events.map(([id, apiName, name, category]) => ({ ...nameIdOf(id, name), apiName, category })),
        0,
      ),
    }),
  };
};
