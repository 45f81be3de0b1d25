/** A browser that stores nothing: everything works for the page view, from memory. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { withStorageRefused } from "../../site/browser.mjs";
import { abTest, everywhere, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

// Each page view is a new visitor's, but the weights leave no choice.
const SHOP = project({
  attributes: [{ id: "7001", key: "plan" }],
  audiences: [
    { id: "6001", key: "pro", name: "Pro", conditions: ["or", { type: "custom_attribute", name: "plan", match: "exact", value: "pro" }] },
  ],
  pages: [everywhere({ key: "home" })],
  campaigns: [abTest({ weights: [0, 10000, 0], audiences: "pro" })],
});
const BUCKETED = { experiment: "24001", variation: "324001", audiences: ["6001"] };
const EXPECTED = stateOf(SHOP, { activePages: { 1004: {} }, campaigns: { 4001: BUCKETED } });

const PAGE = RoutedSite.page({ before: "window.experimentation = [{ type: 'user', attributes: { plan: 'pro' } }]" });

test("cookies and storage refused by the browser's owner", () =>
  withStorageRefused(async (context) => {
    const site = await RoutedSite.in(context);
    await site.publish(SHOP);
    site.write("/", PAGE);
    await site.open();
    assert.deepEqual(await site.state(), EXPECTED);

    await site.push({ type: "activate" });
    assert.deepEqual(await site.state(), EXPECTED);

    await site.open();
    assert.deepEqual(await site.state(), EXPECTED);
    assert.deepEqual(site.faults, []);
  }));

test("a frame whose sandbox gives it no storage", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write("/framed", PAGE);
    site.write("/frame", `<!doctype html><iframe sandbox="allow-scripts" src="/framed"></iframe>`);
    await site.open("/frame");

    const frame = site.page.frame({ url: /framed/ });
    assert.deepEqual(await site.state(frame), EXPECTED);
    assert.equal(await frame.evaluate(() => window.origin), "null");
  }));

test("storage that is full keeps what was there", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write("/", PAGE);
    await site.open();
    await site.page.evaluate(() => {
      for (let size = 1 << 22; size > 0; size >>= 1) {
        try {
          localStorage.setItem("site", (localStorage.getItem("site") ?? "") + "x".repeat(size));
        } catch {
          // As much as there is room for.
        }
      }
    });
    const before = await site.page.evaluate(() => localStorage.getItem("experimentation:1000"));
    const later = { ...SHOP, campaigns: [...SHOP.campaigns, abTest({ id: "4002", name: "AB later" })] };
    await site.publish(later);

    await site.open();

    const said = await site.state();
    assert.deepEqual(
      said,
      stateOf(later, { activePages: { 1004: {} }, campaigns: { 4001: BUCKETED, 4002: { experiment: "24002", variation: "314002" } } }),
    );
    assert.equal(await site.page.evaluate(() => localStorage.getItem("experimentation:1000")), before);
  }));
