/**
 * A person is invited and lands on the project, on a phone: the members' page, the link, the password, the project. The person's browser
 * runs no JavaScript, and axe, which needs it, looks from another one.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { Member } from "../../site/member.mjs";
import { setStage } from "../../site/stage.mjs";

const stage = setStage();

const PHONE = { viewport: { width: 390, height: 800 }, colorScheme: "dark" };

const PASSWORD = "a password that cleo chose";

/** How far the page is wider than the screen. */
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const isFine = async (page) => {
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await overflow(page), 0);
};

test("a person is invited, chooses a password and sees the project", async () => {
  const inviter = new Member(await (await stage.browser.newContext(PHONE)).newPage(), stage.assay);
  const { page } = inviter;
  await inviter.open(new URL("/members", stage.assay.url));
  await inviter.signIn();
  await isFine(page);
  await page.getByLabel("E-mail").fill("cleo@example.com");
  await page.getByLabel("Role", { exact: true }).selectOption("editor");
  await page.getByLabel("Where").selectOption("1000");
  await page.getByRole("button", { name: "Invite" }).click();
  const link = await page.locator("#invitation-link").innerText();
  await isFine(page);

  const reader = await (await stage.browser.newContext(PHONE)).newPage();
  await reader.goto(link);
  await isFine(reader);
  const cleo = await (await stage.browser.newContext({ ...PHONE, javaScriptEnabled: false })).newPage();
  await cleo.goto(link);
  await cleo.getByLabel("Choose a password").fill(PASSWORD);
  await cleo.getByRole("button", { name: "Join" }).click();
  await cleo.waitForURL("**/projects/1000");

  assert.match(await cleo.locator("header").first().innerText(), /cleo@example\.com/);
  await cleo.goto(link);
  assert.match(await cleo.locator("main").innerText(), /does not work any more/);
  await page.goto(new URL("/members", stage.assay.url).href);
  await page.getByRole("link", { name: "cleo@example.com" }).click();
  await page.getByRole("heading", { name: "editor in" }).waitFor();
  await isFine(page);
  await Promise.all([page, reader, cleo].map((tab) => tab.context().close()));
});
