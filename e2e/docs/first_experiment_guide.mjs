/** A newcomer follows docs/guides/first-experiment.md on the demo, from the plan to the winner. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { startAssay } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { FirstExperiment } from "./firstExperiment.mjs";

const STORY_MS = 120_000;
const NEW_TEXT = "Choose your mug";

let assay, browser, reader;

before(async () => {
  [assay, browser] = await Promise.all([startAssay(), openBrowser()]);
  reader = await FirstExperiment.begin(assay, await browser.newPage());
});

after(async () => {
  await browser.close();
  await assay.stop();
  await reader.end();
});

const buttonOf = (shop) => shop.locator(".hero .button").innerText();

/** Four strangers: with two variations, all of them would see the new text once in 16 times. */
const seenByOthers = async () => {
  for (let count = 0; count < 4; count += 1) {
    const visitor = await browser.newPage();
    await visitor.goto(assay.demoUrl);
    assert.equal(await buttonOf(visitor), NEW_TEXT);
    await visitor.close();
  }
};

test("the guide leads from a question to a winner that all visitors see", { timeout: STORY_MS }, async () => {
  const { said, printed } = await reader.plan();
  assert.equal(said.trim(), printed.trim(), "the guide shows what the planner says");

  await reader.signIn();
  await reader.describeCampaign();
  await reader.addToDraft();
  const shop = await browser.newPage();
  await reader.preview(shop);
  assert.equal(await buttonOf(shop), NEW_TEXT);
  await shop.close();
  await reader.start();

  assert.match(await reader.haveVisitors(), /2500 of 2500 visitors/);
  assert.match(await reader.openResults(), /With Variation, between [\d.]+ % and [\d.]+ % more visitors convert on find_mug than with Original/);

  await reader.conclude();
  await seenByOthers();
});
