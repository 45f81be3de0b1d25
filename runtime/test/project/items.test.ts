/** What the project's configuration is asked for by id and by place. */

import { describe, expect, test } from "vitest";
import type { CampaignConfig, ExperimentConfig } from "../../src/project/config";
import { isPaused, itemById, placeOfVariation, variationIdAt } from "../../src/project/items";

const experiment: ExperimentConfig = [4001, 1, [5001, "Original", 5002, "Short", 0, 0, 5004, 0], 0, 0, [], [1]];

describe("an item", () => {
  const campaigns = [[3001], [3002]] as unknown as CampaignConfig[];

  test("is found by its id, be it a number or a text", () => {
    expect(itemById(campaigns, 3002)).toBe(campaigns[1]);
    expect(itemById(campaigns, "3002")).toBe(campaigns[1]);
  });

  test.each([["3003"], [""], [undefined], [null], ["3002 "], [Symbol("3002")]])("is not found by %s", (id) => {
    expect(itemById(campaigns, id)).toBeUndefined();
  });
});

describe("the place of a variation", () => {
  test.each([
    [5001, 0],
    [5002, 1],
    ["5002", 1],
    [5004, 3],
  ])("with the id %s is %i", (id, place) => {
    expect(placeOfVariation(experiment, id)).toBe(place);
  });

  test.each([[5003], ["Short"], [0], [""], [undefined], [NaN]])("is none for %s, a name or a missing one", (id) => {
    expect(placeOfVariation(experiment, id)).toBeLessThan(0);
  });
});

describe("the id of a variation", () => {
  test("is found by its place", () => {
    expect([0, 1, 2, 3].map((place) => variationIdAt(experiment, place))).toStrictEqual([5001, 5002, 0, 5004]);
  });

  test.each([[4], [-1], [NaN]])("is 0 at place %d, where there is none", (place) => {
    expect(variationIdAt(experiment, place)).toBe(0);
  });
});

describe("a variation", () => {
  test("is paused where the experiment says so", () => {
    expect(isPaused(experiment, 1)).toBe(true);
    expect(isPaused(experiment, 0)).toBe(false);
    expect(isPaused([4001, 1, [5001, "Original"]], 0)).toBe(false);
  });
});
