/** Which experience of a personalization, and which campaign of a group, a visitor is given; and what is left of names kept out. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, loyal, personalization, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const ON_HOME = { 1001: {} };
const EVERYWHERE = { ...home, conditions: [] };

/** By the bucket of the visitor and campaign 4006: each experience has half of the 10,000. */
const LAST_OF_THE_FIRST = "visitor-15084";
const FIRST_OF_THE_SECOND = "visitor-15125";

test("experiences of one priority share their visitors, to the exact edge", async () => {
  const shop = project({ pages: [home], campaigns: [personalization({ audiences: "everyone", priorities: [] })] });
  const experiences = [
    [LAST_OF_THE_FIRST, { experiment: "214006", variation: "314006" }],
    [FIRST_OF_THE_SECOND, { experiment: "224006", variation: "324006" }],
  ];
  for (const [visitorId, experience] of experiences) {
    await stage.visit(async (site) => {
      await site.publish(shop);
      await site.open();

      assert.deepEqual(await site.state(), stateOf(shop, { activePages: ON_HOME, campaigns: { 4006: experience } }));
    }, visitorId);
  }
});

test("an experience of a higher priority comes first, and who is in no audience gets none", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [EVERYWHERE], audiences: [loyal], campaigns: [personalization({ priorities: [["loyal"]] })] });
    await site.publish(shop);
    await site.open("/?loyal=1");
    assert.deepEqual(
      await site.state(),
      stateOf(shop, { activePages: ON_HOME, campaigns: { 4006: { experiment: "214006", variation: "314006", audiences: ["6001"] } } }),
    );

    await site.open("/");

    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        activePages: ON_HOME,
        campaigns: { 4006: { experiment: null, variation: null } },
        remembered: { 214006: { id: "314006", name: "Loyal banner", index: 0 } },
      }),
    );
  }));

test("names that are kept out of the snippet are null everywhere, and empty in decision strings", () =>
  stage.visit(async (site) => {
    const shop = project({
      snippet: { exclude_names: true },
      pages: [EVERYWHERE],
      audiences: [loyal],
      campaigns: [abTest({ audiences: "loyal" }), personalization({ holdback: 10000 })],
    });
    await site.publish(shop);
    await site.open("/?loyal=1");

    const said = await site.state();
    const audiences = ["6001"];
    assert.deepEqual(
      said,
      stateOf(shop, {
        activePages: ON_HOME,
        campaigns: {
          4001: { experiment: "24001", variation: "314001", audiences },
          4006: { experiment: "214006", variation: "314006", isHeldBack: true, audiences },
        },
      }),
    );
    assert.deepEqual(said.getCampaignStates["4001"].audiences, [{ id: "6001", name: null }]);
    assert.equal(said.decisions["4006"][0], "(4006):(214006):(314006):holdback");
  }));

test("names that the document leaves out are null, too", () =>
  stage.visit(async (site) => {
    const nameless = abTest();
    nameless.name = null;
    nameless.experiments[0].name = null;
    nameless.experiments[0].variations[0].name = null;
    const shop = project({ pages: [{ ...home, name: null }], campaigns: [nameless] });
    await site.publish(shop);
    await site.open();

    const said = await site.state();
    assert.deepEqual(said, stateOf(shop, { activePages: ON_HOME, campaigns: { 4001: { experiment: "24001", variation: "314001" } } }));
    assert.equal(said.decisions["4001"][0], "(24001):(314001)");
  }));

test("a visitor is in one campaign of a group at most, and keeps it", () =>
  stage.visit(async (site) => {
    const campaigns = [abTest(), abTest({ id: "4002", name: "AB other" }), abTest({ id: "4004", name: "AB free", weights: [4000, 6000] })];
    const grouped = (first, second) => ({
      ...project({ pages: [home], campaigns }),
      groups: [
        {
          id: "8001",
          key: "checkout",
          members: [
            { campaign: "4001", weight: first },
            { campaign: "4002", weight: second },
          ],
        },
      ],
    });
    const free = { 4004: { experiment: "24004", variation: "324004" } };
    const inSecond = stateOf(grouped(0, 10000), {
      activePages: ON_HOME,
      campaigns: { ...free, 4002: { experiment: "24002", variation: "314002" } },
    });
    await site.publish(grouped(0, 10000));
    await site.open();
    assert.deepEqual(await site.state(), inSecond);

    await site.publish(grouped(10000, 0));
    await site.open();
    assert.deepEqual(await site.state(), inSecond);

    await site.open("/?experimentation_x=324001");
    assert.deepEqual((await site.state()).getActiveExperimentIds, ["24001", "24002", "24004"]);
  }));
