/** A visitor opens the shop: the A/B test of its headline, and what the state module says about it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { NEW_VISITOR } from "../site/shop.mjs";
import { setStage } from "../site/stage.mjs";
import { ADA, DAN } from "../site/visitors.mjs";

const HEADLINES = { Original: "Stoneware for cold mornings", Short: "Warm hands, anywhere." };
const EXPERIMENT = "4001";

const stage = setStage();

test("a visitor in the original variation keeps the headline", () =>
  stage.visit(ADA, async (shop) => {
    await shop.open();

    assert.equal(await shop.headline(), HEADLINES.Original);
    assert.deepEqual((await shop.ask("getVariationMap"))[EXPERIMENT], { id: "5001", name: "Original", index: 0 });
  }));

test("a visitor in the other variation sees the short headline and the new button", () =>
  stage.visit(DAN, async (shop) => {
    await shop.open();

    assert.equal(await shop.headline(), HEADLINES.Short);
    assert.equal(await shop.page.locator(".hero .button").innerText(), "Find your mug");
    assert.deepEqual((await shop.ask("getVariationMap"))[EXPERIMENT], { id: "5002", name: "Short", index: 1 });
  }));

test("the state module describes campaign, experiment and page", () =>
  stage.visit(DAN, async (shop) => {
    await shop.open();

    const campaign = (await shop.ask("getCampaignStates"))["3001"];
    assert.deepEqual(campaign, {
      id: "3001",
      campaignName: "Hero text",
      experiment: { id: EXPERIMENT, name: "Hero text" },
      variation: { id: "5002", name: "Short" },
      isActive: true,
      visitorRedirected: false,
      isInCampaignHoldback: false,
      audiences: [],
    });
    assert.deepEqual((await shop.ask("getExperimentStates", { isActive: true }))[EXPERIMENT], {
      id: EXPERIMENT,
      experimentName: "Hero text",
      audiences: [],
      variation: { id: "5002", name: "Short" },
      isActive: true,
      isInExperimentHoldback: false,
      visitorRedirected: false,
    });
    const { apiName, category, isActive } = (await shop.ask("getPageStates"))["2001"];
    assert.deepEqual({ apiName, category, isActive }, { apiName: "home", category: "home", isActive: true });
    assert.ok((await shop.ask("getActiveExperimentIds")).includes(EXPERIMENT));
  }));

test("an A/B test is described to analytics by experiment and variation", () =>
  stage.visit(DAN, async (shop) => {
    await shop.open();

    assert.equal(await shop.ask("getDecisionString", { campaignId: "3001" }), "Hero text(4001):Short(5002)");
    assert.deepEqual(await shop.ask("getDecisionObject", { campaignId: "3001" }), {
      experiment: "Hero text (4001)",
      variation: "Short (5002)",
    });
  }));

test("an unknown visitor gets an id and one of the two headlines, and keeps both", () =>
  stage.visit(NEW_VISITOR, async (shop) => {
    await shop.open();
    const visitorId = await shop.visitorId();
    const headline = await shop.headline();
    const { name } = (await shop.ask("getVariationMap"))[EXPERIMENT];

    await shop.reload();

    assert.equal(headline, HEADLINES[name]);
    assert.equal(await shop.visitorId(), visitorId);
    assert.equal(await shop.headline(), headline);
  }));

test("the new visitor button replaces the visitor by a new one", () =>
  stage.visit(DAN, async (shop) => {
    await shop.open();

    await shop.becomeNewVisitor();

    assert.notEqual(await shop.visitorId(), DAN);
    const { name } = (await shop.ask("getVariationMap"))[EXPERIMENT];
    assert.equal(await shop.headline(), HEADLINES[name]);
  }));

test("every activation has an id of its own", () =>
  stage.visit(ADA, async (shop) => {
    await shop.open();
    const first = await shop.ask("getActivationId");

    await shop.reload();

    assert.equal(typeof first, "string");
    assert.notEqual(await shop.ask("getActivationId"), first);
  }));

test("the panel shows what each function of the state module returns", () =>
  stage.visit(DAN, async (shop) => {
    await shop.open();
    await shop.openPanel();

    const plain = ["ActiveExperimentIds", "CampaignStates", "ExperimentStates", "PageStates", "RedirectInfo", "VariationMap"];
    for (const name of [...plain, "ActivationId"].map((noun) => `get${noun}`)) {
      assert.deepEqual(await shop.panelShows(name), await shop.ask(name), name);
    }
    for (const name of ["getDecisionString", "getDecisionObject"]) {
      assert.deepEqual((await shop.panelShows(name))["3001"], await shop.ask(name, { campaignId: "3001" }), name);
    }
  }));

test("a paused campaign has left no trace in the page", () =>
  stage.visit(NEW_VISITOR, async (shop) => {
    await shop.open();

    assert.equal((await shop.ask("getCampaignStates"))["3004"], undefined);
  }));

test("the browser has nothing to complain about", () =>
  stage.visit(DAN, async (shop) => {
    await shop.open();
    await shop.open("mug.html");
    await shop.open("mug-story.html");

    assert.deepEqual(shop.complaints, []);
  }));
