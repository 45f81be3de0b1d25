/** The shapes and the meaning of what the state module returns, on the first page view and later ones. */

import { describe, expect, test } from "vitest";
import { openPage } from "../support/openPage";
import { abTest, everywhere, home, loyal, manualPage, personalization, urlContains } from "../support/project";

const second = { ends: [0, 10000] };
const nobody = { ends: [0, 0] };

describe("the state module", () => {
  test("describes a bucketed visitor of an A/B test", async () => {
    const { state } = await openPage({ pages: [home], campaigns: [abTest(second)] });

    expect(state.getCampaignStates()).toStrictEqual({
      "3001": {
        id: "3001",
        campaignName: "Hero text",
        experiment: { id: "4001", name: "Hero text" },
        variation: { id: "5002", name: "Short" },
        isActive: true,
        visitorRedirected: false,
        isInCampaignHoldback: false,
        audiences: [],
      },
    });
    expect(state.getExperimentStates()).toStrictEqual({
      "4001": {
        id: "4001",
        experimentName: "Hero text",
        audiences: [],
        variation: { id: "5002", name: "Short" },
        isActive: true,
        isInExperimentHoldback: false,
        visitorRedirected: false,
      },
    });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(state.getVariationMap()).toStrictEqual({ "4001": { id: "5002", name: "Short", index: 1 } });
    expect(state.getRedirectInfo()).toBeNull();
    expect(state.getDecisionString({ campaignId: "3001" })).toBe("Hero text(4001):Short(5002)");
    expect(state.getDecisionObject({ campaignId: 3001 })).toStrictEqual({
      experiment: "Hero text (4001)",
      variation: "Short (5002)",
    });
    expect(state.getActivationId()).toMatch(/^\d{13}$/);
  });

  test("knows nothing of a campaign whose pages never were active", async () => {
    const pages = [[2001, "other", 0, urlContains("/other")]] as const;

    const { state } = await openPage({ pages, campaigns: [abTest()] });

    expect(state.getCampaignStates()).toStrictEqual({});
    expect(state.getVariationMap()).toStrictEqual({});
    expect(state.getDecisionString({ campaignId: "3001" })).toBeNull();
  });

  test("shows a visitor beyond the weights as in the experiment, but in no variation", async () => {
    const { state } = await openPage({ pages: [home], campaigns: [abTest(nobody)] });

    expect(state.getCampaignStates()["3001"]).toMatchObject({
      experiment: { id: "4001" },
      variation: null,
      isActive: false,
    });
    expect(state.getExperimentStates()["4001"]).toMatchObject({ variation: null, isActive: false });
    expect(state.getVariationMap()).toStrictEqual({});
    expect(state.getActiveExperimentIds()).toStrictEqual([]);
  });

  test("shows a visitor outside of the audiences as in no experiment, under the experiment all the same", async () => {
    const campaigns = [abTest({ audiences: ["or", 0] })];

    const { state } = await openPage({ pages: [home], audiences: [loyal], campaigns });

    expect(state.getCampaignStates()["3001"]).toMatchObject({ experiment: null, variation: null, isActive: false, audiences: [] });
    expect(state.getExperimentStates()["4001"]).toMatchObject({ id: "4001", variation: null, isActive: false });
  });

  test("shows a visitor excluded by traffic allocation as active and bucketed, without a decision string", async () => {
    const { state } = await openPage({ pages: [home], campaigns: [abTest({ ...second, holdback: 10000 })] });

    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: true, isInCampaignHoldback: true });
    expect(state.getExperimentStates()["4001"]).toMatchObject({ isActive: true, isInExperimentHoldback: true });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(state.getVariationMap()).toHaveProperty("4001.id", "5002");
    expect(state.getDecisionString({ campaignId: "3001" })).toBeNull();
    expect(state.getDecisionObject({ campaignId: "3001" })).toBeNull();
  });

  test("shows a visitor whom the project holds back as held back by every campaign, and bucketed", async () => {
    const campaigns = [abTest(second), personalization({ priorities: [[0], [1]] })];

    const { state } = await openPage({ pages: [home], campaigns, projectHoldback: 10000 });

    expect(Object.keys(state.getCampaignStates({ isActive: true, isInCampaignHoldback: true }))).toStrictEqual(["3001", "3101"]);
    expect(state.getVariationMap()).toHaveProperty("4001.id", "5002");
    expect(state.getDecisionString({ campaignId: "3001" })).toBeNull();
    expect(state.getDecisionString({ campaignId: "3101" })).toMatch(/:holdback$/);
  });

  test("shows a visitor the variation that they ask for, also where the project holds all back", async () => {
    const project = { pages: [home], campaigns: [abTest()], projectHoldback: 10000 };

    const { state } = await openPage(project, { url: "https://www.shop.test/?experimentation_x=5002" });

    expect(state.getCampaignStates()["3001"]).toMatchObject({ variation: { id: "5002" }, isInCampaignHoldback: false });
  });

  test("describes a held-back visitor of a personalization, which no experiment state shows", async () => {
    const priorities = [[0], [1]];

    const { state } = await openPage({ pages: [home], campaigns: [personalization({ priorities, holdback: 10000 })] });

    expect(state.getExperimentStates()).toStrictEqual({});
    expect(state.getActiveExperimentIds()).toStrictEqual(["4101"]);
    expect(state.getDecisionString({ campaignId: "3101" })).toBe("Welcome(3101):Loyal(4101):Banner(5101):holdback");
    expect(state.getDecisionObject({ campaignId: "3101" })).toStrictEqual({
      experiment: "Loyal (4101)",
      variation: "Banner (5101)",
      campaign: "Welcome (3101)",
      holdback: true,
    });
  });

  test("names the audiences that the campaign refers to and the visitor is in", async () => {
    const project = { pages: [home], audiences: [loyal], campaigns: [personalization({ first: ["or", 0], priorities: [[0], [1]] })] };

    const { state } = await openPage(project, { url: "https://www.shop.test/?loyal=1" });

    expect(state.getCampaignStates()["3101"]).toMatchObject({
      experiment: { id: "4101", name: "Loyal" },
      audiences: [{ id: "6001", name: "Loyal" }],
    });
  });

  test("keeps every experiment of a personalization in the variation map", async () => {
    const project = { pages: [home], audiences: [loyal], campaigns: [personalization({ first: ["or", 0], priorities: [[0], [1]] })] };
    await openPage(project, { url: "https://www.shop.test/?loyal=1" });

    const { state } = await openPage(project);

    expect(Object.keys(state.getVariationMap())).toStrictEqual(["4101", "4102"]);
    expect(state.getActiveExperimentIds()).toStrictEqual(["4102"]);
    expect(state.getCampaignStates()["3101"]).toMatchObject({ experiment: { id: "4102" }, audiences: [] });
  });

  test("remembers campaigns of earlier pages as inactive", async () => {
    const pages = [[2001, "start", 0, urlContains("/start")]] as const;
    const campaigns = [abTest({ ...second, holdback: 10000, audiences: ["or", 0] }), personalization({ priorities: [[1]] })];
    const project = { pages, audiences: [loyal], campaigns };
    const first = await openPage(project, { url: "https://www.shop.test/start?loyal=1" });
    const before = first.state.getCampaignStates();

    const { state } = await openPage(project, { url: "https://www.shop.test/next" });

    expect(state.getCampaignStates()).toStrictEqual({
      "3001": { ...before["3001"], isActive: false },
      "3101": { ...before["3101"], isActive: false },
    });
    expect(state.getCampaignStates()["3001"]).toMatchObject({ isInCampaignHoldback: true, audiences: [{ id: "6001" }] });
    expect(state.getActiveExperimentIds()).toStrictEqual([]);
    expect(state.getDecisionString({ campaignId: "3101" })).toBe("Welcome(3101):Everyone(4102):Ribbon(5102)");
  });

  test("gives a campaign that is gone no state, while the map keeps its entry", async () => {
    await openPage({ pages: [home], campaigns: [abTest(second)] });

    const { state } = await openPage({ pages: [home] });

    expect(state.getCampaignStates()).toStrictEqual({});
    expect(state.getVariationMap()).toStrictEqual({ "4001": { id: "5002", name: null, index: 1 } });
  });

  test("has null for names that are not in the snippet", async () => {
    const { state } = await openPage({ pages: [[2001, "home", 0, everywhere]], campaigns: [[3001, 0, 0, [[4001, 0, [5001, 0]]]]] });

    expect(state.getPageStates()["2001"]).toMatchObject({ name: null, category: "other" });
    expect(state.getCampaignStates()["3001"]).toMatchObject({
      campaignName: null,
      experiment: { id: "4001", name: null },
      variation: { id: "5001", name: null },
    });
    expect(state.getDecisionString({ campaignId: "3001" })).toBe("(4001):(5001)");
  });

  test("shows pages with their conditions as written, their tags and metadata", async () => {
    const conditions = urlContains("shop");
    const tags = [["price", "product", ".price", "css_selector", "currency"]] as const;

    const { state } = await openPage({ pages: [[2001, "home", "Home", conditions, "landing", tags, { section: "front" }]] });

    expect(state.getPageStates()).toStrictEqual({
      "2001": {
        id: "2001",
        name: "Home",
        apiName: "home",
        category: "landing",
        staticConditions: conditions,
        tags: [
          {
            type: "tags",
            tags: {},
            category: "product",
            locator: ".price",
            valueType: "currency",
            locatorType: "css_selector",
            apiName: "price",
          },
        ],
        isActive: true,
        metadata: { section: "front" },
      },
    });
  });

  test("shows the text of a page's code, and no function", async () => {
    const conditions = [{ type: "custom_code", value: "return true", code: () => true }];

    const { state } = await openPage({ pages: [[2001, "home", "Home", conditions]] });

    expect(state.getPageStates()["2001"]).toMatchObject({ isActive: true });
    expect(state.getPageStates()["2001"].staticConditions).toStrictEqual([{ type: "custom_code", value: "return true" }]);
  });

  test("returns fresh objects that anyone may change", async () => {
    const { api, state } = await openPage({ pages: [home, manualPage], campaigns: [abTest()] });

    const pages = state.getPageStates();
    pages["2001"].staticConditions.push("changed");
    pages["2001"].metadata["changed"] = true;
    state.getCampaignStates()["3001"].audiences.push({ id: "1", name: null });

    expect(api.get("state")).not.toBe(state);
    expect(state.getPageStates()["2001"]).toMatchObject({ staticConditions: [], metadata: {} });
    expect(state.getCampaignStates()["3001"].audiences).toStrictEqual([]);
  });

  test("works detached", async () => {
    const { state } = await openPage({ pages: [home], campaigns: [abTest()] });

    for (const ask of Object.values(state)) {
      expect(ask.call(undefined, { campaignId: "3001" })).not.toBeUndefined();
    }
  });
});

describe("getDecisionString", () => {
  test.each([[undefined], [null]])("throws for %s", async (argument) => {
    const { state } = await openPage({ pages: [home], campaigns: [abTest()] });

    expect(() => state.getDecisionString(argument as never)).toThrow(TypeError);
    expect(() => state.getDecisionObject(argument as never)).toThrow(TypeError);
  });

  test.each([[{}], ["3001"], [{ campaignId: "4001" }]])("is null for %s", async (argument) => {
    const { state } = await openPage({ pages: [home], campaigns: [abTest()] });

    expect(state.getDecisionString(argument as never)).toBeNull();
    expect(state.getDecisionObject(argument as never)).toBeNull();
  });

  test("reports a bad maxLength before anything else", async () => {
    const { state } = await openPage({});

    expect(() => state.getDecisionString({ campaignId: "nope", maxLength: -1 })).toThrow(TypeError);
  });
});
