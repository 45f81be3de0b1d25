/** A winner that is shipped: all visitors get it whom the campaign is for. */

import { describe, expect, test } from "vitest";
import type { ExperimentConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, home } from "../support/project";

/** The same campaign, with the variation at this place for all visitors. */
const shipping = (place: number) => {
  const [id, name, pages, experiments, ...rest] = abTest();
  const [experimentId, experimentName, variations, audiences = 0, ends = 0, changes = []] = experiments[0];
  const experiment: ExperimentConfig = [experimentId, experimentName, variations, audiences, ends, changes, 0, place + 1];
  return { pages: [home], campaigns: [[id, name, pages, [experiment], ...rest] as unknown as ReturnType<typeof abTest>] };
};

describe("a shipped winner", () => {
  test.each([0, 1])("at place %i is given to all visitors, whatever was given earlier", async (place) => {
    const earlier = await openPage({ pages: [home], campaigns: [abTest()] });
    const before = Object.values(earlier.state.getVariationMap())[0];

    const { state } = await openPage(shipping(place));

    const [campaign] = Object.values(state.getCampaignStates());
    const [entry] = Object.values(state.getVariationMap());
    expect(campaign.isActive).toBe(true);
    expect(entry.index).toBe(place);
    expect(campaign.variation?.id).toBe(entry.id);
    expect(before).toBeDefined();
  });
});
