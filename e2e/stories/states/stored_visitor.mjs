/** A visitor who was there before: what earlier page views, and earlier revisions of the project, still mean. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, loyal, pageAt, personalization, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const ON_HOME = { 1001: {} };
const withTest = (options) => project({ pages: [home], campaigns: [abTest(options)] });

test("the variation given at first stands against new weights", () =>
  stage.visit(async (site) => {
    const first = withTest({ weights: [10000, 0] });
    await site.publish(first);
    await site.open();
    const expected = stateOf(first, { activePages: ON_HOME, campaigns: { 4001: { experiment: "24001", variation: "314001" } } });
    assert.deepEqual(await site.state(), expected);

    await site.publish(withTest({ weights: [0, 10000] }));
    await site.open();

    assert.deepEqual(await site.state(), expected);
  }));

test("a visitor whose variation is gone is in none, until it is back", () =>
  stage.visit(async (site) => {
    const whole = withTest({ weights: [10000, 0] });
    const without = structuredClone(whole);
    without.campaigns[0].experiments[0].variations.shift();
    await site.publish(whole);
    await site.open();

    await site.publish(without);
    await site.open();

    assert.deepEqual(
      await site.state(),
      stateOf(without, {
        activePages: ON_HOME,
        campaigns: { 4001: { experiment: "24001", variation: null } },
        remembered: { 24001: { id: "314001", name: null, index: 0 } },
      }),
    );

    await site.publish(whole);
    await site.open();

    assert.deepEqual(
      await site.state(),
      stateOf(whole, { activePages: ON_HOME, campaigns: { 4001: { experiment: "24001", variation: "314001" } } }),
    );
  }));

test("traffic that is cut excludes visitors who were in, and lets them in again when it returns", () =>
  stage.visit(async (site) => {
    const open = withTest();
    const cut = withTest({ holdback: 10000 });
    const variation = { experiment: "24001", variation: "314001" };
    await site.publish(open);
    await site.open();

    await site.publish(cut);
    await site.open();
    assert.deepEqual(await site.state(), stateOf(cut, { activePages: ON_HOME, campaigns: { 4001: { ...variation, isHeldBack: true } } }));

    await site.publish(open);
    await site.open();
    assert.deepEqual(await site.state(), stateOf(open, { activePages: ON_HOME, campaigns: { 4001: variation } }));
  }));

test("of a campaign that is gone only the entry in the variation map is left", () =>
  stage.visit(async (site) => {
    await site.publish(withTest());
    await site.open();
    const without = project({ pages: [home] });

    await site.publish(without);
    await site.open();

    assert.deepEqual(
      await site.state(),
      stateOf(without, { activePages: ON_HOME, remembered: { 24001: { id: "314001", name: null, index: 0 } }, gone: ["4001"] }),
    );
  }));

test("a variation is named and placed as the present revision has it", () =>
  stage.visit(async (site) => {
    const first = withTest({ weights: [10000, 0] });
    await site.publish(first);
    await site.open();
    const second = structuredClone(first);
    const [experiment] = second.campaigns[0].experiments;
    experiment.variations.reverse();
    experiment.variations[1].name = "As it was";

    await site.publish(second);
    await site.open();

    const said = await site.state();
    assert.deepEqual(said, stateOf(second, { activePages: ON_HOME, campaigns: { 4001: { experiment: "24001", variation: "314001" } } }));
    assert.deepEqual(said.getVariationMap, { 24001: { id: "314001", name: "As it was", index: 1 } });
  }));

test("audiences are asked anew: who no longer meets them is in no variation, yet the map keeps all that was ever seen", () =>
  stage.visit(async (site) => {
    const shop = project({
      pages: [{ ...home, conditions: [] }],
      audiences: [loyal],
      campaigns: [abTest({ audiences: "loyal" }), personalization()],
    });
    await site.publish(shop);
    await site.open("/?loyal=1");
    const meetsLoyal = { audiences: ["6001"] };
    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        activePages: ON_HOME,
        campaigns: {
          4001: { experiment: "24001", variation: "314001", ...meetsLoyal },
          4006: { experiment: "214006", variation: "314006", ...meetsLoyal },
        },
      }),
    );

    await site.open("/");

    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        activePages: ON_HOME,
        campaigns: { 4001: { experiment: null, variation: null }, 4006: { experiment: "224006", variation: "324006" } },
        remembered: { 24001: { id: "314001", name: "Original", index: 0 }, 214006: { id: "314006", name: "Loyal banner", index: 0 } },
      }),
    );
  }));

test("on a page that is none of the campaign's, its decision is shown as one of earlier", () =>
  stage.visit(async (site) => {
    const shop = project({
      audiences: [loyal],
      pages: [home, pageAt("/other", { id: "1002", key: "other", name: "Other" })],
      campaigns: [
        abTest({ holdback: 10000 }),
        personalization({ audiences: ["not", "loyal"] }),
        abTest({ id: "4004", name: "AB later", pages: ["other"] }),
      ],
    });
    await site.publish(shop);
    await site.open();

    await site.open("/other");

    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        activePages: { 1002: {} },
        campaigns: {
          4001: { experiment: "24001", variation: "314001", isHeldBack: true, isActive: false },
          4006: { experiment: "214006", variation: "314006", isActive: false },
          4004: { experiment: "24004", variation: "324004" },
        },
      }),
    );
  }));

test("an entry that another program wrote in the visitor's storage is no history, and is replaced", () =>
  stage.visit(async (site) => {
    const shop = withTest();
    await site.publish(shop);
    await site.open("/elsewhere");
    for (const text of ["{]", "2|visitor-1|", "1|visitor-1||24001,324001,1|", "9|visitor-1|-24001,324001.1|", "2|somebody-else|-24001,324001.1|", "\u0000", "|||"]) {
      await site.page.evaluate((value) => localStorage.setItem("experimentation:1000", value), text);

      await site.open();

      assert.deepEqual(
        await site.state(),
        stateOf(shop, { activePages: ON_HOME, campaigns: { 4001: { experiment: "24001", variation: "314001" } } }),
        text,
      );
    }
  }));
