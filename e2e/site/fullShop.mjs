/**
 * A project that does everything to a page that can be done, and what the page must look like afterwards: for stories about pages that
 * make it hard.
 */

import assert from "node:assert/strict";

import { abTest, everywhere, project } from "./projects.mjs";

const change = (type, selector, fields) => ({ type, selector, ...fields });

const CHANGES = [
  change("text", "h1", { value: "Changed", id: "headline" }),
  change("html", "#html", { value: "<b>bold</b>" }),
  change("style", "#style", { name: "color", value: "rgb(0, 128, 128)" }),
  change("class", "#class", { value: "is-new" }),
  change("attribute", "#attribute", { name: "title", value: "new" }),
  change("insert", "#insert", { value: "<i>inserted</i>", position: "after" }),
  change("move", "#move", { to: "#insert", position: "before" }),
  change("remove", "#remove", {}),
  { type: "css", value: "#css { color: rgb(0, 0, 128) }" },
  { type: "javascript", value: "document.documentElement.lang = 'nl'", depends_on: ["headline"] },
];

const AUDIENCE = {
  id: "6003",
  key: "ordinary",
  name: "Ordinary",
  conditions: [
    "and",
    { type: "device", value: "desktop" },
    ["not", { type: "query", name: "robot", match: "exists" }],
    ["or", { type: "cookies", name: "none", match: "exists" }, { type: "custom_code", value: "return true" }],
  ],
};

/** All visitors get the second variation, which has a change of every kind but a redirect. */
export const fullShop = (snippet = {}) =>
  project({
    snippet,
    audiences: [AUDIENCE],
    pages: [
      everywhere({
        metadata: { section: "front" },
        tags: [{ key: "topic", category: "other", locator: "#class", locator_type: "css_selector", value_type: "string" }],
      }),
    ],
    campaigns: [abTest({ pages: ["everywhere"], audiences: "ordinary", weights: [0, 10000], changes: [undefined, structuredClone(CHANGES)] })],
  });

/** What the changes are made to. */
export const BODY = `<h1>Hello</h1><main><p id="html">plain</p><p id="style">s</p><p id="class">topic</p><p id="attribute">a</p>
  <p id="move">m</p><p id="insert">i</p><p id="remove">r</p><p id="css">c</p></main>`;

/** A page with the snippet in its head, and `before` and `after` it whatever the story wants to stand there. */
export const shopPage = ({ doctype = "<!doctype html>", before = "", snippet = `<script src="/snippet.js"></script>`, after = "", body = BODY } = {}) =>
  `${doctype}<html><head><title>Shop</title>${before}${snippet}${after}</head><body>${body}</body></html>`;

/** Runs in the page. One text, because pages may have made anything else unreadable. */
const look = () => {
  // An image of the page's may be named like the method.
  const at = (selector) => Object.getPrototypeOf(document).querySelector.call(document, selector);
  const style = (selector) => getComputedStyle(at(selector)).color;
  return (
    at("h1").textContent + "|" + at("#html > b").textContent + at("#html").childNodes.length + "|" + style("#style") + "|" + at("#class").className + "|" + at("#attribute").title +
    "|" + at("#insert + i").textContent + "|" + at("#insert").previousElementSibling.id + "|" + at("#remove") + "|" +
    style("#css") + "|" + at("html").lang
  );
};

const CHANGED =
  "Changed|bold1|rgb(0, 128, 128)|is-new|new|inserted|move|null|rgb(0, 0, 128)|nl";

/** Runs in the page: each function of the state module, in a text. */
const ask = () => {
  const state = window.experimentation.get("state");
  const page = state.getPageStates()["1004"];
  return (
    state.getActiveExperimentIds()[0] + "|" + state.getCampaignStates()["4001"].variation.name + "|" + state.getExperimentStates()["24001"].isActive + "|" +
    page.metadata.section + "|" + page.tags[0].tags.topic + "|" + state.getRedirectInfo() + "|" + state.getVariationMap()["24001"].index + "|" +
    state.getDecisionString({ campaignId: "4001" }) + "|" + state.getDecisionObject({ campaignId: "4001" }).variation + "|" +
    state.getCampaignStates({ isActive: true })["4001"].audiences[0].name + "|" + (state.getActivationId() > 0)
  );
};

const ANSWERS = "24001|Green|true|front|topic|null|1|AB(24001):Green(324001)|Green (324001)|Ordinary|true";

/** The visitor sees the variation, and the state module tells of it. */
export const assertShown = async (site, page = site.page) => {
  assert.equal(await page.evaluate(look), CHANGED);
  assert.equal(await page.evaluate(ask), ANSWERS);
};

/** Opens the page a story wrote, waits for a snippet that the page takes its time to load, and looks. */
export const showsAllOn = async (site, html, headers) => {
  site.write("/", html, headers);
  await site.open();
  await site.page.waitForFunction(() => window.experimentation?.get);
  await assertShown(site);
};

