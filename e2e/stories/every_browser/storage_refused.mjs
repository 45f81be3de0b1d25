/** In each browser, with an owner who lets no site keep anything: everything works for the page view, from memory. */

import assert from "node:assert/strict";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { setRealStage } from "../../site/realStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const { inEachBrowser } = setRealStage({ refusesStorage: true });

// Each page view is a new visitor's, but the weights leave no choice.
const SHOP = project({
  pages: [everywhere()],
  campaigns: [abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, [{ type: "text", selector: "h1", value: "Changed" }]] })],
});
const EXPECTED = stateOf(SHOP, { activePages: { 1004: {} }, campaigns: { 4001: { experiment: "24001", variation: "324001" } } });

/** Runs in the page: what is kept for its site, as far as it may look. */
const kept = () => {
  try {
    return [document.cookie, localStorage.length];
  } catch {
    return [document.cookie, 0];
  }
};

inEachBrowser("a variation is given and told of, on each page", async (site) => {
  await site.publish(SHOP);
  await site.open();
  assert.deepEqual(await site.state(), EXPECTED);
  assert.equal(await site.textOf("h1"), "Changed");

  await site.push({ type: "activate" });
  assert.deepEqual(await site.state(), EXPECTED);

  await site.follow("/later");
  assert.deepEqual(await site.state(), EXPECTED);
  assert.deepEqual(await site.evaluate(kept), ["", 0]);
});
