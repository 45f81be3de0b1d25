/** Times a script from its first statement to its last, in a browser that has never seen the site, and on its third page view. */

import { openPage } from "./openPage.mjs";

export const timeLoads = async (browser, name) => {
  const page = await openPage(browser, name);
  const cold = await timeTaken(page);
  await page.reload();
  await page.goto(page.url());
  const warm = await timeTaken(page);
  await page.context().close();
  return { cold, warm };
};

const timeTaken = (page) =>
  page.evaluate(() => {
    if (!crossOriginIsolated) {
      throw new Error("the browser rounds its clock");
    }
    return window.ended - window.began;
  });
