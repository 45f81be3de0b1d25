/** Code and selectors of the member's own that are wrong. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fullShop, shopPage, showsAllOn } from "../../site/fullShop.mjs";
import { abTest } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const THROW = "throw new Error('mine')";

/** A page as `fullShop` has it, and another whose code fails. */
const failingPage = (id, activation) => ({ id, key: `failing-${id}`, name: "Failing", category: "other", conditions: [], activation });

/** The full shop, and code that fails wherever the project can have code. */
const failingShop = () => {
  const shop = fullShop({ javascript: THROW });
  const [campaign] = shop.campaigns;
  shop.pages.push(failingPage("1101", { type: "callback", code: THROW }), failingPage("1102", { type: "polling", code: THROW }));
  shop.audiences.push({ id: "6101", key: "failing", name: "Failing", conditions: ["or", { type: "custom_code", value: THROW }] });
  campaign.experiments[0].variations[1].changes.unshift(
    { type: "javascript", value: THROW },
    { type: "javascript", value: "return Promise.reject(new Error('mine'))" },
    { type: "text", selector: "###", value: "never" },
    { type: "html", selector: "h1 >", value: "never" },
    { type: "move", selector: "#move", to: ")", position: "before" },
  );
  shop.campaigns.push(
    abTest({ id: "4002", name: "Failing", audiences: "failing", pages: ["everywhere"] }),
    abTest({ id: "4003", name: "Leaving", pages: ["everywhere"], weights: [0, 10000], changes: [undefined, [{ type: "redirect", destination_code: THROW }]] }),
  );
  return shop;
};

/** Each kind of event has a listener that fails. */
const LISTEN = `window.experimentation = ["lifecycle", "analytics", undefined].map((type) => ({ type: "addListener", filter: { type }, handler() { ${THROW}; } }));`;

for (const [page, before] of [
  ["a page", ""],
  ["a page whose console is gone", "delete window.console; window.console = undefined;"],
]) {
  test(`code that throws wherever a project can have code leaves everything else, and ${page}, as it should be`, () =>
    stage.visit(async (site) => {
      await site.publish(failingShop());
      await showsAllOn(site, shopPage({ before: `<script>${before}${LISTEN}</script>` }));
    }));
}

test("a failed change is in the log, with the error itself", () =>
  stage.visit(async (site) => {
    const logged = [];
    site.page.on("console", (message) => logged.push(message.text()));
    await site.publish(failingShop());
    await showsAllOn(site, shopPage());

    for (const part of ["Error: mine", "'###'", "'h1 >'"]) {
      assert.ok(logged.some((line) => line.startsWith("experimentation:") && line.includes(part)), `${part} in\n${logged.join("\n")}`);
    }
  }));
