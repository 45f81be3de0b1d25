/** What the functions of the state module return for a visitor who meets campaigns of every kind, and what filters let through. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, loyal, nobody, pageAt, personalization, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const SHOP = project({
  audiences: [loyal, nobody],
  pages: [
    home,
    pageAt("/other", { id: "1002", key: "other", name: "Other" }),
    pageAt("/", {
      id: "1009",
      key: "tagged",
      name: "Tagged",
      tags: [{ key: "headline", category: "other", locator: "h1", locator_type: "css_selector", value_type: "string" }],
    }),
  ],
  campaigns: [
    abTest(),
    abTest({ id: "4002", name: "AB no traffic", holdback: 10000 }),
    abTest({ id: "4004", name: "AB two", weights: [4000, 6000] }),
    personalization(),
    personalization({ id: "4007", name: "PZ held back", holdback: 10000 }),
    abTest({ id: "4009", name: "AB nobody", audiences: "nobody" }),
  ],
});

const ALL = ["4001", "4002", "4004", "4006", "4007", "4009"];
const EXPERIMENTS = ["24001", "24002", "24004", "24009"];
const PAGES = ["1001", "1002", "1009"];

const inShop = (story) =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await site.open();
    await story(site);
  });

test("each function tells the same decisions in its own way", () =>
  inShop(async (site) => {
    // The heading comes after the snippet: a tag's value is looked up whenever a caller asks.
    assert.deepEqual(
      await site.state(),
      stateOf(SHOP, {
        activePages: { 1001: {}, 1009: { headline: "Hello" } },
        campaigns: {
          4001: { experiment: "24001", variation: "314001" },
          4002: { experiment: "24002", variation: "314002", isHeldBack: true },
          4004: { experiment: "24004", variation: "324004" },
          4006: { experiment: "224006", variation: "324006" },
          4007: { experiment: "224007", variation: "324007", isHeldBack: true },
          4009: { experiment: null, variation: null },
        },
      }),
    );
  }));

test("the shapes are exactly those of the specification", () =>
  inShop(async (site) => {
    const said = await site.state();

    assert.deepEqual(said.getActiveExperimentIds, ["24001", "24002", "24004", "224006", "224007"]);
    assert.deepEqual(said.getCampaignStates["4007"], {
      id: "4007",
      campaignName: "PZ held back",
      experiment: { id: "224007", name: "Everyone else" },
      variation: { id: "324007", name: "Default banner" },
      isActive: true,
      visitorRedirected: false,
      isInCampaignHoldback: true,
      audiences: [],
    });
    assert.deepEqual(said.getExperimentStates["24009"], {
      id: "24009",
      experimentName: "AB nobody",
      audiences: [],
      variation: null,
      isActive: false,
      isInExperimentHoldback: false,
      visitorRedirected: false,
    });
    assert.deepEqual(said.getPageStates["1009"], {
      id: "1009",
      name: "Tagged",
      apiName: "tagged",
      category: "other",
      staticConditions: ["and", ["or", { type: "url", match: "simple", value: "http://www.shop.test/" }]],
      tags: [
        {
          type: "tags",
          tags: { headline: "Hello" },
          category: "other",
          locator: "h1",
          valueType: "string",
          locatorType: "css_selector",
          apiName: "headline",
        },
      ],
      isActive: true,
      metadata: { headline: "Hello" },
    });
    assert.deepEqual(said.getVariationMap["24004"], { id: "324004", name: "Green", index: 1 });
    assert.deepEqual(said.decisions["4007"], [
      "PZ held back(4007):Everyone else(224007):Default banner(324007):holdback",
      { experiment: "Everyone else (224007)", variation: "Default banner (324007)", campaign: "PZ held back (4007)", holdback: true },
    ]);
  }));

/** Keys of what a function returns for each filter, written as the page would write it. */
const keysFor = (site, name, filters) =>
  site.page.evaluate(
    ([called, sources]) =>
      sources.map((source) => Object.keys(window.experimentation.get("state")[called](Function(`return (${source})`)()))),
    [name, filters],
  );

const letsThrough = async (site, name, expected) => {
  const filters = Object.keys(expected);
  const found = await keysFor(site, name, filters);
  assert.deepEqual(Object.fromEntries(filters.map((filter, place) => [filter, found[place]])), expected);
};

