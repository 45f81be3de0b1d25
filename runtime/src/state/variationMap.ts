/** The map of all variations the visitor was ever given. */

import type { VariationIdName } from "../../types/index";
import { CampaignField, campaigns, ExperimentField } from "../project/config";
import { placeOfVariation } from "../project/items";
import { memory } from "../visitor/memory";
import { decisionOf } from "./campaigns";
import { variationOf } from "./names";

type VariationMap = Record<string, VariationIdName>;

/** `getVariationMap`: the variation of every experiment the visitor was ever bucketed into, also of those that are gone. */
export const getVariationMap = (): VariationMap => {
  const map: VariationMap = {};
  for (const key in memory) {
    const [id, place] = memory[key].split(".").map(Number);
    // Anything but numbers was not written by us.
    if (-key > 0 && id > 0 && place >= 0) {
      map[-key] = { id: String(id), name: null, index: place };
    }
  }
  if (__CAMPAIGNS__) {
    nameVariations(map);
  }
  return map;
};

/** Adds present names and indexes to the variations that are still in the project. */
const nameVariations = (map: VariationMap): void => {
  for (const campaign of campaigns) {
    const decision = decisionOf(campaign);
    for (const experiment of campaign[CampaignField.Experiments]) {
      const id = experiment[ExperimentField.Id];
      // A forced variation is shown, too, though it is not remembered.
      const isDecided = decision?.experiment_ === experiment && decision.variation_ >= 0;
      const index = isDecided ? decision.variation_ : placeOfVariation(experiment, map[id]?.id);
      if (index >= 0) {
        map[id] = { ...variationOf(experiment, index), index };
      }
    }
  }
};
