/** Before anything is timed: ours and the floor must decide all experiments and tell of them, and alike, or they do not do the same work. */

import assert from "node:assert/strict";
import { ORIGIN } from "./site.mjs";

export const checkDecisions = async (browser, size) => {
  const context = await browser.newContext();
  await context.addCookies([{ name: "experimentation_id", value: "ada", url: ORIGIN }]);
  const page = await context.newPage();

  await page.goto(`${ORIGIN}/?floor-${size}`);
  const floor = await page.evaluate(() => [window.floor.experimentStates(), window.floor.variationMap()]);

  await page.evaluate(() => localStorage.clear());
  await page.goto(`${ORIGIN}/?ours-${size}`);
  const ours = await page.evaluate(() => {
    const state = window.experimentation.get("state");
    return [state.getExperimentStates({ isActive: true }), state.getVariationMap()];
  });

  await context.close();
  assert.equal(Object.keys(ours[0]).length, size);
  assert.deepEqual(ours, floor);
};
