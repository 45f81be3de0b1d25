/** The site gives a visitor a variation of its own choice. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, nobody, personalization, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const SHOP = project({
  audiences: [nobody],
  pages: [home],
  campaigns: [
    abTest(),
    abTest({ id: "4002", name: "AB no traffic", holdback: 10000 }),
    personalization({ audiences: "nobody" }),
    abTest({ id: "4009", name: "AB nobody", audiences: "nobody" }),
  ],
});

const inVariation = (variation, more = {}) =>
  stateOf(SHOP, {
    activePages: { 1001: {} },
    campaigns: {
      4001: { experiment: "24001", variation },
      4002: { experiment: "24002", variation: "314002", isHeldBack: true },
      4006: { experiment: "224006", variation: "324006" },
      4009: { experiment: null, variation: null },
    },
    ...more,
  });

const queued = (...commands) => RoutedSite.page({ before: `window.experimentation = ${JSON.stringify(commands)}` });

test("queued before the snippet it holds at once, and stays", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write("/", queued({ type: "bucketVisitor", experimentId: "24001", variationIndex: 2 }));
    await site.open();
    assert.deepEqual(await site.state(), inVariation("334001"));

    site.write("/", RoutedSite.page());
    await site.open();

    assert.deepEqual(await site.state(), inVariation("334001"));
  }));

test("after the snippet it holds from the next page view on", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await site.open();
    assert.deepEqual(await site.state(), inVariation("314001"));

    assert.deepEqual(await site.push({ type: "bucketVisitor", experimentId: "24001", variationId: "324001" }), [true]);
    const before = await site.state();
    assert.deepEqual(before.getCampaignStates, inVariation("314001").getCampaignStates);

    await site.open();
    assert.deepEqual(await site.state(), inVariation("324001"));
  }));

test("audiences and holdback still count", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write(
      "/",
      queued(
        { type: "bucketVisitor", experimentId: 24002, variationIndex: 1 },
        { type: "bucketVisitor", experimentId: "24009", variationId: "334009" },
        { type: "bucketVisitor", experimentId: "214006", variationIndex: 0 },
      ),
    );
    await site.open();

    const { getActiveExperimentIds, getCampaignStates } = await site.state();
    assert.deepEqual(getActiveExperimentIds, ["24001", "24002", "224006"]);
    assert.deepEqual(getCampaignStates["4002"].variation, { id: "324002", name: "Green" });
    assert.equal(getCampaignStates["4002"].isInCampaignHoldback, true);
    assert.equal(getCampaignStates["4009"].variation, null);
    assert.deepEqual(getCampaignStates["4006"].experiment, { id: "224006", name: "Everyone else" });
  }));

test("an unknown experiment or variation changes nothing", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    const commands = [
      { type: "bucketVisitor", experimentId: "24001", variationIndex: 3 },
      { type: "bucketVisitor", experimentId: "24001", variationIndex: -1 },
      { type: "bucketVisitor", experimentId: "24001", variationIndex: "one" },
      { type: "bucketVisitor", experimentId: "24001", variationId: "314002" },
      { type: "bucketVisitor", experimentId: "4001", variationIndex: 1 },
      { type: "bucketVisitor" },
    ];
    site.write("/", queued(...commands));
    await site.open();

    assert.deepEqual(await site.state(), inVariation("314001"));
  }));
