/** Reads the argument of getDecisionString and getDecisionObject, and gathers what there is to describe. */

import type { DecisionConfig } from "../../types/index";
import { CampaignField, campaigns } from "../config";
import { itemById } from "../itemById";
import { campaignState } from "./campaignState";
import { cleanText } from "./cleanText";
import type { DecisionTexts } from "./DecisionTexts";

/** What analytics tools commonly take. */
const MAX_LENGTH = 255;

/** `null` if there is nothing to describe. Throws a TypeError for an argument that is a mistake. */
export const describeDecision = ({ campaignId, shouldCleanString, maxLength = MAX_LENGTH }: DecisionConfig): DecisionTexts | null => {
  if (typeof maxLength !== "number" || !(maxLength >= 0)) {
    throw new TypeError("maxLength is invalid");
  }
  const campaign = __CAMPAIGNS__ ? itemById(campaigns, campaignId) : undefined;
  const state = campaign && campaignState(campaign);
  if (!state?.experiment || !state.variation) {
    return null;
  }
  const isPersonalization = __PERSONALIZATION__ && campaign?.[CampaignField.IsPersonalization];
  if (__HOLDBACK__ && state.isInCampaignHoldback && !isPersonalization) {
    return null;
  }
  const own = isPersonalization ? [{ id: state.id, name: state.campaignName }] : [];
  return [
    [...own, state.experiment, state.variation].map(({ id, name }) => [
      (shouldCleanString ? cleanText : String)(name || ""),
      // An id is cleaned in any case; the parentheses are not.
      "(" + cleanText(id) + ")",
    ]),
    Math.floor(maxLength),
    ...((isPersonalization ? [state.isInCampaignHoldback] : []) as [boolean?]),
  ];
};
