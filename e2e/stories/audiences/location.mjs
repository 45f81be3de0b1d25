/** Campaigns that wait until the page says where the visitor is. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answers, asking, stored } from "../../site/audiences.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const SHOP = asking({
  californian: { type: "location", value: "US|CA" },
  outside: ["not", { type: "location", value: "US|CA" }],
  // What else the audience asks does not settle it before the location is known.
  franciscan: ["and", { type: "query", name: "sale", match: "exists" }, { type: "location", value: "US||SANFRANCISCO" }],
  shopper: { type: "query", name: "sale", match: "exists" },
});
const [, green] = SHOP.campaigns[0].experiments[0].variations;
green.changes = [{ type: "text", selector: "h1", value: "Hello California" }];

const CALIFORNIA = { type: "location", country: "US", region: "CA", city: "San Francisco", continent: "NA", dma: "807" };

/** What the page is heard to decide, and its headline. */
const LISTENING = (...queue) =>
  RoutedSite.page({
    before: `
      window.heard = [];
      const hear = ({ name, data }) => window.heard.push(name === "campaignDecided" ? data.campaign.name : name);
      window.experimentation = [{ type: "addListener", filter: { type: "lifecycle" }, handler: hear }, ...${JSON.stringify(queue)}];`,
  });
const heard = (site) => site.page.evaluate(() => window.heard.splice(0));
const headline = (site) => site.page.textContent("h1");

const inShop = (queue, story) =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write("/", LISTENING(...queue));
    await site.open("/?sale");
    await story(site);
  });

test("a location before the snippet is known to the first decision, and shown with it", () =>
  inShop([CALIFORNIA], async (site) => {
    assert.deepEqual(await answers(site), { californian: true, outside: false, franciscan: true, shopper: true });
    assert.equal(await headline(site), "Hello California");
    assert.deepEqual(await heard(site), ["initialized", "pageActivated", "californian", "outside", "franciscan", "shopper", "activated"]);
  }));

test("campaigns that ask for it wait, while others are decided; when it comes they are decided, and shown", () =>
  inShop([], async (site) => {
    assert.deepEqual(await answers(site), { shopper: true });
    assert.equal(await headline(site), "Hello");
    assert.ok(!(await heard(site)).includes("californian"));

    assert.deepEqual(await site.push(CALIFORNIA), [true]);

    assert.deepEqual(await answers(site), { californian: true, outside: false, franciscan: true, shopper: true });
    await site.page.waitForFunction(() => document.querySelector("h1").textContent === "Hello California");
    assert.deepEqual(
      (await heard(site)).filter((name) => name in { californian: 1, outside: 1, franciscan: 1, shopper: 1 }),
      ["californian", "outside", "franciscan"],
    );
  }));

test("elsewhere they are decided, too: the visitor is in none, or in the others", () =>
  inShop([], async (site) => {
    await site.push({ type: "location", country: "US", region: "NY", city: "San Francisco" });

    assert.deepEqual(await answers(site), { californian: false, outside: true, franciscan: true, shopper: true });
    assert.equal(await headline(site), "Hello");
  }));

test("an unknown location matches no place, and ends the waiting", () =>
  inShop([], async (site) => {
    await site.push({ type: "location" });

    assert.deepEqual(await answers(site), { californian: false, outside: true, franciscan: false, shopper: true });
  }));

test("without a location the campaigns are undecided until the end, on every page view, and nothing of them is kept", () =>
  inShop([], async (site) => {
    await site.push({ type: "activate" }, { type: "event", eventName: "scroll" });
    await site.open("/other");

    assert.deepEqual(await answers(site), { shopper: false });
    assert.doesNotMatch(await stored(site), /c401[012]|,24010,/);
  }));

test("a location is for its page view: the next has to be told, the variation stands", () =>
  inShop([CALIFORNIA], async (site) => {
    await site.open("/other");
    assert.deepEqual(await answers(site), { californian: false, outside: false, franciscan: false, shopper: false });

    await site.push(CALIFORNIA);
    assert.deepEqual(await answers(site), { californian: true, outside: false, franciscan: false, shopper: false });
    assert.doesNotMatch(await stored(site), /US|SANFRANCISCO|San Francisco/);
  }));

test("a variation that is asked for does not wait", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await site.open(`/?experimentation_x=${green.id}`);

    assert.deepEqual(await answers(site), { californian: true, shopper: false });
    assert.equal(await headline(site), "Hello California");
  }));
