/** A member makes a preview link in the console, the link works, and the member revokes it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { addMember } from "../../site/commands.mjs";
import { Member } from "../../site/member.mjs";
import { setPreviewStage } from "../../site/previewStage.mjs";
import { HOME } from "../../site/routedSite.mjs";

const stage = setPreviewStage();

const PHONE = { width: 390, height: 844 };

const signedIn = async (email, options = {}) => {
  const context = await stage.browser.newContext({ ...options });
  const member = new Member(await context.newPage(), { ...stage.assay, member: await addMember(stage.assay, email) });
  await member.open(stage.assay.url);
  await member.signIn();
  await member.page.goto(`${stage.assay.url}/projects/1000/preview`);
  return member;
};

/** Fills in the form, and comes to the page of the link. */
const make = async (page) => {
  await page.getByLabel("Address of the page").fill(HOME);
  await page.getByLabel("AB not started").selectOption("Green");
  await page.getByLabel("Valid for").selectOption("an hour");
  await page.getByRole("button", { name: "Make the link" }).click();
  return page.locator("pre").innerText();
};

test("a member chooses a page and a variation, gets a link that shows it, and revokes it", async () => {
  const member = await signedIn("ada@example.com");
  const { page } = member;
  assert.deepEqual(await accessibilityFaults(page), []);

  const link = await make(page);
  assert.equal(await page.getByRole("link", { name: "Open it" }).getAttribute("href"), link);
  assert.equal(await page.getByRole("img", { name: "QR code of the link" }).count(), 1);
  assert.deepEqual(await accessibilityFaults(page), []);
  await stage.open(link);
  assert.equal(await stage.headline(), "Draft");

  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Revoke" }).click();
  assert.match(await page.getByRole("status").innerText(), /^The link is revoked\./);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
  await stage.open(link);
  assert.equal(await stage.headline(), "Hello");
  await member.leave();
});

test("a button copies the link", async () => {
  const member = await signedIn("cem@example.com", { permissions: ["clipboard-read", "clipboard-write"] });
  const link = await make(member.page);

  await member.page.getByRole("button", { name: "Copy the link" }).click();

  await member.page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await member.page.evaluate(() => navigator.clipboard.readText()), link);
  await member.leave();
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
