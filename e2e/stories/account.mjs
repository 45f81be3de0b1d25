/**
 * A member looks after their account on a phone: what acts in their name, and where they are signed in. The policy of these pages lets
 * no script of theirs run, so all of it works without JavaScript.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../site/accessibility.mjs";
import { Application } from "../site/application.mjs";
import { Member } from "../site/member.mjs";
import { setStage } from "../site/stage.mjs";

const stage = setStage();

/** The narrowest screen that the guidelines ask for (WCAG 2.2, 1.4.10). */
const PHONE = { viewport: { width: 320, height: 640 } };

/** A browser of the demo's member; the story ends with all of them closed. */
const signedIn = async (options = PHONE) => {
  const context = await stage.browser.newContext(options);
  const member = new Member(await context.newPage(), stage.assay);
  await member.open(new URL("/account", stage.assay.url));
  await member.signIn();
  await member.page.waitForURL("**/account");
  return member;
};

/** The application with tokens that a member gave it. */
const connected = async (member) => {
  const application = await Application.discover(stage.assay);
  await member.open(await application.authorizationUrl());
  const tokens = await application.exchange(await member.decide("allow"));
  return { application, tokens };
};

/** How far the page is wider than the screen. */
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const openAccount = (member) => member.open(new URL("/account", stage.assay.url));

test("a member disconnects an application, and nothing of it works any more", async () => {
  const member = await signedIn();
  const { application, tokens } = await connected(member);
  await openAccount(member);
  const { page } = member;
  assert.equal((await application.get("/v1/projects", tokens.access_token)).status, 200);
  assert.match(await page.locator("main").innerText(), /Demo reports[\s\S]*publish changes to your visitors/);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await overflow(page), 0);

  await page.getByRole("button", { name: "Disconnect Demo reports" }).click();

  assert.match(await page.getByRole("status").innerText(), /disconnected/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await assert.rejects(application.get("/v1/projects", tokens.access_token), { status: 401 });
  await assert.rejects(application.refresh(tokens.refresh_token), { error: "invalid_grant" });
  await member.leave();
});

test("a member signs out of another browser, and then of all others", async () => {
  const here = await signedIn();
  const others = [await signedIn({}), await signedIn({}), await signedIn({})];
  const isSignedIn = async (member) => {
    await openAccount(member);
    return (await member.page.getByRole("button", { name: "Sign in" }).count()) === 0;
  };
  await openAccount(here);
  const { page } = here;
  assert.equal(await page.getByText("this one").count(), 1);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await overflow(page), 0);

  await page.getByRole("button", { name: /^Sign out .* signed in/ }).first().click();
  const stillThere = await Promise.all(others.map(isSignedIn));
  assert.equal(stillThere.filter(Boolean).length, 2);

  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  assert.match(await page.getByRole("status").innerText(), /All other browsers are signed out/);
  assert.deepEqual(await Promise.all(others.map(isSignedIn)), [false, false, false]);
  assert.equal(await isSignedIn(here), true);
  await Promise.all([here, ...others].map((member) => member.leave()));
});
