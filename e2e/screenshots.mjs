/**
 * Takes the pictures that the documents show, from the real product: `npm run screenshots`.
 * They are small enough to live in the repository; this fails if one is not.
 */

import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { startAssay } from "./site/assay.mjs";
import { openWholeBrowser } from "./site/browser.mjs";
import { visitorOf } from "./site/shop.mjs";
import { DAN } from "./site/visitors.mjs";

const MAX_BYTES = 200_000;
/** Wide enough for the shop and its open panel side by side. */
const VIEWPORT = { width: 1280, height: 760 };

const assay = await startAssay();
const browser = await openWholeBrowser();
try {
  const shop = await visitorOf(browser, assay, DAN);
  await shop.page.setViewportSize(VIEWPORT);
  await shop.open();
  await shop.openPanel();
  await save(shop.page, "demo.png");
} finally {
  await browser.close();
  await assay.stop();
}

async function save(page, name) {
  const path = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
  await page.screenshot({ path });
  const { size } = await stat(path);
  console.log(`docs/${name}: ${size} bytes`);
  if (size > MAX_BYTES) throw new Error(`docs/${name} is larger than ${MAX_BYTES} bytes`);
}
