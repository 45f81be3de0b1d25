/** `spec/vectors/decision-strings.json`, whole. */

import { describe, expect, test } from "vitest";
import vectors from "../../../spec/vectors/decision-strings.json";
import type { CampaignConfig } from "../../src/project/config";
import type { DecisionConfig } from "../../types/index";
import { openPage } from "../support/openPage";
import { home } from "../support/project";

const SPECIAL_VALUES: Record<string, unknown> = { undefined, NaN, Infinity, "-Infinity": -Infinity };

/** Values that JSON cannot hold. `about` in the vectors explains them. */
const revive = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return value;
  }
  const { $js, $utf16 } = value as { $js?: string; $utf16?: number[] };
  if ($js !== undefined) {
    return SPECIAL_VALUES[$js];
  }
  if ($utf16 !== undefined) {
    return String.fromCharCode(...$utf16);
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revive(inner)]));
};

const answerOf = (ask: () => unknown): unknown => {
  try {
    return ask();
  } catch (error) {
    return { $throws: (error as Error).name };
  }
};

describe("decision texts", () => {
  test.each(vectors.vectors.map((vector, place) => ({ place, vector })))("vector $place", async ({ vector }) => {
    const { campaign, experiment, variation } = vector;
    const name = (part: { name: unknown }) => (revive(part.name) || 0) as string;
    const isPersonalization = campaign.kind === "personalization" ? 1 : 0;
    const variations = [variation.id as unknown as number, name(variation)];
    const configured = [
      campaign.id,
      name(campaign),
      0,
      [[experiment.id, name(experiment), variations]],
      isPersonalization,
      vector.holdback ? 10000 : 0,
    ] as unknown as CampaignConfig;
    const { state } = await openPage({ pages: [home], campaigns: [configured] });

    const config = { ...(revive(vector.options) as object), campaignId: campaign.id } as DecisionConfig;

    expect(answerOf(() => state.getDecisionString(config))).toEqual(revive(vector.decisionString));
    expect(answerOf(() => state.getDecisionObject(config))).toEqual(revive(vector.decisionObject));
  });
});
