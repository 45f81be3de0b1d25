/**
 * A shop with a library that keeps the document from page to page: its pages come from a server of the story's own, and an experiment
 * runs on the products, in the way in which the guide says it for that library.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { load } from "js-yaml";

import { blocksOf } from "../docs/documents.mjs";
import { COLLECTOR } from "./analyticsSite.mjs";
import { compiled } from "./commands.mjs";
import { abTest, project } from "./projects.mjs";

const GUIDE = new URL("../../docs/guides/single-page-apps.md", import.meta.url);

/** The page of the project as the guide has it, found by a word of its code. */
export const pageOfGuide = async (word) => {
  const blocks = blocksOf("single-page-apps", await readFile(GUIDE, "utf8"));
  return load(blocks.find(({ language, code }) => language === "yaml" && code.includes(word)).code).pages[0];
};

const VIEW = "product_viewed";
const MARKER = "marker";
const CHANGES = [
  { type: "text", selector: "h1", value: "Changed" },
  { type: "insert", selector: "main", position: "append", value: '<p class="inserted">New</p>' },
  { type: "style", selector: "#logo", name: "color", value: "rgb(1, 2, 3)" },
];

/** What a visitor sees of the changes: all of them on products, none elsewhere. */
const CHANGED = { title: "Changed", inserted: 1, logo: "rgb(1, 2, 3)", experiments: 1 };
const original = (name) => ({ title: name, inserted: 0, logo: "", experiments: 0 });

export class KeptShop {
  /** What each page has of the library: in its head, and as attributes of its body. */
  #head;
  #body;

  /** @param {import("./analyticsSite.mjs").AnalyticsSite} site */
  constructor(site, { head, body = "" }) {
    this.site = site;
    this.page = site.page;
    this.#head = head;
    this.#body = body;
  }

  /** Opens the shop with the page of the project on its products. */
  async publish(productPage) {
    const shop = project({
      pages: [productPage],
      events: [
        { key: VIEW, type: "pageview", page: productPage.key },
        { key: MARKER, type: "custom" },
      ],
      campaigns: [abTest({ pages: [productPage.key], weights: [0, 10000], changes: [undefined, CHANGES] })],
    });
    shop.project.results = "on";
    this.site.write(`${COLLECTOR}/snippet.js`, await compiled(shop));
    for (const [path, name] of Object.entries(NAMES)) this.write(path, name);
    await this.page.addInitScript(watchFrames);
  }

  /** A page of the shop. Its title is its name. */
  write(path, name, { head = "", main = "", answer } = {}) {
    const links = Object.keys(NAMES).map((to) => `<a href="${to}">${to}</a> `);
    this.site.write(
      path,
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
      <script src="${COLLECTOR}/snippet.js"></script>${this.#head}${head}</head>
      <body ${this.#body}><b id="logo">Shop</b><main><h1 data-name="${name}">${name}</h1>${main}<nav>${links.join("")}</nav></main></body></html>`,
      answer,
    );
  }

  async open(path) {
    await this.site.open(path);
    await this.shows(path);
  }

  /** Follows a link to another page of the shop. */
  async follow(path, name) {
    await this.page.click(`nav a[href="${path}"]`);
    await this.shows(path, name);
  }

  async back(path, name) {
    await this.page.goBack();
    await this.shows(path, name);
  }

  async forward(path, name) {
    await this.page.goForward();
    await this.shows(path, name);
  }

  /** The visitor is on a page, and sees of the changes what is right there. */
  async shows(path, name = NAMES[path]) {
    const isThere = ([href, there]) =>
      location.href.endsWith(href) && document.querySelector("h1")?.dataset.name === there && !document.querySelector("[aria-busy]");
    await this.page.waitForFunction(isThere, [path, name]);
    // What came with the page has two frames to be done.
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.deepEqual(await this.page.evaluate(sight), path.startsWith("/products/") ? CHANGED : original(name), path);
  }

  /** What the visitor saw in any frame and should not have: changes off the products, or products without them. */
  wrongFrames() {
    return this.page.evaluate(() => window.wrongFrames);
  }

  /** The visitor leaves, and so many views of products were counted, no more. */
  async counts(views) {
    await this.page.evaluate((eventName) => window.experimentation.push({ type: "event", eventName }), MARKER);
    await this.page.goto("about:blank");
    const countOf = (received, wanted) => namesOf(received).filter((name) => name === wanted).length;
    // Events of earlier documents may come after the last one's.
    const received = await this.site.arrived((all) => countOf(all, MARKER) > 0 && countOf(all, VIEW) >= views);
    assert.equal(countOf(received, VIEW), views);
  }
}

const NAMES = { "/home": "Home", "/cart": "Cart", "/products/1": "Product 1", "/products/2": "Product 2" };

const namesOf = (received) => received.filter(({ path }) => path === "/v1/events").flatMap(({ body }) => JSON.parse(body).events.map(({ name }) => name));

/** What is to be seen of the changes now. Runs in the page. */
const sight = () => ({
  title: document.querySelector("h1").textContent,
  inserted: document.querySelectorAll(".inserted").length,
  logo: document.querySelector("#logo").style.color,
  experiments: window.experimentation.get("state").getActiveExperimentIds().length,
});

/** Notes each frame in which a page is not as it should be. Runs in the page, before its own scripts. */
const watchFrames = () => {
  window.wrongFrames = [];
  const look = () => {
    const title = document.querySelector("h1");
    const name = title?.dataset.name;
    if (title && title.textContent !== (name.startsWith("Product") ? "Changed" : name)) {
      const wrong = `${name}: ${title.textContent}`;
      if (window.wrongFrames.at(-1) !== wrong) window.wrongFrames.push(wrong);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};
