/** A campaign as `get("data")` shows it: how it was built, whoever looks at it. */

import type { CampaignData } from "../../types/index";
import { CampaignField, ExperimentField, PageField, pages } from "../config";
import type { CampaignConfig } from "../config";
import { experimentOf } from "../state/experimentOf";
import { nameIdOf } from "../state/nameIdOf";
import { variationOf } from "../state/variationOf";

export const campaignData = (campaign: CampaignConfig): CampaignData => {
  const nameId = nameIdOf(campaign[CampaignField.Id], campaign[CampaignField.Name]);
  return {
    ...nameId,
    type: campaign[CampaignField.IsPersonalization] ? "personalization" : "ab_test",
    holdback: campaign[CampaignField.Holdback] || 0,
    pageIds: [campaign[CampaignField.Pages]].flat().map((place) => String(pages[place][PageField.Id])),
    experiments: campaign[CampaignField.Experiments].map((experiment) => {
      const ids = experiment[ExperimentField.Variations].filter((_, at) => at % 2 === 0);
      const variations = ids.map((_, place) => variationOf(experiment, place));
      return {
        ...experimentOf(experiment, nameId.name),
        campaignId: nameId.id,
        variations: __ARCHIVED_VARIATIONS__ ? variations.filter((_, place) => ids[place]) : variations,
      };
    }),
  };
};
