/** What every story finds: a browser, and a server that no other story has used. */

import { after, afterEach, before, beforeEach } from "node:test";

import { Application } from "./application.mjs";
import { startAssay } from "./assay.mjs";
import { openBrowser } from "./browser.mjs";
import { Member } from "./member.mjs";
import { visitorOf } from "./shop.mjs";

/**
 * Prepares the stories of a file.
 * @param {() => Promise<import("./assay.mjs").Assay>} start
 * @param {() => Promise<import("playwright-core").Browser>} open
 */
export const setStage = (start = startAssay, open = openBrowser) => {
  const stage = new Stage();
  before(async () => {
    stage.browser = await open();
  });
  beforeEach(async () => {
    stage.assay = await start();
  });
  afterEach(() => stage.assay?.stop());
  after(() => stage.browser?.close());
  return stage;
};

class Stage {
  /** @type {import("playwright-core").Browser} */
  browser;
  /** @type {import("./assay.mjs").Assay} */
  assay;

  /** A visitor comes, named by the id in the cookie; the story says what happens. */
  async visit(visitorId, story) {
    const shop = await visitorOf(this.browser, this.assay, visitorId);
    await story(shop).finally(() => shop.leave());
  }

  /** An application asks a member for access; the story says what happens. */
  async authorize(story) {
    const application = await Application.discover(this.assay);
    const context = await this.browser.newContext();
    const member = new Member(await context.newPage(), this.assay);
    await story(application, member).finally(() => member.leave());
  }
}
