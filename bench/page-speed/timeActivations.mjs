/** Times how long it takes to decide all again when the page asks for it, in a page that has been open for a while. */

import { openPage } from "./openPage.mjs";

const TIMES = 500;

export const timeActivations = async (browser, name) => {
  const page = await openPage(browser, name);
  const times = await page.evaluate((count) => {
    const again = window.floor?.again ?? (window.experimentation ? () => window.experimentation.push({ type: "activate" }) : () => {});
    return Array.from({ length: count }, () => {
      const began = performance.now();
      again();
      return performance.now() - began;
    });
  }, TIMES);
  await page.context().close();
  return times;
};
