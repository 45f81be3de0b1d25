/**
 * What every story about preview links finds: a server with a project that takes them, and a person's browser on a site whose pages
 * load the snippet from it. Visitors see the original, and cannot force a variation.
 */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";

import { startAssay } from "./assay.mjs";
import { openBrowser } from "./browser.mjs";
import { previewLink } from "./commands.mjs";
import { abTest, everywhere, project, VISITOR } from "./projects.mjs";
import { HOME } from "./routedSite.mjs";

const says = (value) => [undefined, [{ type: "text", selector: "h1", value }]];

const SHOP = project({
  snippet: { preview: true, allow_force: false },
  pages: [everywhere({ key: "home" })],
  campaigns: [
    abTest({ id: "4001", weights: [10000, 0], changes: says("Running") }),
    abTest({ id: "4002", weights: [10000, 0], changes: says("Draft"), status: "not_started" }),
  ],
});

export const RUNNING = "324001";
export const DRAFT = "324002";
export const TAG = `<script src="/js/1000.js"></script>`;

/** Notes what the snippet has done by the time the page goes on. */
const NOTE = `<script nonce="abc">window.atOnce = typeof window.experimentation?.get;</script>`;

export const setPreviewStage = () => {
  const stage = new PreviewStage();
  before(async () => {
    stage.browser = await openBrowser();
    stage.assay = await startAssay({ project: SHOP });
  });
  beforeEach(() => stage.arrive());
  afterEach(async () => {
    await stage.page.context().close();
    assert.deepEqual(stage.faults, []);
  });
  after(async () => {
    await stage.browser?.close();
    await stage.assay?.stop();
  });
  return stage;
};

class PreviewStage {
  /** @type {import("playwright-core").Page} */
  page;
  /** What the page threw, and what it warned of. */
  faults;
  warnings;
  /** Addresses at which the snippet was asked for. */
  asked;
  /** How pages load the snippet, and the headers they come with. */
  tag;
  headers;
  /** Answers requests for the snippet; a story may put something in its way. */
  deliver;

  async arrive() {
    Object.assign(this, { faults: [], warnings: [], asked: [], tag: TAG, headers: {}, deliver: (route) => this.passOn(route) });
    const context = await this.browser.newContext();
    await context.addCookies([{ name: "experimentation_id", value: VISITOR, domain: ".shop.test", path: "/" }]);
    await context.route("**/*", (route) => this.#answer(route));
    await this.openTab(context);
  }

  async openTab(context = this.page.context()) {
    this.page = await context.newPage();
    this.page.on("pageerror", (error) => this.faults.push(String(error)));
    this.page.on("console", (message) => message.type() === "warning" && this.warnings.push(message.text()));
  }

  #answer(route) {
    const url = new URL(route.request().url());
    if (url.pathname.startsWith("/js/")) {
      this.asked.push(url.pathname + url.search);
      return this.deliver(route, url);
    }
    const body = `<!doctype html><title>Shop</title>${this.tag}${NOTE}<h1>Hello</h1><a href="/other">Other</a>`;
    return route.fulfill({ contentType: "text/html", headers: this.headers, body });
  }

  /** The server's own answer, as if it were on the site. */
  async passOn(route) {
    const { pathname, search } = new URL(route.request().url());
    return route.fulfill({ response: await route.fetch({ url: this.assay.url + pathname + search }) });
  }

  /** A fresh link to a page of the site. */
  link(variations, url = HOME) {
    return previewLink(this.assay, url, variations);
  }

  /** Opens an address and waits until all scripts it asked for have run. */
  open(url = HOME) {
    return this.page.goto(new URL(url, HOME).href, { waitUntil: "networkidle" });
  }

  headline() {
    return this.page.locator("h1").innerText();
  }

  /** Whether the snippet had run when the page's next script did. */
  async wasThereAtOnce() {
    return (await this.page.evaluate(() => window.atOnce)) === "function";
  }
}
