/** Times the first look of an analytics tool at all experiments, by the two functions that tell most, each in a page of its own. */

import { openPage } from "./openPage.mjs";

export const timeStates = async (browser, name) => ({
  states: await timeRead(browser, name, "getExperimentStates", "experimentStates"),
  map: await timeRead(browser, name, "getVariationMap", "variationMap"),
});

const timeRead = async (browser, name, ours, floors) => {
  const page = await openPage(browser, name);
  const time = await page.evaluate(
    ([ours, floors]) => {
      const read = window.floor?.[floors] ?? window.experimentation?.get("state")[ours] ?? (() => {});
      const began = performance.now();
      read();
      return performance.now() - began;
    },
    [ours, floors],
  );
  await page.context().close();
  return time;
};
