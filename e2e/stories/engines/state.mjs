/** The state module in each engine. */

import assert from "node:assert/strict";

import { abTest, home, project } from "../../site/projects.mjs";
import { setRealStage } from "../../site/realStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const { inEachEngine } = setRealStage();

const SHOP = project({
  pages: [home],
  campaigns: [abTest({ changes: [[{ type: "text", selector: "h1", value: "Original text" }]] })],
});

inEachEngine("a visitor is given a variation and keeps it", async (site) => {
  await site.publish(SHOP);
  await site.open();

  const expected = stateOf(SHOP, { activePages: { 1001: {} }, campaigns: { 4001: { experiment: "24001", variation: "314001" } } });
  assert.deepEqual(await site.state(), expected);
  assert.equal(await site.textOf("h1"), "Original text");
});
