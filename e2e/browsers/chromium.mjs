/** Chromium, by way of Playwright. */

import { openStorageRefused, openWholeBrowser } from "../site/browser.mjs";

/** Playwright would have pages end when they are left; browsers keep them for the way back. */
const UNLIKE_OTHERS = ["--disable-back-forward-cache"];

/**
 * @param {import("./browsers.mjs").Settings} [settings]
 * @returns {Promise<import("./browsers.mjs").OpenBrowser>}
 */
export const openChromium = async ({ refusesStorage } = {}) => {
  // Who refuses storage does so in the profile, which is all of a browser's.
  if (refusesStorage) return { newTab: newTabThatRefusesStorage, close: async () => {} };
  const browser = await openWholeBrowser([], UNLIKE_OTHERS);
  return {
    async newTab(proxy) {
      const context = await browser.newContext(through(proxy));
      return tabIn(context, () => context.close());
    },
    close: () => browser.close(),
  };
};

const newTabThatRefusesStorage = async (proxy) => {
  const { context, close } = await openStorageRefused(through(proxy));
  return tabIn(context, close);
};

const through = (proxy) => ({ proxy: { server: `http://${proxy}` } });

/**
 * @param {import("playwright-core").BrowserContext} context
 * @param {() => Promise<void>} close
 */
const tabIn = async (context, close) => {
  const page = await context.newPage();
  // Playwright's own evaluation loses its way where a page comes back out of the browser's cache.
  const devtools = await context.newCDPSession(page);
  return {
    async goTo(url) {
      await page.goto(url, { waitUntil: "commit" });
    },
    async evaluate(expression) {
      const options = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", options);
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    close,
  };
};
