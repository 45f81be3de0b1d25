/** `get("data")`: how the project was built. */

import type { CampaignData, Data } from "../../types/index";
import {
  AudienceField,
  audiences,
  CampaignField,
  campaigns,
  events,
  ExperimentField,
  groups,
  PageField,
  pages,
  projectId,
  revision,
} from "../project/config";
import type { AudienceTree, CampaignConfig, ExperimentConfig } from "../project/config";
import { isAliased } from "../project/items";
import { selected } from "./filter";
import { experimentOf, nameIdOf, variationOf } from "./names";
import { pageState } from "./pages";

/** `get("data")`: what the snippet was compiled from, as far as it is in the snippet. */
export const data = (): Data => {
  const project = { projectId, revision, ...(isAliased && { accountId: projectId }) };
  if (!__DATA__) {
    return project;
  }
  const allCampaigns = campaigns.map(campaignData);
  const experiments = allCampaigns.flatMap((campaign) => campaign.experiments);
  return {
    ...project,
    campaigns: byId(allCampaigns),
    experiments: byId(experiments),
    variations: byId(experiments.flatMap((experiment) => experiment.variations)),
    pages: selected(pages.keys(), pageState),
    audiences: __AUDIENCES__ ? selected(audiences, (audience) => nameIdOf(audience[AudienceField.Id], audience[AudienceField.Name])) : {},
    groups: __GROUPS__ ? selected(groups, ([id, campaignIds]) => ({ id: String(id), campaignIds: campaignIds.map(String) })) : {},
    ...(isAliased && {
      events: selected(events, ([id, apiName, name, category]) => ({ ...nameIdOf(id, name), apiName, category })),
    }),
  };
};

const byId = <S extends { id: string }>(items: readonly S[]): Record<string, S> => selected(items, (item) => item);

/** A campaign as `get("data")` shows it: how it was built, the same for every visitor. */
export const campaignData = (campaign: CampaignConfig): CampaignData => {
  const nameId = nameIdOf(campaign[CampaignField.Id], campaign[CampaignField.Name]);
  const isPersonalization = __PERSONALIZATION__ && campaign[CampaignField.IsPersonalization];
  const places = campaign[CampaignField.Pages];
  return {
    ...nameId,
    type: isPersonalization ? "personalization" : "ab_test",
    holdback: (__HOLDBACK__ && campaign[CampaignField.Holdback]) || 0,
    pageIds: (__CAMPAIGN_PAGES__ ? [places].flat() : [places as number]).map((place) => String(pages[place][PageField.Id])),
    ...(isAliased && {
      policy: isPersonalization ? "equal_priority" : "single_experiment",
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

/**
 * An experiment's audiences as integrations written for Optimizely's interface read them: by id, in their tree, and by name. `null`
 * for an experiment that everyone is in.
 */
const namedAudiences = (experiment: ExperimentConfig): { audienceIds: unknown; audienceName: string | null } => {
  const tree = experiment[ExperimentField.Audiences];
  const names: string[] = [];
  const idsOf = (operand: AudienceTree | string): unknown => {
    if (typeof operand === "number") {
      names.push(audiences[operand][AudienceField.Name] || String(audiences[operand][AudienceField.Id]));
      return String(audiences[operand][AudienceField.Id]);
    }
    return typeof operand === "string" ? operand : operand.map(idsOf);
  };
  const audienceIds = tree ? [idsOf(tree)].flat() : null;
  return { audienceIds, audienceName: names.join(", ") || null };
};
