/**
 * A browser that keeps what scripts store for a week, as Safari does, on a site that has its server keep the visitor's cookie: the
 * visitor stays in the same variation.
 */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { startAssay } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { frontedSite } from "../site/frontedSite.mjs";
import { abTest, everywhere, project } from "../site/projects.mjs";

const DAY_SECONDS = 24 * 60 * 60;

const SHOP = project({
  snippet: { cookie_domain: "shop.localhost", visitor_id: { renewed_by: "server" } },
  pages: [everywhere({ key: "home", conditions: [] })],
  campaigns: [abTest()],
});

/** Every cookie that a script writes ends within a week. */
const capScriptCookies = () => {
  const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  Object.defineProperty(document, "cookie", {
    get: () => get.call(document),
    set: (text) => set.call(document, text.replace(/max-age=(\d+)/i, (_, seconds) => `max-age=${Math.min(Number(seconds), 7 * 86400)}`)),
  });
};

let browser, assay, site, context, page;

before(async () => {
  browser = await openBrowser();
});
beforeEach(async () => {
  assay = await startAssay({ project: SHOP });
  site = await frontedSite(assay.url);
  context = await browser.newContext();
  await context.addInitScript(capScriptCookies);
  page = await context.newPage();
});
afterEach(async () => {
  await context?.close();
  await site?.stop();
  await assay?.stop();
});
after(() => browser?.close());

const open = () => page.goto(`http://www.shop.localhost:${site.port}/`);
const idCookie = async () => (await context.cookies()).find(({ name }) => name === "experimentation_id");
const daysLeft = async () => Math.round(((await idCookie()).expires - Date.now() / 1000) / DAY_SECONDS);
const whoAndWhat = () =>
  page.evaluate(() => [window.experimentation.get("visitor").visitorId, window.experimentation.get("state").getVariationMap()]);

/** What the browser still has in its cache it does not ask for. */
const forgetSnippet = async () => (await context.newCDPSession(page)).send("Network.clearBrowserCache");

/** What the browser has dropped when the visitor comes back after so many days. */
const comeBackAfter = async (days) => {
  const kept = (await context.cookies()).filter(({ expires }) => expires - Date.now() / 1000 > days * DAY_SECONDS);
  await page.evaluate(() => localStorage.clear());
  await context.clearCookies();
  await context.addCookies(kept);
};

test("a visitor of one page view is the same one a month later", async () => {
  await open();
  const first = await whoAndWhat();
  assert.equal((await idCookie()).value, first[0]);
  assert.equal((await idCookie()).domain, ".shop.localhost");
  assert.equal(await daysLeft(), 400);

  await comeBackAfter(30);
  await open();

  assert.deepEqual(await whoAndWhat(), first);
  assert.equal(await daysLeft(), 400);
});

test("a visitor whose cookie is lost is known by the page, and the server keeps that from then on", async () => {
  await open();
  const first = await whoAndWhat();
  await context.clearCookies();

  for (const expectedDays of [7, 400]) {
    await forgetSnippet();
    await open();

    assert.deepEqual(await whoAndWhat(), first);
    assert.equal(await daysLeft(), expectedDays);
  }
});

test("a visitor who opts out stays out", async () => {
  await open();
  await page.evaluate(() => window.experimentation.push({ type: "optOut" }));
  await forgetSnippet();

  await open();

  assert.equal((await idCookie()).value, "-");
  assert.equal(await daysLeft(), 400);
});
