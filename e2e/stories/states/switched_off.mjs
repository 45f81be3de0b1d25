/** A visitor, a site or an address that wants nothing of it: the state module is there, says nothing, and nothing is kept. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const SHOP = project({ pages: [everywhere({ key: "home" })], campaigns: [abTest({ weights: [10000, 0] })] });
const BUCKETED = stateOf(SHOP, { activePages: { 1004: {} }, campaigns: { 4001: { experiment: "24001", variation: "314001" } } });
const SILENCE = { ...stateOf(SHOP, {}), getPageStates: {} };

/** All that the snippet may keep about a visitor. */
const kept = (site) => site.page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]);

const inShop = (story, visitorId) =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await story(site);
  }, visitorId);

test("an address can switch it off for one page view", () =>
  inShop(async (site) => {
    await site.open("/?experimentation_disable=true");
    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(await kept(site), ["", 0, 0]);

    await site.open();
    assert.deepEqual(await site.state(), BUCKETED);
  }, null));

test("a queued command can switch it off before anything is kept", () =>
  inShop(async (site) => {
    site.write("/", RoutedSite.page({ before: "window.experimentation = [{ type: 'disable' }]" }));
    await site.open();

    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(await kept(site), ["", 0, 0]);
  }, null));

test("a command can switch it off later, and then nothing is active any more", () =>
  inShop(async (site) => {
    await site.open();
    assert.deepEqual(await site.state(), BUCKETED);

    await site.push({ type: "disable" }, { type: "activate" }, { type: "page", pageName: "home" });

    assert.deepEqual(await site.state(), SILENCE);
  }));

test("switching off what is tracked leaves everything else on", () =>
  inShop(async (site) => {
    await site.open();

    await site.push({ type: "disable", scope: "tracking" });

    assert.deepEqual(await site.state(), BUCKETED);
  }));

test("a visitor who opts out is forgotten, and stays out until they opt in", () =>
  inShop(async (site) => {
    await site.open();
    assert.deepEqual(await site.state(), BUCKETED);

    await site.push({ type: "optOut" });
    assert.deepEqual(await site.state(), SILENCE);
    assert.equal((await kept(site))[1], 0);

    await site.open();
    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(await kept(site), ["experimentation_id=-", 0, 0]);

    await site.push({ type: "optOut", isOptOut: false });
    await site.open();
    const visitorId = await site.page.evaluate(() => window.experimentation.get("visitor").visitorId);
    assert.ok(visitorId.length > 20, visitorId);
    assert.deepEqual((await site.state()).getActiveExperimentIds, ["24001"]);
  }));

test("an address can opt out, and in again", () =>
  inShop(async (site) => {
    await site.open("/?experimentation_opt_out=true");
    assert.deepEqual(await site.state(), SILENCE);

    await site.open();
    assert.deepEqual(await site.state(), SILENCE);

    await site.open("/?experimentation_opt_out=false");
    assert.deepEqual((await site.state()).getActiveExperimentIds, ["24001"]);
  }));
