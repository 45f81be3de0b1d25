/** A member makes a preview link in the console, without JavaScript, and the link works. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { addMember } from "../../site/commands.mjs";
import { Member } from "../../site/member.mjs";
import { setPreviewStage } from "../../site/previewStage.mjs";
import { HOME } from "../../site/routedSite.mjs";

const stage = setPreviewStage();

const signedIn = async (email) => {
  const context = await stage.browser.newContext();
  const member = new Member(await context.newPage(), { ...stage.assay, member: await addMember(stage.assay, email) });
  await member.open(stage.assay.url);
  await member.signIn();
  await member.page.getByRole("link", { name: "Preview" }).click();
  return member;
};

test("a member chooses a page and a variation, and gets a link that shows it", async () => {
  const member = await signedIn("ada@example.com");
  const { page } = member;
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByLabel("Address of the page").fill(HOME);
  await page.getByLabel("AB not started").selectOption("Green");
  await page.getByLabel("Valid for").selectOption("an hour");
  await page.getByRole("button", { name: "Make the link" }).click();
  const link = await page.locator("pre").innerText();
  assert.equal(await page.getByRole("link", { name: "Open it" }).getAttribute("href"), link);
  assert.deepEqual(await accessibilityFaults(page), []);
  await member.leave();

  await stage.open(link);
  assert.equal(await stage.headline(), "Draft");
});

test("a link to nothing is told what is missing, and what was written stays", async () => {
  const member = await signedIn("bob@example.com");

  await member.page.getByLabel("Address of the page").fill(HOME);
  await member.page.getByRole("button", { name: "Make the link" }).click();

  assert.equal(await member.alert(), "At least one variation has to be shown.");
  assert.equal(await member.page.getByLabel("Address of the page").inputValue(), HOME);
  assert.deepEqual(await accessibilityFaults(member.page), []);
  await member.leave();
});
