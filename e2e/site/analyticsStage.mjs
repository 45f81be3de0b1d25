/** What every story about analytics finds: a shop whose tools send to collectors of its own, and a visitor without a past. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { AnalyticsSite } from "./analyticsSite.mjs";
import { openBrowser } from "./browser.mjs";
import { VISITOR } from "./projects.mjs";

/** Prepares the stories of a file. */
export const setAnalyticsStage = () => {
  let browser;
  /** @type {AnalyticsSite} */
  let site;
  before(async () => {
    site = await AnalyticsSite.start();
    browser = await openBrowser([site.resolverRules]);
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });
  return {
    /** Nothing may be thrown into the pages, and no server be asked but the story's own. */
    async visit(story, visitorId = VISITOR) {
      await site.receive(browser, visitorId);
      try {
        await story(site);
        assert.deepEqual(site.faults, []);
        assert.deepEqual(site.strangers, []);
      } finally {
        await site.leave();
      }
    },
  };
};
