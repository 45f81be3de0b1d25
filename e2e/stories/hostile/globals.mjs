/** Pages that have something of their own under the browser's names, as old scripts do without knowing. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { compiled } from "../../site/commands.mjs";
import { fullShop, shopPage } from "../../site/fullShop.mjs";
import { everywhere, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

/** What stands there; `NAME` is the global's. */
const REPLACEMENTS = {
  "nothing": `{ value: undefined }`,
  "a function": `{ value: function () {} }`,
  "a class": `{ value: class { constructor() { this.own = true; } } }`,
  "a number": `{ value: 5 }`,
  "a getter that throws": `{ get() { throw new Error("hostile"); } }`,
};

/** Runs in the page: the snippet in a frame whose global is another one, and what comes of it, as a text that is empty if all is well. */
const failuresIn = ([snippet, name, replacement]) => {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const inner = frame.contentWindow;
  const failures = [];
  inner.onerror = (message) => void failures.push(`throws ${message}`);
  inner.onunhandledrejection = ({ reason }) => void failures.push(`rejects ${reason}`);
  const run = (text) => {
    const script = inner.document.createElement("script");
    script.textContent = text;
    inner.document.body.append(script);
  };
  inner.document.body.innerHTML = "<h1>Hello</h1>";
  inner.console.warn = () => undefined;
  run(`try { Object.defineProperty(window, "${name}", { configurable: true, writable: true, ...${replacement} }); } catch { window.isKept = true; }`
    .replace("writable: true, ...{ get", "...{ get"));
  run(snippet);
  try {
    const state = inner.experimentation.get("state");
    const answers = [state.getActiveExperimentIds(), state.getCampaignStates(), state.getExperimentStates(), state.getPageStates(), state.getVariationMap(), state.getActivationId()];
    if (answers.some((answer) => answer === undefined || answer === null)) {
      failures.push("does not answer");
    }
    state.getRedirectInfo();
    state.getDecisionString({ campaignId: "4001" });
    inner.experimentation.push({ type: "activate" });
    inner.document.body.append("more");
  } catch (error) {
    failures.push(`cannot be asked: ${error}`);
  }
  // What is thrown later is thrown by the next frame.
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    frame.remove();
    resolve(failures.join(", "));
  })));
};

/** Every word of the program that is a global of the browser's. */
const globalsIn = (page, snippet) =>
  page.evaluate((text) => {
    const words = [...text.matchAll(/(?:window\.|(?<![.\w$]))([A-Za-z]\w*)/g)].map(([, word]) => word);
    return [...new Set(words)].filter((word) => word in window && window[word] !== window);
  }, snippet);

/** All kinds of changes and of pages, in a frame without an address. */
const busyShop = () => {
  const shop = fullShop({ utils: true });
  Object.assign(shop.pages[0], { activation: { type: "url_changed" }, conditions: [] });
  shop.pages.push(everywhere({ id: "1005", key: "following", activation: { type: "dom_changed" }, conditions: [] }));
  return shop;
};

for (const [what, shop, expected] of [
  ["that does everything", busyShop(), ["Symbol", "MutationObserver", "Promise", "encodeURIComponent", "history"]],
  ["without anything in it", project(), ["Date", "Math", "encodeURIComponent", "localStorage"]],
]) {
  test(`whatever a page has under any name that a project ${what} uses, nothing is thrown into it, and the state module answers`, () =>
    stage.visit(async (site) => {
      const snippet = await compiled(shop);
      await site.open("/");
      const names = await globalsIn(site.page, snippet);
      assert.ok(expected.every((name) => names.includes(name)), names.join());

      const failures = [];
      for (const name of names) {
        for (const [stands, replacement] of Object.entries(REPLACEMENTS)) {
          const failure = await site.page.evaluate(failuresIn, [snippet, name, replacement]);
          failures.push(...(failure ? [`${name} is ${stands}: ${failure}`] : []));
        }
      }
      assert.deepEqual(failures, []);
    }));
}

/** Runs in the page around the frame: what shows there, and what the state module says; and then its app renders the headline anew. */
const lookAndRender = () => {
  const { document, experimentation } = window.frames[0];
  const headline = document.querySelector("h1");
  const seen = [headline.textContent, document.querySelector("#html").innerHTML, ...experimentation.get("state").getActiveExperimentIds()];
  headline.textContent = "Hello";
  return seen;
};

for (const global of [
  "function Map() {}",
  "class Map {}",
  "var Map = {};",
  "class WeakMap {}",
  "function WeakMap() {}",
  "let Symbol = 5;",
  "function Set() {}",
  "class Set {}",
  "let MutationObserver;",
  "class Node {}",
  "let Date = 5;",
  "let history = [];",
  "const URL = 5;",
  "let console;",
  "window.requestAnimationFrame = undefined;",
  "window.requestAnimationFrame = () => { throw new Error('hostile'); };",
]) {
  // In a frame, since what drives the browser needs such things itself.
  test(`a page with \`${global}\` shows its variation, and keeps it`, () =>
    stage.visit(async (site) => {
      await site.publish(fullShop());
      site.write("/framed", shopPage({ before: `<script>${global}</script>` }));
      site.write("/", `<!doctype html><title>Shop</title><iframe src="/framed"></iframe>`);
      await site.open("/", { waitUntil: "load" });

      assert.deepEqual(await site.page.evaluate(lookAndRender), ["Changed", "<b>bold</b>", "24001"]);
      await site.page.waitForFunction(() => window.frames[0].document.querySelector("h1").textContent === "Changed");
    }));
}
