/** A variation that turns out to be bad is stopped: its visitors see the page as it is, and keep it; no other visitor is given another one. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const text = (value) => [{ type: "text", selector: "h1", value }];
const SHARED = [{ type: "attribute", selector: "h1", name: "title", value: "Tested" }];

/** Visitor 1 is in the first variation, visitor-15084 in another. */
const shopWith = (paused) => {
  const campaign = abTest({ changes: [text("Original"), text("Green"), text("Blue")] });
  campaign.changes = SHARED;
  const { variations } = campaign.experiments[0];
  campaign.experiments[0].variations = variations.map((variation, place) => ({ ...variation, ...(place === paused && { paused: true }) }));
  return project({ pages: [{ ...home, conditions: [] }], campaigns: [campaign], snippet: { explain: true } });
};

const shown = (site) => site.page.evaluate(() => [document.querySelector("h1").textContent, document.querySelector("h1").title]);

const NAMES = ["Original", "Green", "Blue"];
const ACTIVE = { 1001: {} };

for (const visitorId of ["visitor-1", "visitor-2", "visitor-15084"]) {
  test(`${visitorId} keeps the variation when it is stopped, and all that is shown when another one is`, () =>
    stage.visit(async (site) => {
      await site.publish(shopWith());
      await site.open();
      const [headline] = await shown(site);
      const place = NAMES.indexOf(headline);
      const experience = { experiment: "24001", variation: `3${place + 1}4001` };

      for (const paused of [0, 1, 2, undefined]) {
        const isHeldBack = paused === place;
        const shop = shopWith(paused);
        await site.publish(shop);
        await site.open();

        assert.deepEqual(await shown(site), isHeldBack ? ["Hello", ""] : [headline, "Tested"]);
        assert.deepEqual(await site.state(), stateOf(shop, { activePages: ACTIVE, campaigns: { 4001: { ...experience, isHeldBack } } }));
        const steps = await site.page.evaluate(() => window.experimentation.get("state").explain("4001"));
        assert.equal(
          steps.some(({ step }) => step === "paused"),
          isHeldBack,
        );
      }
    }, visitorId));
}

test("a new visitor is drawn as before, and who asks for the variation sees it", () =>
  stage.visit(async (site) => {
    await site.publish(shopWith(0));
    await site.open();
    assert.deepEqual(await shown(site), ["Hello", ""]);

    await site.open("/?experimentation_x=314001");

    assert.deepEqual(await shown(site), ["Original", "Tested"]);
  }, "visitor-1"));
