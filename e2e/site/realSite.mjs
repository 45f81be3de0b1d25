/**
 * One visitor's tab on a site of the story's own, in any browser; proxyServer.mjs is all of the web that it sees. For stories that
 * need more than one project, or what only Chromium can tell, see routedSite.mjs.
 */

import { once } from "node:events";

import { compiled } from "./commands.mjs";
import { ProxyServer } from "./proxyServer.mjs";
import { HOME } from "./routedSite.mjs";
import { readState } from "./stateModule.mjs";

/** A page that is not there by then does not come any more. */
const ARRIVAL_MS = 30_000;

export class RealSite {
  web = new ProxyServer();
  /** What pages threw, rejected without a listener, or tried against their policy. */
  faults = [];
  /** What pages wrote to the console as a warning. */
  warnings = [];
  /** @type {import("../browsers/browsers.mjs").Tab} */
  #tab;
  #campaignIds = [];

  /**
   * @param {import("../browsers/browsers.mjs").OpenBrowser} browser
   * @param {string} [visitorId] a visitor new to the site, if left out
   */
  static async open(browser, visitorId) {
    const site = new RealSite();
    if (visitorId) site.web.firstCookie = `experimentation_id=${visitorId}; Domain=shop.test; Path=/`;
    site.web.on("fault", (fault) => site.faults.push(fault));
    site.web.on("warning", (warning) => site.warnings.push(warning));
    site.#tab = await browser.newTab(await site.web.listen());
    return site;
  }

  /** Makes a project's snippet that of all pages. */
  async publish(project) {
    this.web.writeScript("/snippet.js", await compiled(project));
    this.#campaignIds = [...new Set([...this.#campaignIds, ...(project.campaigns ?? []).map(({ id }) => id)])];
  }

  /** Opens an address as a visitor who comes from nowhere, and waits until the page is shown there, or where it leads. */
  open(address = HOME, end = address) {
    return this.#arriveAt(end, () => this.#tab.goTo(new URL(address, HOME).href));
  }

  /** Follows a link from the page that is open, and waits until the browser has come to where it leads in the end. */
  follow(address, end = address) {
    const click = (href) => {
      const link = Object.assign(document.createElement("a"), { href });
      document.body.append(link);
      // The click's page may be gone before it could answer.
      setTimeout(() => link.click());
    };
    return this.#arriveAt(end, () => this.evaluate(click, new URL(address, HOME).href));
  }

  /** Goes one page back. */
  goBackTo(address) {
    return this.#arriveAt(address, () => this.#stepBack());
  }

  /** Goes one step back within the page. */
  async stepBackTo(address) {
    await this.#stepBack();
    await this.until((href) => location.href === href, new URL(address, HOME).href);
  }

  /** The page itself goes: a browser's own button passes over entries without a click. */
  #stepBack() {
    return this.evaluate(() => void setTimeout(() => history.back()));
  }

  async #arriveAt(end, leave) {
    const { href } = new URL(end, HOME);
    const shown = this.#shown(href);
    await leave();
    await shown;
  }

  async #shown(href) {
    const signal = AbortSignal.timeout(ARRIVAL_MS);
    for (;;) {
      const [address] = await once(this.web, "shown", { signal });
      if (address === href) return;
    }
  }

  /** What a function returns in the page, or what its promise resolves to. */
  evaluate(run, argument) {
    return this.#tab.evaluate(`(${run})(${JSON.stringify(argument)})`);
  }

  /** Waits until a function says yes in the page; it is asked in each frame. */
  async until(run, argument) {
    const asked = `(${run})(${JSON.stringify(argument)})`;
    const look = `const look = () => (${asked} ? resolve() : requestAnimationFrame(look))`;
    await this.#tab.evaluate(`new Promise((resolve) => { ${look}; look(); })`);
  }

  /** Sends commands to the snippet; tells which of them it knew. */
  push(...commands) {
    return this.evaluate((list) => list.map((command) => window.experimentation.push(command)), commands);
  }

  /** Everything that the functions of the state module return. */
  state() {
    return readState(this, this.#campaignIds);
  }

  /** The text of the first element that a selector finds. */
  textOf(selector) {
    return this.evaluate((wanted) => document.querySelector(wanted)?.textContent, selector);
  }

  async leave() {
    await this.#tab.close().finally(() => this.web.close());
  }
}
