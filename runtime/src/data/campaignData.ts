/** A campaign as `get("data")` shows it: how it was built, whoever looks at it. */

import type { CampaignData } from "../../types/index";
import { isAliased } from "../api/isAliased";
import { CampaignField, ExperimentField, PageField, pages } from "../config";
import type { CampaignConfig } from "../config";
import { experimentOf } from "../state/experimentOf";
import { nameIdOf } from "../state/nameIdOf";
import { variationOf } from "../state/variationOf";
import { namedAudiences } from "./namedAudiences";

export const campaignData = (campaign: CampaignConfig): CampaignData => {
  const nameId = nameIdOf(campaign[CampaignField.Id], campaign[CampaignField.Name]);
  return {
    ...nameId,
    type: campaign[CampaignField.IsPersonalization] ? "personalization" : "ab_test",
    holdback: campaign[CampaignField.Holdback] || 0,
    pageIds: [campaign[CampaignField.Pages]].flat().map((place) => String(pages[place][PageField.Id])),
    ...(isAliased && {
      policy: campaign[CampaignField.IsPersonalization] ? "equal_priority" : "single_experiment",
      integrationSettings: {},
    }),
    experiments: campaign[CampaignField.Experiments].map((experiment) => {
      const ids = experiment[ExperimentField.Variations].filter((_, at) => at % 2 === 0);
      const variations = ids.map((_, place) => variationOf(experiment, place));
      return {
        ...experimentOf(experiment, nameId.name),
        campaignId: nameId.id,
        ...(isAliased && namedAudiences(experiment)),
        variations: __ARCHIVED_VARIATIONS__ ? variations.filter((_, place) => ids[place]) : variations,
      };
    }),
  };
};