test("a filter of campaigns sees the public state, to any depth and strictly", () =>
  inShop((site) =>
    letsThrough(site, "getCampaignStates", {
      "{isActive: true}": ["4001", "4002", "4004", "4006", "4007"],
      "{isActive: false}": ["4009"],
      "{isActive: 'true'}": [],
      "{isActive: 1}": [],
      "{}": ALL,
      "{isInCampaignHoldback: true}": ["4002", "4007"],
      "{isInExperimentHoldback: true}": [],
      "{campaignName: 'PZ'}": ["4006"],
      "{id: '4001'}": ["4001"],
      "{id: 4001}": [],
      "{variation: {name: 'Default banner'}}": ["4006", "4007"],
      "{experiment: {id: '224006'}}": ["4006"],
      "{variation: null}": ["4009"],
      "{audiences: []}": ALL,
      "{nope: 1}": [],
      "{nope: undefined}": [],
      "() => true": ALL,
      "() => false": [],
      "() => 1": ALL,
      "() => ''": [],
      "(state) => state.isActive": ["4001", "4002", "4004", "4006", "4007"],
      "(state) => state.isInCampaignHoldback": ["4002", "4007"],
      "(state, id) => id === '4004'": ["4004"],
      "(state) => state.variation && state.variation.name === 'Default banner'": ["4006", "4007"],
      "'isActive'": ["4001", "4002", "4004", "4006", "4007"],
      "['isActive', true]": [],
      null: ALL,
      undefined: ALL,
      0: ALL,
      "''": ALL,
      true: [],
      1: [],
    }),
  ));

test("a filter of experiments sees the public state, and A/B tests only", () =>
  inShop((site) =>
    letsThrough(site, "getExperimentStates", {
      "{isActive: true}": ["24001", "24002", "24004"],
      "{isActive: false}": ["24009"],
      "{}": EXPERIMENTS,
      "{isInExperimentHoldback: true}": ["24002"],
      "{isInCampaignHoldback: true}": [],
      "{experimentName: 'AB'}": ["24001"],
      "{variation: null}": ["24009"],
      "{id: '224006'}": [],
      "() => true": EXPERIMENTS,
      "(state) => state.isInExperimentHoldback": ["24002"],
      "'isActive'": ["24001", "24002", "24004"],
      null: EXPERIMENTS,
      true: [],
    }),
  ));

test("a filter of pages sees the public state", () =>
  inShop((site) =>
    letsThrough(site, "getPageStates", {
      "{isActive: true}": ["1001", "1009"],
      "{isActive: false}": ["1002"],
      "{}": PAGES,
      "{category: 'other'}": PAGES,
      "{name: 'Home'}": ["1001"],
      "{apiName: 'other'}": ["1002"],
      "{nope: 1}": [],
      "(page) => page.isActive": ["1001", "1009"],
      "(page, id) => id === '1002'": ["1002"],
      "(page) => page.tags.length": ["1009"],
      "'isActive'": ["1001", "1009"],
      "['name', 'Home']": [],
      null: PAGES,
      true: [],
    }),
  ));

test("an error of a filter reaches the caller", () =>
  inShop((site) => assert.rejects(keysFor(site, "getCampaignStates", ["() => { throw new TypeError('x') }"]), /TypeError: x/)));

test("the state module has the nine functions of the specification, works detached, and gives away nothing of its own", () =>
  inShop(async (site) => {
    const seen = await site.page.evaluate(() => {
      const { get } = window.experimentation;
      const { getCampaignStates, ...others } = get("state");
      getCampaignStates()["4001"].campaignName = "mine";
      for (const call of Object.values(others)) call({ campaignId: "4001" });
      return {
        names: Object.keys(get("state")),
        isFresh: get("state") !== get("state"),
        nameAfterwards: getCampaignStates()["4001"].campaignName,
        activationId: others.getActivationId(),
      };
    });

    assert.deepEqual(seen.names.sort(), [
      "getActivationId",
      "getActiveExperimentIds",
      "getCampaignStates",
      "getDecisionObject",
      "getDecisionString",
      "getExperimentStates",
      "getPageStates",
      "getRedirectInfo",
      "getVariationMap",
    ]);
    assert.equal(seen.isFresh, true);
    assert.equal(seen.nameAfterwards, "AB");
    assert.match(seen.activationId, /^\d{13}$/);
  }));

test("a campaign that is not the visitor's is not described, and a wrong argument is refused", () =>
  inShop(async (site) => {
    const answers = await site.page.evaluate(() => {
      const answer = (name, ...args) => {
        try {
          return window.experimentation.get("state")[name](...args);
        } catch (error) {
          return error.name;
        }
      };
      return ["getDecisionString", "getDecisionObject"].map((name) => [
        answer(name),
        answer(name, null),
        answer(name, {}),
        answer(name, "4001"),
        answer(name, { campaignId: "24001" }),
        answer(name, { campaignId: "4001", maxLength: -1 }),
        answer(name, { campaignId: "none", maxLength: "60" }),
        answer(name, { campaignId: 4001, maxLength: undefined }),
        answer(name, { campaignId: "4007", maxLength: 20 }),
      ]);
    });

    const refused = ["TypeError", "TypeError", null, null, null, "TypeError", "TypeError"];
    assert.deepEqual(answers[0], [...refused, "AB(24001):Original(314001)", "RangeError"]);
    assert.deepEqual(answers[1], [
      ...refused,
      { experiment: "AB (24001)", variation: "Original (314001)" },
      { experiment: "Everyone els(224007)", variation: "Default bann(324007)", campaign: "PZ held back (4007)", holdback: true },
    ]);
  }));
