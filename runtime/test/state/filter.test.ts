/** What filters let through. */

import { describe, expect, test } from "vitest";
import { openPage } from "../support/openPage";
import { abTest, home, manualPage } from "../support/project";

const project = {
  pages: [home, manualPage],
  campaigns: [abTest({ ends: [0, 10000] }), abTest({ id: 3010, ends: [0, 10000], holdback: 10000 }), abTest({ id: 3020, ends: [0, 0] })],
};

describe("a filter of campaigns", () => {
  test.each([
    ["a property", { isActive: true }, ["3001", "3010"]],
    ["another", { isInCampaignHoldback: true }, ["3010"]],
    ["properties of properties", { variation: { id: "5002" } }, ["3001"]],
    ["null", { variation: null }, ["3020"]],
    ["nothing", {}, ["3001", "3010", "3020"]],
    ["another type", { isActive: "true" }, []],
    ["an unknown property", { nope: undefined }, []],
    ["a function", (campaign: { isActive: boolean }, id: string) => campaign.isActive && id !== "3010", ["3001"]],
    ["a name", "isInCampaignHoldback", ["3010"]],
    ["null itself", null, ["3001", "3010", "3020"]],
    ["an empty text", "", ["3001", "3010", "3020"]],
    ["true", true, []],
    ["a number", 1, []],
  ])("takes %s", async (_, filter, ids) => {
    const { state } = await openPage(project);

    expect(Object.keys(state.getCampaignStates(filter as never))).toStrictEqual(ids);
  });

  test("lets the caller have what a function throws", async () => {
    const { state } = await openPage(project);
    const fail = () => {
      throw new Error("mine");
    };

    expect(() => state.getCampaignStates(fail)).toThrow("mine");
  });
});

test("experiments and pages are filtered alike", async () => {
  const { state } = await openPage(project);

  expect(Object.keys(state.getExperimentStates({ isInExperimentHoldback: true }))).toStrictEqual(["4010"]);
  expect(Object.keys(state.getExperimentStates((experiment) => !experiment.variation))).toStrictEqual(["4020"]);
  expect(Object.keys(state.getPageStates({ isActive: false }))).toStrictEqual(["2002"]);
});
