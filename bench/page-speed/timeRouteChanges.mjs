/**
 * Times the way back to the page of the experiments in a single-page app, from the call that changes the address until all is decided
 * again. The bare call is the empty script's time.
 */

import assert from "node:assert/strict";
import { openPage } from "./openPage.mjs";

/** Chromium ignores more than 200 calls in ten seconds. */
const TIMES = 90;

export const timeRouteChanges = async (browser, name) => {
  const page = await openPage(browser, name);
  const { times, decided } = await page.evaluate(async (count) => {
    const home = location.href;
    const times = [];
    for (let time = 0; time < count; time++) {
      history.pushState(null, "", "/elsewhere");
      await Promise.resolve();
      const began = performance.now();
      history.pushState(null, "", home);
      // The snippet looks once the call has returned; the floor has to be told.
      await Promise.resolve();
      window.floor?.again();
      times.push(performance.now() - began);
    }
    return { times, decided: window.experimentation?.get("state").getActiveExperimentIds().length };
  }, TIMES);
  assert.notEqual(decided, 0);
  await page.context().close();
  return times;
};
