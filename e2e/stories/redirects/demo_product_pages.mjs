/** The redirect test between two product pages: where visitors end, and what analytics can know of it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { setStage } from "../../site/stage.mjs";
import { ADA, EMIL } from "../../site/visitors.mjs";

const CAMPAIGN = "3003";
const EXPERIMENT = "4004";

const stage = setStage();

/** Goes to the mug by the shop's own link, and comes back when the browser has arrived at `path`. */
const followLinkToMug = async (shop, path) => {
  await shop.open();
  await shop.page.locator("nav a", { hasText: "mug" }).and(shop.page.locator("[href='mug.html']")).click();
  await shop.page.waitForURL((url) => url.pathname === path);
  await shop.page.waitForLoadState();
};

test("a visitor in the original variation stays", () =>
  stage.visit(ADA, async (shop) => {
    await followLinkToMug(shop, "/demo/mug.html");

    assert.equal(await shop.ask("getRedirectInfo"), null);
    assert.equal((await shop.ask("getCampaignStates"))[CAMPAIGN].visitorRedirected, false);
  }));

test("a visitor in the story variation ends on the story page, described as redirected", () =>
  stage.visit(EMIL, async (shop) => {
    await followLinkToMug(shop, "/demo/mug-story.html");

    const campaign = (await shop.ask("getCampaignStates"))[CAMPAIGN];
    assert.equal(campaign.isActive, true);
    assert.equal(campaign.visitorRedirected, true);
    assert.deepEqual(campaign.variation, { id: "5006", name: "Story first" });
    assert.deepEqual(await shop.ask("getActiveExperimentIds"), [EXPERIMENT]);
    assert.equal((await shop.ask("getExperimentStates"))[EXPERIMENT].visitorRedirected, true);
    assert.deepEqual((await shop.ask("getVariationMap"))[EXPERIMENT], { id: "5006", name: "Story first", index: 1 });
  }));

test("the redirect tells where the visitor really came from", () =>
  stage.visit(EMIL, async (shop) => {
    await followLinkToMug(shop, "/demo/mug-story.html");

    assert.deepEqual(await shop.ask("getRedirectInfo"), {
      experimentId: EXPERIMENT,
      variationId: "5006",
      referrer: stage.assay.demoUrl,
    });
  }));

test("the next page view knows of no redirect", () =>
  stage.visit(EMIL, async (shop) => {
    await followLinkToMug(shop, "/demo/mug-story.html");

    await shop.reload();

    assert.equal(await shop.ask("getRedirectInfo"), null);
    assert.deepEqual(await shop.ask("getActiveExperimentIds"), []);
  }));

test("the query comes along", () =>
  stage.visit(EMIL, async (shop) => {
    await shop.page.goto(`${stage.assay.demoUrl}mug.html?utm_source=letter`, { waitUntil: "commit" });
    await shop.page.waitForURL("**/mug-story.html?utm_source=letter");
  }));

test("the back button leads to where the visitor came from, not into the redirect again", () =>
  stage.visit(EMIL, async (shop) => {
    await followLinkToMug(shop, "/demo/mug-story.html");

    await shop.page.goBack();

    assert.equal(shop.path(), "/demo/");
  }));
