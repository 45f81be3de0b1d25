/** What visitors see and do in their browsers is counted by the server, each once, and an application reads who won. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPersonsBrowser, personIn } from "../site/people.mjs";
import { BEFORE, readerToken, resultsOnce, startAskedOften, sum } from "../site/demoResults.mjs";
import { visitorIn } from "../site/shop.mjs";
import { setStage } from "../site/stage.mjs";

const stage = setStage(startAskedOften, openPersonsBrowser);

const conversions = (results) => results.metrics[0].variations.map(({ total }) => total);

/** The results as soon as so many visitors are in the test, of whom so many converted. */
const resultsOf = async (token, visitors, converted = 0) => {
  const counted = (results) => [sum(results.variations.map((one) => one.visitors)), sum(conversions(results))];
  const isEnough = ([came, bought]) => came >= visitors && bought >= converted;
  const results = await resultsOnce(stage, token, (results) => isEnough(counted(results)));
  assert.ok(isEnough(counted(results)), `${counted(results)} of ${visitors} visitors and ${converted} conversions are counted`);
  return results;
};

test("visitors in real browsers are counted once, in the variation they saw, with what they clicked", async () => {
  const token = await readerToken(stage);
  const before = await resultsOf(token, BEFORE);
  const came = [0, 0];
  const clicked = [0, 0];
  const contexts = [];

  for (let number = 0; number < 8; number++) {
    const { page } = await visitorIn(await personIn(stage.browser), stage.assay, `visitor-${number}`);
    await page.goto(stage.assay.demoUrl);
    const place = await page.evaluate(() => {
      const { variation } = window.experimentation.get("state").getCampaignStates()["3001"];
      return ["5001", "5002"].indexOf(variation.id);
    });
    came[place]++;
    // Back and forth, and a second tab: still one visitor.
    await page.reload();
    const tab = await page.context().newPage();
    await tab.goto(stage.assay.demoUrl);
    if (number % 2) {
      clicked[place]++;
      await tab.click(".hero .button");
      await page.click(".hero .button");
    }
    // A page that is left sends what waits.
    for (const each of [tab, page]) await each.goto("about:blank");
    contexts.push(page.context());
  }

  const after = await resultsOf(token, BEFORE + 8, sum(conversions(before)) + sum(clicked));
  // Only now: a browser that is closed drops what it has not sent yet.
  for (const context of contexts) await context.close();
  assert.deepEqual(after.variations.map(({ visitors }, place) => visitors - before.variations[place].visitors), came);
  assert.deepEqual(conversions(after).map((total, place) => total - conversions(before)[place]), clicked);
});

test("the demo's made-up visitors show who won", async () => {
  const { verdict, variations, health } = await resultsOf(await readerToken(stage), BEFORE);

  assert.equal(verdict.code, "better", verdict.text);
  assert.match(verdict.text, /With `Short`, between \d+\.\d % and \d+\.\d % more visitors convert on `find_mug` than with `Original`/);
  assert.equal(sum(variations.map(({ visitors }) => visitors)), BEFORE);
  assert.equal(health.sample_ratio.is_alarmed, false);
});
