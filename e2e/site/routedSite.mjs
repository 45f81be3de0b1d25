/**
 * A site of the story's own in one visitor's browser: its addresses exist in that browser only, while navigations, cookies and
 * storage are real. Each page carries the snippet of the project that was published last for its host, and nothing to see.
 */

import { compiled } from "./commands.mjs";
import { readState } from "./stateModule.mjs";

/** Where the site is, unless the story says otherwise. */
export const HOME = "http://www.shop.test/";

const SNIPPET_PATH = "/snippet.js";

/** One tab on the site. What the page throws is kept in `faults`, the addresses it asked for in `visited`. */
export class RoutedSite {
  /** @type {Map<string, string>} by host */
  #snippets = new Map();
  /** @type {Map<string, {body: string, headers: Record<string, string>}>} by address */
  #documents = new Map();
  /** @type {Map<string, () => Promise<void>>} by address */
  #waits = new Map();
  /** @type {string[]} */
  faults = [];
  /** @type {string[]} */
  visited = [];
  /** @type {string[]} */
  #campaignIds = [];

  /**
   * @param {import("playwright-core").Browser} browser
   * @param {string} [visitorId] a visitor new to the site, if left out
   */
  static async open(browser, visitorId) {
    const context = await browser.newContext();
    if (visitorId) await context.addCookies([{ name: "experimentation_id", value: visitorId, domain: ".shop.test", path: "/" }]);
    return RoutedSite.in(context);
  }

  /** @param {import("playwright-core").BrowserContext} context */
  static async in(context) {
    const site = new RoutedSite();
    await context.route("**/*", (route) => site.#answer(route));
    site.page = await context.newPage();
    site.page.on("pageerror", (error) => site.faults.push(String(error)));
    return site;
  }

  /**
   * Puts a project's snippet on all pages of a host, in place of the one before.
   * @param {object} project a project document
   */
  async publish(project, host = new URL(HOME).host) {
    this.#snippets.set(host, await compiled(project));
    this.#campaignIds = [...new Set([...this.#campaignIds, ...(project.campaigns ?? []).map(({ id }) => id)])];
  }

  /** Puts a page, or a script, of the story's own at an address, up to its query. */
  write(address, body, headers = { "content-type": "text/html" }) {
    this.#documents.set(new URL(address, HOME).href, { body, headers });
  }

  /** Does something while the browser waits for the page at an address. */
  beforeAnswering(address, act) {
    this.#waits.set(new URL(address, HOME).href, act);
  }

  /** A page with the snippet, and scripts of the site's own before and after it. */
  static page({ before = "", after = "" } = {}) {
    const scripts = `<script>${before}</script><script src="${SNIPPET_PATH}"></script><script>${after}</script>`;
    return `<!doctype html><title>Shop</title>${scripts}<h1>Hello</h1>`;
  }

  async #answer(route) {
    const request = route.request();
    const url = new URL(request.url());
    if (url.pathname === SNIPPET_PATH) {
      return route.fulfill({ contentType: "text/javascript", body: this.#snippets.get(url.host) ?? "" });
    }
    const address = url.origin + url.pathname;
    const written = this.#documents.get(address);
    const isPage = ["document", "iframe"].includes(request.resourceType());
    if (!isPage && !written) return route.fulfill({ status: 404 });
    if (isPage) this.visited.push(url.href);
    await this.#waits.get(address)?.();
    return route.fulfill(written ?? { contentType: "text/html", body: RoutedSite.page() });
  }

  /** Opens an address as a visitor who comes from nowhere, and stays there. */
  open(address = HOME, options = {}) {
    return this.page.goto(new URL(address, HOME).href, options);
  }

  /** Opens an address that leads elsewhere, and waits until the browser is there. */
  async openAndEndAt(address, end) {
    await this.open(address, { waitUntil: "commit" });
    await this.#arriveAt(end);
  }

  /** Follows a link from the page that is open, and waits until the browser has come to where it leads in the end. */
  async follow(address, end = address) {
    // The click's page may be gone before the script that clicked could answer.
    await this.page.evaluate((href) => {
      const link = Object.assign(document.createElement("a"), { href });
      document.body.append(link);
      setTimeout(() => link.click());
    }, new URL(address, HOME).href);
    await this.#arriveAt(end);
  }

  async #arriveAt(end) {
    const { href } = new URL(end, HOME);
    await this.page.waitForURL((url) => url.href === href);
    await this.page.waitForLoadState();
  }

  /** Sends commands to the snippet; tells which of them it knew. */
  push(...commands) {
    return this.page.evaluate((list) => list.map((command) => window.experimentation.push(command)), commands);
  }

  /** Everything that the functions of the state module return; decisions of all campaigns ever published here. */
  state(frame = this.page) {
    return readState(frame, this.#campaignIds);
  }

  async leave() {
    await this.page.context().close();
  }
}
