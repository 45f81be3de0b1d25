/** People's browsers: what Chromium says of being driven by a program, whose events do not count, is taken back. */

import { openWholeBrowser } from "./browser.mjs";

/** A browser that names itself as the same one with windows does, in beacons, too. */
export const openPersonsBrowser = async (further = [], unwanted = []) =>
  openWholeBrowser([`--user-agent=${await withoutHeadless()}`, ...further], unwanted);

const withoutHeadless = async () => {
  const browser = await openWholeBrowser();
  const page = await browser.newPage();
  const name = await page.evaluate(() => navigator.userAgent);
  await browser.close();
  return name.replace("Headless", "");
};

/**
 * @param {import("playwright-core").Browser} browser
 * @returns {Promise<import("playwright-core").BrowserContext>} a fresh profile, which a person uses
 */
export const personIn = async (browser) => {
  const context = await browser.newContext();
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false }));
  return context;
};
