/** A table that is wider than a phone scrolls, and a shadow lies at each end behind which there are more columns. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { PNG } from "pngjs";

import { setStage } from "../../site/stage.mjs";

const stage = setStage();

/** How bright the points of a column of a picture are together; `x` counts from the right if it is negative. */
const brightness = ({ width, height, data }, x) => {
  const column = x < 0 ? width + x : x;
  let sum = 0;
  for (let row = 0; row < height; row += 1) sum += data[4 * (row * width + column)];
  return sum / height;
};

/** Whether there is a shadow at the start and at the end of a table. */
const shadows = async (table) => {
  const picture = PNG.sync.read(await table.screenshot({ animations: "disabled" }));
  const [start, end] = [brightness(picture, 1), brightness(picture, -2)];
  return { start: start < end - 20, end: end < start - 20 };
};

test("a shadow says at which end of a table there are more columns", async () => {
  const page = await stage.browser.newPage({ viewport: { width: 360, height: 900 }, colorScheme: "light" });
  await page.goto(new URL("/docs/results-example", stage.assay.url).href);
  const table = page.locator(".scroll").first();

  const atStart = await shadows(table);
  await table.focus();
  await table.evaluate((element) => element.scrollTo({ left: element.scrollWidth, behavior: "instant" }));
  const atEnd = await shadows(table);

  assert.deepEqual(atStart, { start: false, end: true });
  assert.deepEqual(atEnd, { start: true, end: false });
  await page.close();
});
