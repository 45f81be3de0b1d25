/** Visitors stay what they were when they were first seen: what brought them, and what they came with. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answers, asking, stored } from "../../site/audiences.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const PHONE = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36";
const MACINTOSH = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1.15";

const inShop = (questions, story, snippet = {}) =>
  stage.visit(async (site) => {
    await site.publish(asking(questions, snippet));
    await story(site);
  });

/** Opens a page, coming from an address of another site, and tells which questions are answered with yes. */
const openFrom = async (site, address, referer) => {
  await site.open(address, { referer });
  const said = await answers(site);
  return Object.keys(said).filter((question) => said[question]);
};

/** From now on the browser is another one, or the same after an update. */
const become = async (site, userAgent) => {
  const browser = await site.page.context().newCDPSession(site.page);
  await browser.send("Emulation.setUserAgentOverride", { userAgent });
};

const CAMPAIGNS = {
  spring: { type: "campaign", match: "exact", value: "spring" },
  summer: { type: "campaign", match: "exact", value: "summer" },
  // A visitor whom no campaign brought is neither in one nor outside of it.
  other: ["not", { type: "campaign", match: "exact", value: "spring" }],
};

test("the first campaign stands on all later page views, with another one and without", () =>
  inShop(CAMPAIGNS, async (site) => {
    assert.deepEqual(await openFrom(site, "/"), []);
    assert.deepEqual(await openFrom(site, "/?utm_campaign=spring"), ["spring"]);
    assert.deepEqual(await openFrom(site, "/?utm_campaign=summer"), ["spring"]);
    assert.deepEqual(await openFrom(site, "/"), ["spring"]);
  }));

test("the first referrer stands; coming from nowhere is none", () =>
  inShop(
    {
      partner: { type: "referrer", match: "substring", value: "partner.test/deals" },
      blog: { type: "referrer", match: "substring", value: "blog.test" },
    },
    async (site) => {
      assert.deepEqual(await openFrom(site, "/"), []);
      assert.deepEqual(await openFrom(site, "/", "https://partner.test/deals?a=1"), ["partner"]);
      assert.deepEqual(await openFrom(site, "/", "https://blog.test/"), ["partner"]);
      assert.deepEqual(await openFrom(site, "/"), ["partner"]);
    },
  ));

const SOURCES = Object.fromEntries(["campaign", "search", "referral", "direct"].map((value) => [value, { type: "source_type", value }]));

test("the last source stands, but coming directly is none; the site's own pages are no source", () =>
  inShop(SOURCES, async (site) => {
    assert.deepEqual(await openFrom(site, "/"), ["direct"]);
    assert.deepEqual(await openFrom(site, "/", "https://www.google.com/"), ["search"]);
    assert.deepEqual(await openFrom(site, "/"), ["search"]);
    await site.follow("/further");
    assert.deepEqual(await answers(site), { campaign: false, search: true, referral: false, direct: false });
    assert.deepEqual(await openFrom(site, "/", "https://blog.test/post"), ["referral"]);
    assert.deepEqual(await openFrom(site, "/?utm_source=letter", "https://blog.test/post"), ["campaign"]);
    assert.deepEqual(await openFrom(site, "/"), ["campaign"]);
  }));

test("the first device and browser stand; the platform is that of the page view", () =>
  inShop(
    {
      mobile: { type: "device", value: "mobile" },
      desktop: { type: "device", value: "desktop" },
      phone: { type: "device_type", value: "phone" },
      laptop: { type: "device_type", value: "desktop_laptop" },
      chrome: { type: "browser_version", value: "gc120" },
      safari: { type: "browser_version", value: "safari" },
      android: { type: "platform", value: "android_13" },
      mac: { type: "platform", value: "mac os" },
    },
    async (site) => {
      await become(site, PHONE);
      assert.deepEqual(await openFrom(site, "/"), ["mobile", "phone", "chrome", "android"]);
      await become(site, MACINTOSH);
      assert.deepEqual(await openFrom(site, "/"), ["mobile", "phone", "chrome", "mac"]);
    },
  ));

test("of whom nothing may be kept, each page view stands for itself", () =>
  inShop(
    { ...CAMPAIGNS, ...SOURCES },
    async (site) => {
      assert.deepEqual(await openFrom(site, "/?utm_campaign=spring", "https://www.google.com/"), ["spring", "search"]);
      assert.deepEqual(await openFrom(site, "/?utm_campaign=summer"), ["summer", "other", "direct"]);
      assert.equal(await stored(site), null);

      await site.push({ type: "consent", granted: true });
      assert.deepEqual(await openFrom(site, "/?utm_campaign=spring"), ["summer", "other", "direct"]);
    },
    { consent: "required" },
  ));

test("a fact that no condition asks for is not kept", () =>
  inShop({ spring: CAMPAIGNS.spring }, async (site) => {
    await openFrom(site, "/?utm_campaign=winter", "https://secret.test/");

    const kept = await stored(site);
    assert.match(kept, /,utm,winter,/);
    assert.doesNotMatch(kept, /secret|,(ref|src|dev|kind|ver),/);
  }));
