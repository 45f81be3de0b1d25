/** What every story that is told in all engines finds: a browser of each, and a visitor without a past. */

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { ENGINES } from "../engines/engines.mjs";
import { VISITOR } from "./projects.mjs";
import { RealSite } from "./realSite.mjs";

/** A story that is not at its end by then hangs. */
const STORY_MS = 120_000;

/**
 * Tells a story once in each engine. Nothing may be thrown into its pages. An engine whose browser cannot be had fails all its stories
 * with the browser's error.
 * @param {import("../engines/engines.mjs").Settings} [settings] of the browsers
 */
export const setRealStage = (settings) => {
  const browsers = new Map();
  const browserOf = (engine) => {
    if (!browsers.has(engine)) browsers.set(engine, ENGINES[engine](settings));
    return browsers.get(engine);
  };
  after(() => Promise.all([...browsers.values()].map(async (opened) => (await opened.catch(() => undefined))?.close())));
  return {
    /** @param {{visitorId?: string | null}} [options] `null`: somebody new */
    inEachEngine(fact, story, { visitorId = VISITOR } = {}) {
      for (const engine of Object.keys(ENGINES)) {
        test(`${fact}, in ${engine}`, { timeout: STORY_MS }, async () => {
          const site = await RealSite.open(await browserOf(engine), visitorId);
          try {
            await story(site);
            assert.deepEqual(site.faults, []);
          } finally {
            await site.leave();
          }
        });
      }
    },
  };
};
