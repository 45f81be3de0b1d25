/**
 * The web, as far as a story needs it: a proxy that asks no other server and answers for every host itself. It has the story's pages, files
 * and the snippet, and hears what reporter.js reports from the pages.
 */

import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const REPORTER = readFileSync(new URL("./reporter.js", import.meta.url), "utf8");
const HTML = { "content-type": "text/html; charset=utf-8" };
const JAVASCRIPT = { "content-type": "text/javascript; charset=utf-8" };

/** A page with the snippet, scripts of the site's own before and after it, and what there is to see. */
export const pageText = ({ doctype = "<!doctype html>", before = "", after = "", body = "<h1>Hello</h1>" } = {}) => {
  const scripts = `${inline(before)}<script src="/snippet.js"></script>${inline(after)}`;
  return `${doctype}<title>Shop</title><script src="/reporter.js"></script>${scripts}${body}`;
};

const inline = (script) => (script ? `<script>${script}</script>` : "");

/** Emits what pages report, `fault` and `warning` with their text, and the address of each page that is shown; and `told` for each batch of results. */
export class ProxyServer extends EventEmitter {
  /** Addresses of the pages that were asked for. */
  visited = [];
  /** A cookie that comes with the first page, such as a visitor's id; none if empty. */
  firstCookie = "";
  /** What snippets that count results told, as far as it was taken. */
  told = [];
  /** The status with which nothing of that is taken; 0 while all is. */
  refusal = 0;
  #answers = new Map([
    ["/reporter.js", { body: REPORTER, headers: JAVASCRIPT }],
    ["/favicon.ico", { status: 404 }],
  ]);
  #server = createServer((request, response) => this.#hear(request, response));

  /** @returns {Promise<string>} host and port */
  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `127.0.0.1:${this.#server.address().port}`;
  }

  /** Puts a page at a path of all hosts. */
  writePage(path, html, headers = {}) {
    this.#answers.set(path, { body: html, headers: { ...HTML, ...headers }, isPage: true });
  }

  /** Puts a script at a path of all hosts. */
  writeScript(path, script) {
    this.#answers.set(path, { body: script, headers: JAVASCRIPT });
  }

  /** Never answers at a path. */
  hold(path) {
    this.#answers.set(path, { send: () => undefined });
  }

  /** Puts a page at a path that comes in pieces: a further one whenever the page asks for `/next`. */
  writeSlowPage(path, [first, ...later]) {
    this.#answers.set(path, {
      isPage: true,
      headers: HTML,
      send: (page) => {
        page.write(first);
        const pieces = [...later];
        const send = (asked) => {
          const piece = pieces.shift();
          if (piece === undefined) page.end();
          else page.write(piece);
          asked.end();
        };
        this.#answers.set("/next", { send });
      },
    });
  }

  async #hear(request, response) {
    const url = new URL(request.url, "http://nowhere.test");
    if (url.pathname === "/v1/events") return this.#take(await text(request), response);
    if (url.pathname !== "/report") return this.#answer(url, response);
    this.emit(url.search.slice(1), await text(request));
    response.writeHead(204).end();
  }

  #take(batch, response) {
    if (!this.refusal) this.told.push(...JSON.parse(batch).events);
    response.writeHead(this.refusal || 202).end();
    this.emit("told");
  }

  #answer(url, response) {
    const answer = this.#answers.get(url.pathname) ?? { body: pageText(), headers: HTML, isPage: true };
    const { status = 200, headers = {}, body = "", isPage, send } = answer;
    response.writeHead(status, { ...headers, ...(isPage && this.#visited(url)) });
    if (send) send(response);
    else response.end(body);
  }

  /** What the visitor of a page is sent beside it. */
  #visited({ href }) {
    this.visited.push(href);
    const isFirst = this.visited.length === 1;
    return isFirst && this.firstCookie ? { "set-cookie": this.firstCookie } : {};
  }

  async close() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
