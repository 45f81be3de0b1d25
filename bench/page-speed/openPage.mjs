/** Opens a candidate's page in a browser that has never seen the site. */

import { ORIGIN } from "./site.mjs";

/** A browser is busy with itself for a while after it opened a new context. */
const SETTLE_MS = 100;

export const openPage = async (browser, name) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.waitForTimeout(SETTLE_MS);
  await page.goto(`${ORIGIN}/?${name}`);
  return page;
};
