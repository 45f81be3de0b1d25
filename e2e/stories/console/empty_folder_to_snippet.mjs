/**
 * A person who has never seen Assay: from an empty folder, over the address that `assay serve` prints, to a snippet that a site of theirs
 * loads. The clicks are counted.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { startAssay } from "../../site/assay.mjs";
import { openBrowser } from "../../site/browser.mjs";

/** With one click for the form, and one to copy the tag. */
const CLICKS_AT_MOST = 2;

const OWNER = { email: "ann@example.com", password: "correct horse battery" };

let assay, browser, site, siteUrl;

before(async () => {
  [assay, browser] = await Promise.all([startAssay({ isEmpty: true }), openBrowser()]);
  site = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><head><title>Shop</title>${site.tag ?? ""}</head><body><h1>Shop</h1></body></html>`);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  siteUrl = `http://127.0.0.1:${site.address().port}`;
});

after(async () => {
  site.close();
  await browser.close();
  await assay.stop();
});

/** How far the page is wider than the screen. */
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("an empty server becomes one with an owner and a snippet that is seen on the site", async () => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  let clicks = 0;
  const click = async (name) => {
    clicks += 1;
    await page.getByRole("button", { name }).click();
  };

  await page.goto(assay.setupUrl);
  assert.equal(new URL(page.url()).search, "", "the address keeps no token");
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByLabel("Your e-mail").fill(OWNER.email);
  await page.getByLabel("Password").fill(OWNER.password);
  await page.getByLabel("Project name").fill("Ann's shop");
  await page.getByLabel("Address of the site").fill(siteUrl);
  await click("Set up");
  await page.waitForURL("**/projects/1000/install");
  assert.match(await page.locator("#installed").innerText(), /not seen yet/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await click("Copy the tag");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  site.tag = await page.evaluate(() => navigator.clipboard.readText());
  const visitor = await browser.newPage();
  await visitor.goto(siteUrl);

  await page.locator("#installed[data-state=seen]").waitFor();
  assert.match(await page.locator("#installed").innerText(), new RegExp(`installed[\\s\\S]*${siteUrl}`));
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.ok(clicks <= CLICKS_AT_MOST, `${clicks} clicks`);
  await context.close();
});

test("without JavaScript, on a phone, the page has the tag, the check and a link that asks again", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(`${assay.url}/projects/1000/install`);
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password").fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in" }).first().click();

  await page.waitForURL("**/projects/1000/install");
  assert.equal(await page.getByRole("button", { name: "Copy the tag" }).isVisible(), false);
  assert.match(await page.locator("#tag").innerText(), /^<script src="http:.*\/js\/1000.js"><\/script>$/);
  assert.match(await page.locator("#installed").innerText(), /installed/);
  assert.equal(await overflow(page), 0);
  await context.close();
});
