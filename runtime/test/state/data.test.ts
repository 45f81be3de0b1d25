/** `get("data")`: what the snippet was compiled from. */

import { expect, test } from "vitest";
import type { ExperimentConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, home, loyal, manualPage, personalization } from "../support/project";

test("data names everything in the snippet by id", async () => {
  const campaigns = [abTest({ pages: [0, 1], holdback: 500 }), personalization({ first: 0 })];
  const { api, state } = await openPage({ pages: [home, manualPage], audiences: [loyal], campaigns, groups: [[8001, [3001, 3101]]] });

  const { projectId, campaigns: byId, experiments, variations, pages, audiences, groups } = api.get("data");

  expect(projectId).toBe("1000");
  const hero = {
    id: "4001",
    name: "Hero text",
    campaignId: "3001",
    variations: [
      { id: "5001", name: "Original" },
      { id: "5002", name: "Short" },
    ],
  };
  expect(byId?.["3001"]).toStrictEqual({
    id: "3001",
    name: "Hero text",
    type: "ab_test",
    holdback: 500,
    pageIds: ["2001", "2002"],
    experiments: [hero],
  });
  expect(byId?.["3101"]).toMatchObject({ type: "personalization", holdback: 0, pageIds: ["2001"] });
  expect(Object.keys(experiments ?? {})).toStrictEqual(["4001", "4101", "4102"]);
  expect(experiments?.["4001"]).toStrictEqual(hero);
  expect(Object.keys(variations ?? {})).toStrictEqual(["5001", "5002", "5101", "5102"]);
  expect(pages).toStrictEqual(state.getPageStates());
  expect(audiences).toStrictEqual({ "6001": { id: "6001", name: "Loyal" } });
  expect(groups).toStrictEqual({ "8001": { id: "8001", campaignIds: ["3001", "3101"] } });
});

test("data names no archived variation", async () => {
  const hero = abTest({ ends: [0, 10000] });
  const [[id, name, [, , ...short], ...rest]] = hero[3];
  const experiment: ExperimentConfig = [id, name, [0, 0, ...short] as (string | number)[], ...rest];
  const { api } = await openPage({ pages: [home], campaigns: [[3001, "Hero text", 0, [experiment]]] });

  const { experiments, variations } = api.get("data");

  expect(experiments?.["4001"]?.variations).toStrictEqual([{ id: "5002", name: "Short" }]);
  expect(Object.keys(variations ?? {})).toStrictEqual(["5002"]);
});
