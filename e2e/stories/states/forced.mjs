/** Variations and audiences that an address asks for, for people who want to look at them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, loyal, nobody, pageAt, personalization, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const SHOP = project({
  audiences: [loyal, nobody],
  pages: [
    { ...home, conditions: ["or", { type: "url", match: "simple", value: "http://www.shop.test/" }] },
    pageAt("/other", { id: "1002", key: "other" }),
  ],
  campaigns: [
    abTest(),
    abTest({ id: "4002", name: "AB no traffic", holdback: 10000 }),
    personalization(),
    abTest({ id: "4009", name: "AB nobody", audiences: ["or", "nobody", "loyal"], weights: [10000, 0] }),
    abTest({ id: "4004", name: "AB elsewhere", pages: ["other"] }),
  ],
});

const ORDINARY = {
  4001: { experiment: "24001", variation: "314001" },
  4002: { experiment: "24002", variation: "314002", isHeldBack: true },
  4006: { experiment: "224006", variation: "324006" },
  4009: { experiment: null, variation: null },
};

const expected = (campaigns, more = {}) => stateOf(SHOP, { activePages: { 1001: {} }, campaigns: { ...ORDINARY, ...campaigns }, ...more });

const inShop = (story) =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await story(site);
  });

test("a forced variation passes over bucketing, holdback and audiences, and leaves other campaigns alone", () =>
  inShop(async (site) => {
    await site.open("/?experimentation_x=334001,324002,314006,324009,324004");

    assert.deepEqual(
      await site.state(),
      expected({
        4001: { experiment: "24001", variation: "334001" },
        4002: { experiment: "24002", variation: "324002" },
        4006: { experiment: "214006", variation: "314006" },
        4009: { experiment: "24009", variation: "324009" },
        // 4004 is on none of its pages: forcing does not bring it here.
      }),
    );
  }));

test("it is for the tab until its list is emptied, and no part of the visitor's history", () =>
  inShop(async (site) => {
    const forced = { 4001: { experiment: "24001", variation: "334001" } };
    await site.open("/?experimentation_x=334001");
    assert.deepEqual(await site.state(), expected(forced));

    await site.open("/");
    assert.deepEqual(await site.state(), expected(forced));

    await site.open("/?experimentation_x=");
    assert.deepEqual(await site.state(), expected({}));
  }));

test("another tab sees nothing of it", () =>
  inShop(async (site) => {
    await site.open("/?experimentation_x=334001");
    const { page } = site;
    site.page = await page.context().newPage();

    await site.open("/");

    assert.deepEqual(await site.state(), expected({}));
  }));

test("a forced variation shows beside the one given earlier, and does not replace it", () =>
  inShop(async (site) => {
    await site.open("/");
    await site.open("/?experimentation_x=324001");
    assert.deepEqual((await site.state()).getVariationMap["24001"], { id: "324001", name: "Green", index: 1 });

    await site.open("/other");

    assert.deepEqual((await site.state()).getVariationMap["24001"], { id: "314001", name: "Original", index: 0 });
  }));

test("a variation that the project does not have cannot be forced", () =>
  inShop(async (site) => {
    await site.open("/?experimentation_x=1,,abc,4001,24001,%20");

    assert.deepEqual(await site.state(), expected({}));
  }));

test("a forced audience counts as met, the others are asked as usual", () =>
  inShop(async (site) => {
    await site.open("/?experimentation_x_audiences=6002&loyal=1");

    assert.deepEqual(
      await site.state(),
      expected({
        4006: { experiment: "214006", variation: "314006", audiences: ["6001"] },
        4009: { experiment: "24009", variation: "314009", audiences: ["6002", "6001"] },
      }),
    );
  }));

test("a visitor who forces a variation is told which audiences they were in all the same", () =>
  inShop(async (site) => {
    await site.open("/?experimentation_x=324009&experimentation_x_audiences=6001");

    assert.deepEqual(
      await site.state(),
      expected({
        4006: { experiment: "214006", variation: "314006", audiences: ["6001"] },
        4009: { experiment: "24009", variation: "324009", audiences: ["6001"] },
      }),
    );
  }));

test("a project that does not allow it cannot be forced", () =>
  stage.visit(async (site) => {
    await site.publish({ ...SHOP, project: { ...SHOP.project, snippet: { allow_force: false } } });
    await site.open("/?experimentation_x=334001&experimentation_x_audiences=6001");

    assert.deepEqual(await site.state(), expected({}));
  }));
