/** `getCampaignStates`: all campaigns of the project that were decided for the visitor, now or on an earlier page. */

import type { CampaignState, Filter } from "../../types/index";
import { campaigns } from "../config";
import { campaignState } from "./campaignState";
import { selected } from "./selected";

export const getCampaignStates = (filter?: Filter<CampaignState>): Record<string, CampaignState> =>
  __CAMPAIGNS__ ? selected(campaigns.map(campaignState), filter) : {};
