/** The map of all variations the visitor was ever given. */

import type { VariationIdName } from "../../types/index";
import { CampaignField, campaigns, ExperimentField } from "../project/config";
import type { Decision, ExperimentConfig } from "../project/config";
import { placeOfVariation } from "../project/items";
import { memory, seenVariation } from "../visitor/memory";
import { decisionOf } from "./campaigns";
import { variationOf } from "./names";

type VariationMap = Record<string, VariationIdName>;

/** `getVariationMap`: the variation of every experiment the visitor was ever bucketed into, also of those that are gone. */
export const getVariationMap = (): VariationMap => {
  const map: VariationMap = {};
  if (__CAMPAIGNS__) {
    addPresent(map);
  }
  for (const key in memory) {
    const experimentId = -key;
    if (experimentId > 0 && !(__CAMPAIGNS__ && map[experimentId])) {
      const [id, index] = memory[key].split(".").map((part) => +part);
      // Anything but numbers was not written by us.
      if (id > 0 && index >= 0) {
        map[experimentId] = { id: String(id), name: null, index };
      }
    }
  }
  return map;
};

/** Adds those that are still in the project, with their present names and indexes. */
const addPresent = (map: VariationMap): void => {
  for (const campaign of campaigns) {
    const decision = decisionOf(campaign);
    const experiments = campaign[CampaignField.Experiments];
    if (__PERSONALIZATION__) {
      for (const experiment of experiments) {
        addExperiment(map, experiment, decision);
      }
    } else {
      addExperiment(map, experiments[0], decision);
    }
  }
};

const addExperiment = (map: VariationMap, experiment: ExperimentConfig, decision: Decision | undefined): void => {
  // A forced variation is shown, too, though it is not remembered.
  const isDecided = decision?.experiment_ === experiment && decision.variation_ >= 0;
  const index = isDecided ? decision.variation_ : placeOfVariation(experiment, seenVariation(experiment));
  if (index >= 0) {
    map[experiment[ExperimentField.Id]] = { ...variationOf(experiment, index), index };
  }
};
