/** A new project, on a phone without JavaScript: a member follows the list of first steps to its end, and looks at the pages beside them. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { startAssay } from "../../site/assay.mjs";
import { openBrowser } from "../../site/browser.mjs";

const PHONE = { width: 390, height: 844 };

let assay, browser, site, siteUrl;

before(async () => {
  [assay, browser] = await Promise.all([startAssay({ isEmpty: true }), openBrowser()]);
  const tag = `<script src="${assay.url}/js/1000.js"></script>`;
  site = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><head><title>Shop</title>${tag}</head><body><h1>Shop</h1></body></html>`);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  siteUrl = `http://127.0.0.1:${site.address().port}/`;
});

after(async () => {
  site.close();
  await browser.close();
  await assay.stop();
});

test("the steps lead from a new project to a running experiment", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE, colorScheme: "dark" });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const press = (name) => page.getByRole("button", { name, exact: true }).first().click();
  const home = () => page.goto(`${assay.url}/projects/1000`);
  const steps = () => page.getByRole("region", { name: "On the way to your first experiment" });
  const follow = async (done, name) => {
    await home();
    assert.match(await steps().innerText(), new RegExp(`${done} of 5 done`));
    await steps().getByRole("link", { name }).click();
  };
  await page.goto(assay.setupUrl);
  await page.getByLabel("Your e-mail").fill("ann@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByLabel("Project name").fill("Ann's shop");
  await page.getByLabel("Address of the site").fill(siteUrl);
  await press("Set up");

  await follow(1, "Make an experiment");
  await page.getByLabel("Name").first().fill("Louder headline");
  await page.getByLabel("Home page (home)").check();
  await press("Add to the draft");
  await follow(2, "Look at it");
  await page.getByLabel("Address of the page").fill(siteUrl);
  await page.locator("select[name=variations]").selectOption({ index: 1 });
  await press("Make the link");
  await follow(3, "Start it");
  await press("Start");
  await follow(4, "Install the snippet");
  const visitor = await browser.newPage();
  await visitor.goto(siteUrl);
  await visitor.close();

  // Axe needs scripts to run; the pages have none of their own.
  const scripted = await browser.newContext({ viewport: PHONE, colorScheme: "dark", storageState: await context.storageState() });
  const looked = await scripted.newPage();
  await looked.goto(`${assay.url}/projects/1000/install`);
  await looked.locator("#installed[data-state=seen]").waitFor();
  await home();
  assert.equal(await steps().count(), 0, "all steps are done");
  for (const place of ["/", "/projects/new", ...["", "/settings", "/size", "/schedule", "/history/compare"].map((tab) => `/projects/1000${tab}`)]) {
    await looked.goto(`${assay.url}${place}`);
    assert.deepEqual(await accessibilityFaults(looked), [], place);
    assert.equal(await looked.evaluate(() => document.documentElement.scrollWidth), PHONE.width, place);
  }
  await Promise.all([context.close(), scripted.close()]);
});
