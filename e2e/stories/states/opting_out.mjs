/** Visitors who leave all experiments: for how long, whatever else was said, and how they come in again. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { withStorageRefused } from "../../site/browser.mjs";
import { abTest, everywhere, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const shop = (snippet = {}) => project({ snippet, pages: [everywhere({ key: "home" })], campaigns: [abTest({ weights: [0, 10000, 0] })] });
const IN_GREEN = stateOf(shop(), { activePages: { 1004: {} }, campaigns: { 4001: { experiment: "24001", variation: "324001" } } });
const SILENCE = { ...stateOf(shop(), {}), getPageStates: {} };

const OUT = { type: "optOut" };
const IN = { type: "optOut", isOptOut: false };
const GIVEN = { type: "consent", granted: true };

const queued = (...commands) => RoutedSite.page({ before: `window.experimentation = ${JSON.stringify(commands)}` });
const kept = (site) => site.page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]);
const visitorId = (site) => site.page.evaluate(() => window.experimentation.get("visitor").visitorId);

const inShop = (document, story) =>
  stage.visit(async (site) => {
    await site.publish(document);
    await story(site);
  }, null);

test("all that is left is a mark that lasts for 400 days, for the whole site", () =>
  inShop(shop(), async (site) => {
    await site.publish(shop(), "blog.shop.test");
    await site.open();
    await site.push(OUT);

    const [{ expires, ...cookie }, ...others] = await site.page.context().cookies();
    assert.deepEqual(others, []);
    assert.deepEqual([cookie.name, cookie.value, cookie.domain, cookie.sameSite], ["experimentation_id", "-", ".shop.test", "Lax"]);
    assert.equal(Math.round((expires - Date.now() / 1000) / 86400), 400);
    await site.open("http://blog.shop.test/");
    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(await kept(site), ["experimentation_id=-", 0, 0]);
  }));

test("a queued command is obeyed before anything is kept", () =>
  inShop(shop(), async (site) => {
    site.write("/", queued(OUT));
    await site.open();

    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(await kept(site), ["experimentation_id=-", 0, 0]);
  }));

test("a visitor who opts in again is a new one", () =>
  inShop(shop(), async (site) => {
    await site.open();
    const id = await visitorId(site);
    await site.push(OUT);

    await site.push(IN);
    assert.deepEqual(await site.state(), SILENCE);
    const [cookie, ...stored] = await kept(site);
    assert.match(cookie, /^experimentation_id=\d+$/);
    assert.deepEqual(stored, [0, 0]);

    await site.open();
    assert.deepEqual(await site.state(), IN_GREEN);
    assert.notEqual(await visitorId(site), id);
  }));

test("coming in changes nothing for a visitor who is in", () =>
  inShop(shop(), async (site) => {
    await site.open();
    const id = await visitorId(site);

    await site.push(IN);
    await site.open("/?experimentation_opt_out=false");

    assert.equal(await visitorId(site), id);
  }));

test("it lasts for the page view where the browser refuses to keep anything", () =>
  withStorageRefused(async (context) => {
    const site = await RoutedSite.in(context);
    await site.publish(shop());
    await site.open("/?experimentation_opt_out=true");
    assert.deepEqual(await site.state(), SILENCE);

    await site.open();
    assert.deepEqual(await site.state(), IN_GREEN);
    await site.push(OUT);
    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(site.faults, []);
  }));

test("before consent it is kept all the same, and consent does not end it", () =>
  inShop(shop({ consent: "required" }), async (site) => {
    await site.open("/?experimentation_opt_out=true");
    assert.deepEqual(await kept(site), ["experimentation_id=-", 0, 0]);

    site.write("/", queued(GIVEN));
    await site.open();
    await site.push(GIVEN);

    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(await kept(site), ["experimentation_id=-", 0, 0]);
  }));

test("a visitor who consented, and then opts out, has to consent again", () =>
  inShop(shop({ consent: "required" }), async (site) => {
    await site.open();
    await site.push(GIVEN, OUT, IN);
    await site.open();

    assert.deepEqual(await site.state(), IN_GREEN);
    assert.deepEqual(await kept(site), ["", 0, 0]);
  }));
