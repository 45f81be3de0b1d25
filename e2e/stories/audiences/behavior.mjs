/** What visitors did before: counted over page views and days, for what a condition asks, and bounded. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answers, asking, stored } from "../../site/audiences.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const does = (value) => ({ type: "behavior", value });
const QUESTIONS = {
  twice: does({ event: "add to cart", at_least: 2, within_days: 7 }),
  looker: does({ page: "pricing" }),
  regular: does({ page: "pricing", at_least: 2, within_days: 1 }),
  never: does({ event: "add to cart", at_most: 0, within_days: 30 }),
};
const NOTHING = { twice: false, looker: false, regular: false, never: true };

const ADDED = { type: "event", eventName: "add to cart" };
const NOON = Date.parse("2030-03-06T12:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;

const inShop = (story, snippet = {}) =>
  stage.visit(async (site) => {
    await site.publish(asking(QUESTIONS, snippet));
    await story(site);
  });

const openOnDay = async (site, day, address = "/") => {
  await site.page.clock.setFixedTime(NOON + day * DAY_MS);
  await site.open(address);
  return answers(site);
};

test("events count over page views, for what is decided after them", () =>
  inShop(async (site) => {
    assert.deepEqual(await openOnDay(site, 0), NOTHING);
    await site.push(ADDED);
    assert.deepEqual(await answers(site), NOTHING, "this page view is decided");
    assert.deepEqual(await openOnDay(site, 0), { ...NOTHING, never: false });
    await site.push(ADDED);

    assert.deepEqual(await openOnDay(site, 0), { ...NOTHING, twice: true, never: false });
  }));

test("events before the snippet count at once", () =>
  inShop(async (site) => {
    site.write("/", RoutedSite.page({ before: `window.experimentation = ${JSON.stringify([ADDED, ADDED])}` }));

    assert.deepEqual(await openOnDay(site, 0), { ...NOTHING, twice: true, never: false });
  }));

test("page views on which a page was active count from the next on", () =>
  inShop(async (site) => {
    assert.deepEqual(await openOnDay(site, 0, "/pricing"), NOTHING);
    assert.deepEqual(await openOnDay(site, 0, "/"), { ...NOTHING, looker: true });
    assert.deepEqual(await openOnDay(site, 0, "/pricing"), { ...NOTHING, looker: true });
    assert.deepEqual(await openOnDay(site, 0, "/"), { ...NOTHING, looker: true, regular: true });
  }));

test("only the days that a condition names count, today among them", () =>
  inShop(async (site) => {
    await openOnDay(site, 0, "/pricing");
    await site.push(ADDED);
    await openOnDay(site, 1, "/pricing");
    await site.push(ADDED);

    const both = { twice: true, looker: true, regular: false, never: false };
    assert.deepEqual(await openOnDay(site, 1), both, "each pricing page was on its own day");
    assert.deepEqual(await openOnDay(site, 6), both);
    assert.deepEqual(await openOnDay(site, 7), { ...both, twice: false }, "the first is eight days old");
    assert.deepEqual(await openOnDay(site, 30), { ...both, twice: false });
    assert.deepEqual(await openOnDay(site, 31), { ...both, twice: false, never: true });
    assert.deepEqual(await openOnDay(site, 365), { ...NOTHING, looker: true });
    assert.deepEqual(await openOnDay(site, 366), NOTHING);
  }));

test("a fact that no condition asks for is not kept", () =>
  inShop(async (site) => {
    await openOnDay(site, 0);
    await site.push({ type: "event", eventName: "secret" }, { type: "event" }, { type: "event", eventName: "__proto__" });

    assert.doesNotMatch(await stored(site), /secret|undefined|proto|,b/);
  }));

test("a hundred days are kept at most, the last ones, with as many times as there were", () =>
  inShop(async (site) => {
    for (let day = 0; day < 120; day++) {
      await site.page.clock.setFixedTime(NOON + day * DAY_MS);
      if (day === 0) await site.open();
      await site.push(ADDED, ADDED, ADDED);
    }

    const [, days] = /,beadd%20to%20cart,([\d.]+)/.exec(await stored(site));
    const today = Math.floor(NOON / DAY_MS);
    const kept = Array.from({ length: 100 }, (_, place) => [today + 20 + place, 3]);
    assert.deepEqual(days.split(".").map(Number), kept.flat());
  }));

test("before consent what was done counts for this page view alone; consent keeps it", () =>
  inShop(
    async (site) => {
      await openOnDay(site, 0);
      await site.push(ADDED, ADDED, { type: "activate" });
      assert.deepEqual(await answers(site), { ...NOTHING, twice: true, never: false });
      assert.equal(await stored(site), null);
      assert.deepEqual(await openOnDay(site, 0), NOTHING);

      await site.push(ADDED, { type: "consent", granted: true }, ADDED);
      assert.deepEqual(await openOnDay(site, 0), { ...NOTHING, twice: true, never: false });
    },
    { consent: "required" },
  ));
