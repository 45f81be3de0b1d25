/** Every page of the console is accessible, wide and by day, and on a phone in the dark. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { everyPage } from "../../site/everyPage.mjs";
import { Member } from "../../site/member.mjs";
import { setStage } from "../../site/stage.mjs";

const stage = setStage();

/** Fewer, and the walk has lost its way. */
const KINDS_AT_LEAST = 30;

const VIEWS = {
  wide: { viewport: { width: 1280, height: 900 }, scheme: "light" },
  phone: { viewport: { width: 390, height: 844 }, scheme: "dark" },
};

/** Documents look alike, and are long: those that a person who is not signed in meets below stand for all in the dark. */
const isDocument = (kind) => kind.startsWith("/docs/");

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What is wrong with the page that is open, in each view. `isWhole`: on a phone, too, and not its width alone. */
const faultsOf = async (page, kind, isWhole) => {
  const found = [];
  for (const [name, { viewport, scheme }] of Object.entries(VIEWS)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: scheme });
    const faults = isWhole || name === "wide" ? await accessibilityFaults(page) : [];
    if ((await overflow(page)) > 0) faults.push("is wider than the screen");
    found.push(...faults.map((fault) => `${kind}, ${name}: ${fault}`));
  }
  return found;
};

test("a member meets no page that keeps people out", async () => {
  const page = await stage.browser.newPage();
  const member = new Member(page, stage.assay);
  await member.open(stage.assay.url);
  await member.signIn();
  const faults = [];
  const kinds = await everyPage(page, stage.assay.url, async (kind) => {
    faults.push(...(await faultsOf(page, kind, !isDocument(kind))));
  });

  assert.deepEqual(faults, []);
  assert.ok(kinds.length >= KINDS_AT_LEAST, `the walk came to ${kinds}`);
  await page.close();
});

test("a person who is not signed in meets no page that keeps people out", async () => {
  const page = await stage.browser.newPage();
  const faults = [];
  for (const path of ["/", "/forgotten", "/no/such/page", "/invitation?token=none", "/docs/design", "/docs/results-example", "/docs", "/docs/project-file"]) {
    await page.goto(new URL(path, stage.assay.url).href);
    faults.push(...(await faultsOf(page, path, true)));
  }

  assert.deepEqual(faults, []);
  await page.close();
});
