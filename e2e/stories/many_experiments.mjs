/** A page with more experiments than any project has: everything is shown and told as with one. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, project } from "../site/projects.mjs";
import { setRoutedStage } from "../site/routedStage.mjs";

const stage = setRoutedStage();

const COUNT = 2_000;
/** In the middle, and at the end. */
const WITH_CODE = [1_000, COUNT - 1];
const SAYING = `It's a "mug" called "Ada" \\ </script>`;

const experiment = (place) => {
  const name = `Test ${place}`;
  const change = WITH_CODE.includes(place)
    ? { type: "javascript", value: `(window.ran ??= []).push("${name}")` }
    : { type: "attribute", selector: "h1", name: `data-${place}`, value: `${name}: ${SAYING}` };
  return abTest({ id: String(10_000 + place), name, weights: [0, 10_000], changes: [[], [change]] });
};

test("every one of two thousand experiments changes the page and is told", () =>
  stage.visit(async (site) => {
    await site.publish(project({ pages: [home], campaigns: Array.from({ length: COUNT }, (_, place) => experiment(place)) }));

    await site.open();

    // So many changes are spread over some frames.
    const wanted = COUNT - WITH_CODE.length;
    await site.page.waitForFunction((count) => document.querySelector("h1").attributes.length === count, wanted);
    const { told, ran, texts } = await site.page.evaluate(() => ({
      told: Object.values(window.experimentation.get("state").getCampaignStates()).map(({ campaignName }) => campaignName),
      ran: window.ran,
      texts: Object.values(document.querySelector("h1").dataset),
    }));
    const names = Array.from({ length: COUNT }, (_, place) => `Test ${place}`);
    assert.deepEqual(told.sort(), names.toSorted());
    assert.deepEqual(ran, WITH_CODE.map((place) => `Test ${place}`));
    const shown = names.filter((name) => !ran.includes(name));
    assert.deepEqual(texts.sort(), shown.map((name) => `${name}: ${SAYING}`).sort());
  }));
