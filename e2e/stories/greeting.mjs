/** The personalization of the shop's front page: whom it greets how, and whom it leaves alone. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { setStage } from "../site/stage.mjs";
import { ADA, FINN } from "../site/visitors.mjs";

const CAMPAIGN = "3002";
const FROM_NEWSLETTER = "?utm_campaign=newsletter";

const stage = setStage();

test("a visitor hears of free shipping", () =>
  stage.visit(ADA, async (shop) => {
    await shop.open();

    const ribbons = await shop.ribbons();
    assert.equal(ribbons.length, 1);
    assert.match(ribbons[0], /travel free/);
    const state = (await shop.ask("getCampaignStates"))[CAMPAIGN];
    assert.deepEqual(state.experiment, { id: "4003", name: "Everyone else" });
    assert.deepEqual(state.audiences, []);
  }));

test("a reader of the newsletter gets the letter's code instead", () =>
  stage.visit(ADA, async (shop) => {
    await shop.open(FROM_NEWSLETTER);

    const ribbons = await shop.ribbons();
    assert.equal(ribbons.length, 1);
    assert.match(ribbons[0], /FIRSTLIGHT/);
    const state = (await shop.ask("getCampaignStates"))[CAMPAIGN];
    assert.deepEqual(state.experiment, { id: "4002", name: "Newsletter readers" });
    assert.deepEqual(state.audiences, [{ id: "6001", name: "Newsletter readers" }]);
  }));

test("a held-back visitor sees nothing of it and is described all the same", () =>
  stage.visit(FINN, async (shop) => {
    await shop.open();

    assert.deepEqual(await shop.ribbons(), []);
    const state = (await shop.ask("getCampaignStates"))[CAMPAIGN];
    assert.equal(state.isActive, true);
    assert.equal(state.isInCampaignHoldback, true);
    assert.deepEqual(state.variation, { id: "5004", name: "Free shipping" });
    assert.deepEqual((await shop.ask("getVariationMap"))["4003"], { id: "5004", name: "Free shipping", index: 0 });
  }));

test("a personalization is described to analytics with its campaign and the holdback", () =>
  stage.visit(FINN, async (shop) => {
    await shop.open();

    assert.equal(
      await shop.ask("getDecisionString", { campaignId: CAMPAIGN }),
      "Welcome(3002):Everyone else(4003):Free shipping(5004):holdback",
    );
    assert.deepEqual(await shop.ask("getDecisionObject", { campaignId: CAMPAIGN }), {
      campaign: "Welcome (3002)",
      experiment: "Everyone else (4003)",
      variation: "Free shipping (5004)",
      holdback: true,
    });
  }));

test("experiments of a personalization are no experiment states, but are in the variation map", () =>
  stage.visit(ADA, async (shop) => {
    await shop.open(FROM_NEWSLETTER);
    await shop.open();

    assert.deepEqual(Object.keys(await shop.ask("getExperimentStates")), ["4001"]);
    assert.deepEqual(Object.keys(await shop.ask("getVariationMap")), ["4001", "4002", "4003"]);
  }));
