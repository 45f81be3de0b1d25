/** Pages that turn active by other ways than their address, and the campaigns on them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, home, pageAt, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const BUCKETED = { experiment: "24001", variation: "314001" };
const NO_LONGER = { ...BUCKETED, isActive: false };

test("an empty project says nothing", () =>
  stage.visit(async (site) => {
    await site.publish(project());
    await site.open();

    assert.deepEqual(await site.state(), stateOf(project(), {}));
  }));

test("nothing is decided while none of a campaign's pages is active", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home], campaigns: [abTest()] });
    await site.publish(shop);
    await site.open("/elsewhere");

    assert.deepEqual(await site.state(), stateOf(shop, {}));
  }));

test("a visitor beyond the weights is in the experiment, but in no variation", () =>
  stage.visit(async (site) => {
    // The visitor's bucket in this experiment is 2414.
    const shop = project({ pages: [home], campaigns: [abTest({ weights: [1000, 1414] })] });
    await site.publish(shop);
    await site.open();

    assert.deepEqual(
      await site.state(),
      stateOf(shop, { activePages: { 1001: {} }, campaigns: { 4001: { experiment: "24001", variation: null } } }),
    );
  }));

test("a manual page follows the site's commands, and shows the tags that come with them", () =>
  stage.visit(async (site) => {
    const shop = project({
      pages: [
        { ...everywhere({ key: "manual", activation: { type: "manual" } }), metadata: { section: "front", n: 0 } },
        { ...home, id: "1009", key: "tagged", tags: [{ key: "headline", locator: "h1", locator_type: "css_selector" }] },
      ],
      campaigns: [abTest({ pages: ["manual"] })],
    });
    const tagged = { 1009: { headline: "Hello" } };
    await site.publish(shop);
    await site.open();
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: tagged }));

    await site.push({ type: "page", pageName: "manual", tags: { kind: "x", n: 1 } });
    const active = stateOf(shop, {
      activePages: { ...tagged, 1004: { section: "front", kind: "x", n: 1 } },
      campaigns: { 4001: BUCKETED },
    });
    assert.deepEqual(await site.state(), active);

    // A difference of ours: a campaign is active no longer than one of its pages.
    await site.push({ type: "page", pageName: "manual", isActive: false });
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: tagged, campaigns: { 4001: NO_LONGER } }));

    await site.push({ type: "page", pageName: "manual" });
    assert.deepEqual(
      await site.state(),
      stateOf(shop, { activePages: { ...tagged, 1004: { section: "front", n: 0 } }, campaigns: { 4001: BUCKETED } }),
    );

    await site.push({ type: "activate" });
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: tagged, campaigns: { 4001: NO_LONGER } }));
  }));

test("a manual page whose conditions fail stays inactive, whatever the site says", () =>
  stage.visit(async (site) => {
    const shop = project({
      pages: [pageAt("/cart", { key: "cart", activation: { type: "manual" } })],
      campaigns: [abTest({ pages: ["cart"] })],
    });
    await site.publish(shop);
    await site.open();

    assert.deepEqual(await site.push({ type: "page", pageName: "cart" }), [true]);

    assert.deepEqual(await site.state(), stateOf(shop, {}));
  }));

test("a polled page turns active once its code says so, and stays", () =>
  stage.visit(async (site) => {
    const shop = project({
      pages: [everywhere({ key: "polled", activation: { type: "polling", code: "return window.flag" } })],
      campaigns: [abTest({ pages: ["polled"] })],
    });
    const active = stateOf(shop, { activePages: { 1004: {} }, campaigns: { 4001: BUCKETED } });
    await site.publish(shop);
    await site.open();
    assert.deepEqual(await site.state(), stateOf(shop, {}));

    await site.page.evaluate(() => (window.flag = 1));
    await site.page.waitForFunction(() => window.experimentation.get("state").getActiveExperimentIds().length > 0);
    assert.deepEqual(await site.state(), active);

    await site.page.evaluate(() => (window.flag = 0));
    assert.deepEqual(await site.state(), active);
  }));

test("a callback page is what its code says last", () =>
  stage.visit(async (site) => {
    const shop = project({
      pages: [everywhere({ key: "called", activation: { type: "callback", code: "window.tell = activate" } })],
      campaigns: [abTest({ pages: ["called"] })],
    });
    const active = stateOf(shop, { activePages: { 1004: {} }, campaigns: { 4001: BUCKETED } });
    await site.publish(shop);
    await site.open();
    assert.deepEqual(await site.state(), stateOf(shop, {}));

    await site.page.evaluate(() => window.tell());
    assert.deepEqual(await site.state(), active);

    await site.page.evaluate(() => window.tell({ isActive: false }));
    assert.deepEqual(await site.state(), stateOf(shop, { campaigns: { 4001: NO_LONGER } }));

    await site.page.evaluate(() => window.tell());
    assert.deepEqual(await site.state(), active);
  }));

test("a callback that is called at once is in time for the page's own scripts", () =>
  stage.visit(async (site) => {
    const shop = project({
      pages: [everywhere({ key: "called", activation: { type: "callback", code: "activate()" } })],
      campaigns: [abTest({ pages: ["called"] })],
    });
    site.write("/", RoutedSite.page({ after: "window.seen = window.experimentation.get('state').getActiveExperimentIds()" }));
    await site.publish(shop);
    await site.open();

    assert.deepEqual(await site.page.evaluate(() => window.seen), ["24001"]);
  }));

test("tags for all pages stay for the page view, tags of a page for as long as it is active", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home] });
    await site.publish(shop);
    await site.open();

    await site.push({ type: "tags", tags: { section: "front", n: 1 } }, { type: "page", pageName: "home", tags: { n: 2 } });

    assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1001: { section: "front", n: 2 } } }));
    await site.push({ type: "page", pageName: "home", isActive: false }, { type: "page", pageName: "home" });
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1001: { section: "front", n: 1 } } }));
  }));
