/** What every story about a site of its own finds: a browser, and a visitor without a past. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { openBrowser } from "./browser.mjs";
import { VISITOR } from "./projects.mjs";
import { RoutedSite } from "./routedSite.mjs";

/** Prepares the stories of a file. */
export const setRoutedStage = () => {
  const stage = {
    /** @type {import("playwright-core").Browser} */
    browser: undefined,
    /** The visitor comes to a site of the story's own. Nothing may be thrown into its pages. */
    async visit(story, visitorId = VISITOR) {
      const site = await RoutedSite.open(stage.browser, visitorId);
      try {
        await story(site);
        assert.deepEqual(site.faults, []);
      } finally {
        await site.leave();
      }
    },
  };
  before(async () => {
    stage.browser = await openBrowser();
  });
  after(() => stage.browser?.close());
  return stage;
};
