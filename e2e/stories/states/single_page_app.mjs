/** A site that changes its address without loading another page. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, pageAt, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const FOLLOWS_ADDRESS = { activation: { type: "url_changed" } };
const SHOP = project({
  pages: [
    pageAt("/spa", { id: "1005", key: "spa", name: "Spa", ...FOLLOWS_ADDRESS, deactivation: true }),
    everywhere({
      id: "1011",
      key: "hash",
      name: "Hash",
      ...FOLLOWS_ADDRESS,
      conditions: ["or", { type: "url", match: "regex", value: "#deep$" }],
    }),
  ],
  campaigns: [abTest({ pages: ["spa"] }), abTest({ id: "4002", name: "AB hash", pages: ["hash"] })],
});

const SPA = { experiment: "24001", variation: "314001" };
const HASH = { experiment: "24002", variation: "314002" };

/** Changes the address as the site's router would. */
const route = (site, method, url) => site.page.evaluate(([name, to]) => history[name](null, "", to), [method, url]);

test("pages turn active and inactive with the address, and campaigns with their pages", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await site.open("/spa");
    assert.deepEqual(await site.state(), stateOf(SHOP, { activePages: { 1005: {} }, campaigns: { 4001: SPA } }));

    // A difference of ours: the campaign is active no longer than its pages.
    await route(site, "replaceState", "/x");
    const left = { 4001: { ...SPA, isActive: false } };
    assert.deepEqual(await site.state(), stateOf(SHOP, { campaigns: left }));

    await site.page.evaluate(() => (location.hash = "deep"));
    const deep = stateOf(SHOP, { activePages: { 1011: {} }, campaigns: { ...left, 4002: HASH } });
    assert.deepEqual(await site.state(), deep);

    // Without `deactivation` a page stays active when its address is left.
    await site.page.goBack();
    assert.deepEqual(await site.state(), deep);

    await site.push({ type: "page", pageName: "spa" });
    assert.deepEqual(await site.state(), deep);

    await site.push({ type: "activate" });
    assert.deepEqual(await site.state(), stateOf(SHOP, { campaigns: { ...left, 4002: { ...HASH, isActive: false } } }));

    await route(site, "pushState", "/spa");
    assert.deepEqual(
      await site.state(),
      stateOf(SHOP, { activePages: { 1005: {} }, campaigns: { 4001: SPA, 4002: { ...HASH, isActive: false } } }),
    );

    await site.page.goBack();
    assert.deepEqual(await site.state(), stateOf(SHOP, { campaigns: { ...left, 4002: { ...HASH, isActive: false } } }));
  }));

test("an immediate page that is to end with its address does, and comes back with the next activation only", () =>
  stage.visit(async (site) => {
    const shop = project({
      pages: [pageAt("/spa", { id: "1005", key: "spa", deactivation: true })],
      campaigns: [abTest({ pages: ["spa"] })],
    });
    await site.publish(shop);
    await site.open("/spa");

    await route(site, "pushState", "/x");
    const left = stateOf(shop, { campaigns: { 4001: { ...SPA, isActive: false } } });
    assert.deepEqual(await site.state(), left);

    await site.page.goBack();
    assert.deepEqual(await site.state(), left);

    await site.push({ type: "activate" });
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1005: {} }, campaigns: { 4001: SPA } }));
  }));

test("a campaign on two pages is active as long as one of them is", () =>
  stage.visit(async (site) => {
    const pages = ["one", "two"].map((key, place) => pageAt(`/${key}`, { id: `102${place}`, key, ...FOLLOWS_ADDRESS, deactivation: true }));
    const shop = project({ pages, campaigns: [abTest({ pages: ["one", "two"] })] });
    await site.publish(shop);
    await site.open("/one");

    await route(site, "pushState", "/two");
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1021: {} }, campaigns: { 4001: SPA } }));

    await site.push({ type: "page", pageName: "two", isActive: false });
    assert.deepEqual(await site.state(), stateOf(shop, { campaigns: { 4001: { ...SPA, isActive: false } } }));
  }));

test("listeners hear of each page that turns active or inactive", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await site.open("/spa");
    await site.page.evaluate(() => {
      window.heard = [];
      const handler = ({ name, data }) => window.heard.push([name, (data.page ?? data.campaign).id]);
      window.experimentation.push({ type: "addListener", filter: { type: "lifecycle" }, handler });
    });

    await route(site, "pushState", "/x#deep");
    await route(site, "pushState", "/spa");

    assert.deepEqual(await site.page.evaluate(() => window.heard), [
      ["pageDeactivated", "1005"],
      ["pageActivated", "1011"],
      ["campaignDecided", "4002"],
      ["pageActivated", "1005"],
      ["campaignDecided", "4001"],
    ]);
  }));

test("a page that follows the document turns active when its element comes, and inactive when it goes", () =>
  stage.visit(async (site) => {
    const code = { type: "custom_code", value: "return document.querySelector('.cart') !== null" };
    const shop = project({
      pages: [{ id: "1012", key: "cart", name: "Cart", conditions: ["or", code], activation: { type: "dom_changed" }, deactivation: true }],
      campaigns: [abTest({ pages: ["cart"] })],
    });
    const isActive = () => window.experimentation.get("state").getActiveExperimentIds().length > 0;
    await site.publish(shop);
    await site.open();
    assert.deepEqual(await site.state(), stateOf(shop, {}));

    await site.page.evaluate(() => (document.querySelector("h1").className = "cart"));
    await site.page.waitForFunction(isActive);
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1012: {} }, campaigns: { 4001: SPA } }));

    await site.page.evaluate(() => document.querySelector("h1").remove());
    await site.page.waitForFunction(`!(${isActive})()`);
    assert.deepEqual(await site.state(), stateOf(shop, { campaigns: { 4001: { ...SPA, isActive: false } } }));
  }));
