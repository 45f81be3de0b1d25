/**
 * A browser without pictures (jsdom) for hundreds of visitors: it runs the snippet that the server serves, and what the snippet sends with
 * `fetch` and `navigator.sendBeacon` goes to the server. A proxy would stand before it, so each visitor has an address of their own.
 */

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { CookieJar, JSDOM, VirtualConsole } = createRequire(new URL("../../runtime/package.json", import.meta.url))("jsdom");

const PAGE = "https://www.shop.test/";

/** One visitor's browser, which keeps what the site stores. */
export class Browser {
  #cookies = new CookieJar();
  #stored = {};
  #address;
  #server;
  #script;
  /** What the server answered: how many events it took. */
  accepted = 0;
  /** How many requests of each kind it got. */
  sent = { fetch: 0, beacon: 0 };

  /** @param {{server: string, script: import("node:vm").Script, number: number}} site */
  constructor({ server, script, number }) {
    this.#server = server;
    this.#script = script;
    this.#address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  }

  /** Opens the page, lets `happen` do something with it and leaves: with `pagehide`, or, if `happen` says `crash`, without anything. */
  async visit(happen) {
    const answers = [];
    let heard;
    const firstAnswer = new Promise((resolve) => (heard = resolve));
    let isGone = false;
    const send = (kind, address, body) => {
      assert.ok(!isGone, "a page that is gone sends nothing");
      this.sent[kind]++;
      const answer = this.#post(address, body);
      answers.push(answer);
      answer.then(heard, heard);
      return answer;
    };
    const faults = [];
    const virtualConsole = new VirtualConsole().on("jsdomError", (error) => faults.push(error));
    const dom = new JSDOM("<!doctype html><body><h1>Shop</h1></body>", {
      url: PAGE,
      runScripts: "outside-only",
      pretendToBeVisual: true,
      cookieJar: this.#cookies,
      virtualConsole,
    });
    const { window } = dom;
    Object.entries(this.#stored).forEach(([key, value]) => window.localStorage.setItem(key, value));
    window.fetch = (address, { body }) => send("fetch", address, body).then(({ status }) => ({ status }));
    window.navigator.sendBeacon = (address, body) => Boolean(send("beacon", address, body));
    const tag = window.document.createElement("script");
    tag.src = `${this.#server}/js/1000.js`;
    Object.defineProperty(window.Document.prototype, "currentScript", { configurable: true, get: () => tag });
    this.#script.runInContext(dom.getInternalVMContext());
    const end = await happen(window, firstAnswer);
    if (end !== "crash") window.dispatchEvent(new window.Event("pagehide"));
    isGone = true;
    this.#stored = { ...window.localStorage };
    window.close();
    await Promise.all(answers);
    assert.deepEqual(faults, []);
  }

  async #post(address, body) {
    assert.equal(address, `${this.#server}/v1/events`);
    const headers = { "content-type": "text/plain;charset=UTF-8", "x-forwarded-for": this.#address, "x-forwarded-proto": "http", origin: new URL(PAGE).origin };
    const answer = await fetch(address, { method: "POST", headers, body });
    const told = await answer.json();
    assert.equal(answer.status, 202, `${this.#address}: ${JSON.stringify([told, this.sent])}`);
    assert.deepEqual(told.rejected, []);
    this.accepted += told.accepted;
    return answer;
  }
}
