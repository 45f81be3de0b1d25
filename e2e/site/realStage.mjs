/** What every story that is told in every browser finds: each of them, and a visitor without a past. */

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { BROWSERS } from "../browsers/browsers.mjs";
import { VISITOR } from "./projects.mjs";
import { RealSite } from "./realSite.mjs";

/** A story that is not at its end by then hangs. */
const STORY_MS = 120_000;

/**
 * Tells a story once in each browser. Nothing may be thrown into its pages. A browser that cannot be had fails all its stories
 * with the browser's error.
 * @param {import("../browsers/browsers.mjs").Settings} [settings] of the browsers
 */
export const setRealStage = (settings) => {
  const browsers = new Map();
  const browserOf = (name) => {
    if (!browsers.has(name)) browsers.set(name, BROWSERS[name](settings));
    return browsers.get(name);
  };
  after(() => Promise.all([...browsers.values()].map(async (opened) => (await opened.catch(() => undefined))?.close())));
  return {
    /** @param {{visitorId?: string | null}} [options] `null`: a new visitor */
    inEachBrowser(fact, story, { visitorId = VISITOR } = {}) {
      for (const name of Object.keys(BROWSERS)) {
        test(`${fact}, in ${name}`, { timeout: STORY_MS }, async () => {
          const site = await RealSite.open(await browserOf(name), visitorId);
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
