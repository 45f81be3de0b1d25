/** A member describes a visitor in an audience's form, and presses Enter: the visitor is tried, and the unfinished audience is not saved. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Member } from "../../site/member.mjs";
import { setStage } from "../../site/stage.mjs";

const stage = setStage();

test("Enter in a field of the trial tries, and elsewhere saves", async () => {
  const page = await stage.browser.newPage();
  const member = new Member(page, stage.assay);
  await member.open(new URL("/projects/1000/audiences/new", stage.assay.url));
  await member.signIn();
  await page.waitForURL("**/audiences/new");
  await page.getByLabel("Name", { exact: true }).fill("Night owls");
  const trial = page.locator("#trial");

  await trial.locator("input").first().press("Enter");
  await trial.getByRole("status").waitFor();
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Night owls", "it is still to be saved");

  await page.getByLabel("Name", { exact: true }).press("Enter");
  await page.waitForURL((url) => !url.pathname.endsWith("/new"));
  await page.close();
});
