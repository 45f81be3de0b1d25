/** A member asks why a visitor sees what they see, in the console and over HTTP, and both say what the shop's page does. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../site/accessibility.mjs";
import { setStage } from "../site/stage.mjs";
import { DAN } from "../site/visitors.mjs";

const stage = setStage();

const ask = async ({ page }, url) => {
  await page.getByRole("link", { name: "Explain a decision" }).click();
  await page.getByLabel("Visitor id").fill(DAN);
  await page.getByLabel("Address of the page").fill(url);
  await page.getByRole("button", { name: "Explain" }).click();
};

test("the console explains what the visitor's page shows", () =>
  stage.authorize(async (_application, member) => {
    await member.open(stage.assay.url);
    await member.signIn();
    assert.deepEqual(await accessibilityFaults(member.page), []);

    await ask(member, stage.assay.demoUrl);
    const told = await member.page.locator("main").innerText();
    assert.deepEqual(await accessibilityFaults(member.page), []);

    await stage.visit(DAN, async (shop) => {
      await shop.open();
      for (const campaignId of Object.keys(await shop.ask("getCampaignStates", { isActive: true }))) {
        const text = await shop.ask("getDecisionString", { campaignId });
        assert.ok(told.includes(text), `${text} in ${told}`);
      }
    });
  }));

test("an address that is none is told at its field, and what was written stays", () =>
  stage.authorize(async (_application, member) => {
    await member.open(stage.assay.url);
    await member.signIn();

    await ask(member, "ftp://shop.example/");

    assert.equal(await member.page.getByLabel("Address of the page").inputValue(), "ftp://shop.example/");
    assert.match(await member.page.getByLabel("Address of the page").getAttribute("aria-invalid"), /true/);
    assert.deepEqual(await accessibilityFaults(member.page), []);
  }));
