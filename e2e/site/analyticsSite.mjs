/**
 * A shop that is measured, in one visitor's browser: a server of the story's own answers for every host, with the shop's pages, the
 * snippet, the tools' libraries as they come from npm, and the collectors that the tools send to. What they send is kept, byte for byte.
 */

import { EventEmitter, on } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

import { compiled } from "./commands.mjs";
import { HOME } from "./routedSite.mjs";

/** Where the tools send to. */
export const COLLECTOR = "http://collector.test";

/** Where the tools' libraries are, by the start of their path. */
const LIBRARIES = { "/npm/": new URL("../node_modules/", import.meta.url), "/receivers/": new URL("receivers/", import.meta.url) };

/** The file of a package from npm that the site has under an address. */
export const npmFile = (path) => new URL(path.slice("/npm/".length), LIBRARIES["/npm/"]);

/** Amplitude sends again what is not answered so. */
const THANKS = JSON.stringify({ code: 200 });

/** Longer than any tool takes to send. */
const PATIENCE_MS = 10_000;

const TYPES = { js: "text/javascript", json: "application/json" };

/**
 * @typedef {object} Received what a collector was sent
 * @property {string} path
 * @property {URLSearchParams} query
 * @property {string} body
 */

export class AnalyticsSite {
  #server = createServer((request, response) => this.#answer(request, response));
  #arrivals = new EventEmitter();
  #snippet = "";
  /** @type {Map<string, {text: string, status: number, headers: Record<string, string>}>} by address */
  #documents = new Map();
  /** @type {Received[]} */
  received = [];
  /** What the page throws, and what it logs as going wrong. */
  faults = [];
  warnings = [];
  /** Hosts that are none of the story's. */
  strangers = [];
  /** Whether the tools' libraries can be had. */
  hasLibraries = true;

  static async start() {
    const site = new AnalyticsSite();
    await new Promise((listening) => site.#server.listen(0, "127.0.0.1", listening));
    return site;
  }

  /** What Chromium must be told, so that all hosts are this server. */
  get resolverRules() {
    return `--host-resolver-rules=MAP *.test 127.0.0.1:${this.#server.address().port}`;
  }

  /** A visitor without a past but for an id, if any. */
  async receive(browser, visitorId) {
    this.received = [];
    this.faults = [];
    this.warnings = [];
    this.strangers = [];
    this.hasLibraries = true;
    this.#documents.clear();
    this.context = await browser.newContext();
    if (visitorId) await this.context.addCookies([{ name: "experimentation_id", value: visitorId, domain: ".shop.test", path: "/" }]);
    this.page = await this.context.newPage();
    this.context.on("request", (request) => this.#notice(new URL(request.url())));
    this.page.on("pageerror", (error) => this.faults.push(String(error)));
    this.page.on("console", (message) => ["warning", "error"].includes(message.type()) && this.warnings.push(message.text()));
  }

  async publish(project) {
    this.#snippet = await compiled(project);
  }

  /** The shop's pages from now on: the snippet, with the site's own HTML above and below it in the head. */
  measure({ above = "", below = "" }) {
    this.#documents.set("", { text: document(`${above}<script src="/snippet.js"></script>${below}`) });
  }

  /** One page, or answer, at an address. */
  write(address, text, { status = 200, headers = {} } = {}) {
    this.#documents.set(new URL(address, HOME).href, { text, status, headers });
  }

  open(address = HOME) {
    return this.page.goto(new URL(address, HOME).href);
  }

  /** Comes to an address by a link on a partner's site, and is where it leads in the end. */
  async comeFromPartner(address, end = address) {
    const href = new URL(address, HOME).href;
    this.write(PARTNER, document(`<meta name="referrer" content="unsafe-url"><a href="${href}">Shop</a>`));
    await this.open(PARTNER);
    await this.page.click("a", { noWaitAfter: true });
    await this.page.waitForURL(new URL(end, HOME).href);
    await this.page.waitForLoadState();
  }

  /**
   * What the collectors were sent, once `wanted` says that all is there.
   * @param {(received: Received[]) => boolean} wanted
   */
  async arrived(wanted) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      if (wanted(this.received)) return this.received;
      for await (const _ of on(this.#arrivals, "received", { signal })) if (wanted(this.received)) return this.received;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const { received, faults, warnings } = this;
    throw new Error(`not all was sent: ${JSON.stringify({ received, faults, warnings }, null, 1)}`);
  }

  async #answer(request, response) {
    const url = new URL(request.url, `http://${request.headers.host}`);
    const body = Buffer.concat(await request.toArray()).toString();
    response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "*");
    response.setHeader("Access-Control-Allow-Credentials", "true");
    response.setHeader("Access-Control-Allow-Headers", "content-type, authorization, anonymousid");
    const written = this.#documents.get(url.origin + url.pathname);
    if (!written && url.origin === COLLECTOR) {
      if (request.method !== "OPTIONS") this.#keep({ path: url.pathname, query: url.searchParams, body });
      return response.setHeader("Content-Type", TYPES.json).end(THANKS);
    }
    if (written) return response.writeHead(written.status, { "Content-Type": typeOf(url.pathname), ...written.headers }).end(written.text);
    if (url.pathname === "/snippet.js") return response.setHeader("Content-Type", TYPES.js).end(this.#snippet);
    const folder = Object.keys(LIBRARIES).find((start) => url.pathname.startsWith(start));
    if (!folder) return response.setHeader("Content-Type", "text/html").end(this.#documents.get("")?.text);
    if (!this.hasLibraries) return response.writeHead(404).end();
    const library = await readFile(new URL(url.pathname.slice(folder.length), LIBRARIES[folder]));
    return response.setHeader("Content-Type", TYPES.js).end(library);
  }

  #notice({ protocol, hostname }) {
    if (protocol !== "data:" && !hostname.endsWith(".test")) this.strangers.push(hostname);
  }

  #keep(received) {
    this.received.push(received);
    this.#arrivals.emit("received");
  }

  async leave() {
    await this.context.close();
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A person who has a link to the shop. */
export const PARTNER = "http://www.partner.test/from";

const document = (head) => `<!doctype html><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">${head}<h1>Hello</h1>`;

const typeOf = (path) => TYPES[path.split(".")[1]] ?? "text/html";
