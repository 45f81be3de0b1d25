/** A member adds a passkey, and signs in with it wherever a password would do. Chromium plays the device. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../site/accessibility.mjs";
import { Application } from "../site/application.mjs";
import { startAssay } from "../site/assay.mjs";
import { freePort } from "../site/freePort.mjs";
import { Member } from "../site/member.mjs";
import { PasskeyDevice } from "../site/passkeyDevice.mjs";
import { setStage } from "../site/stage.mjs";

/** Browsers have no passkeys for IP addresses. */
const stage = setStage(async () => {
  const port = await freePort();
  return startAssay({ listen: `127.0.0.1:${port}`, publicUrl: `http://localhost:${port}` });
});

/** A browser that offers no passkeys before it is asked: the device that Chromium plays takes every offer at once. */
const offerNothing = () => {
  if (window.PublicKeyCredential) window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
};

/** A new browser with a device beside it; the story closes it. */
const comes = async ({ offers = false } = {}) => {
  const context = await stage.browser.newContext();
  if (!offers) await context.addInitScript(offerNothing);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  return { member: new Member(page, stage.assay), page, complaints, device: await PasskeyDevice.beside(page) };
};

const openAccount = ({ member }) => member.open(new URL("/account", stage.assay.url));

/** A member who is signed in and has added a passkey. */
const holder = async () => {
  const owner = await comes();
  await openAccount(owner);
  await owner.member.signIn();
  await owner.page.getByRole("button", { name: "Add a passkey" }).click();
  await owner.page.getByRole("status").waitFor();
  return owner;
};

const signOut = async ({ page }) => {
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/sign-in");
};

const byPasskey = (page) => page.getByRole("button", { name: "Sign in with a passkey" });

test("a member adds a passkey, signs out, and signs in with it on the way to an application", async () => {
  const owner = await holder();
  const { member, page, complaints } = owner;
  assert.match(await page.locator("main").innerText(), /The passkey is added[\s\S]*Chrome on Linux[\s\S]*never used/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await signOut(owner);
  const application = await Application.discover(stage.assay);

  await member.open(await application.authorizationUrl());
  await byPasskey(page).click();
  await page.waitForSelector("button[name=decision]");
  assert.match(await page.locator("main").innerText(), new RegExp(stage.assay.member.email));
  const answer = await member.decide("allow");

  assert.ok((await application.exchange(answer)).access_token);
  assert.deepEqual(complaints, []);
  await openAccount(owner);
  assert.match(await page.locator("main").innerText(), /Chrome on Linux[\s\S]*last used/);
  await member.leave();
});

test("the browser offers the passkey where the e-mail address is typed", async () => {
  const { member, device } = await holder();
  const credentials = await device.credentials();
  await member.leave();
  assert.equal(credentials.length, 1);
  assert.equal(credentials[0].isResidentCredential, true);

  const again = await comes({ offers: true });
  await again.device.share(credentials);
  await again.member.open(new URL("/sign-in", stage.assay.url));

  await again.page.waitForURL(new URL("/", stage.assay.url).href);
  assert.match(await again.page.getByRole("banner").innerText(), new RegExp(stage.assay.member.email));
  await again.member.leave();
});

test("a device has one passkey for an account, and says so", async () => {
  const owner = await holder();
  const { member, page, device } = owner;

  await page.getByRole("button", { name: "Add a passkey" }).click();

  await page.getByText("This device already has a passkey for your account.").waitFor();
  assert.equal((await device.credentials()).length, 1);
  assert.deepEqual(await accessibilityFaults(page), []);
  await member.leave();
});

test("a removed passkey does not sign in, and the password does", async () => {
  const owner = await holder();
  const { member, page } = owner;
  await page.getByText("Rename").click();
  await page.getByLabel("New name").fill("Lost laptop");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Remove Lost laptop" }).click();
  assert.match(await page.getByRole("status").innerText(), /removed/);
  const credentials = await owner.device.credentials();
  await member.leave();

  const again = await comes();
  await again.device.share(credentials);
  await again.member.open(new URL("/sign-in", stage.assay.url));
  await byPasskey(again.page).click();
  await again.page.getByText("This passkey is not valid on this server.").waitFor();
  await again.member.signIn();

  await again.page.waitForURL(new URL("/", stage.assay.url).href);
  await again.member.leave();
});

test("a member whom the device does not recognise is told in words", async () => {
  const owner = await holder();
  await signOut(owner);
  const { member, page, device } = owner;
  await device.recogniseNobody();

  await byPasskey(page).click();

  await page.getByText("You chose nothing, or it took too long. Try again.").waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await byPasskey(page).isEnabled(), true);
  await member.leave();
});

test("without JavaScript the password is all there is", async () => {
  const context = await stage.browser.newContext({ javaScriptEnabled: false });
  const member = new Member(await context.newPage(), stage.assay);
  await member.open(new URL("/account", stage.assay.url));
  assert.equal(await byPasskey(member.page).isVisible(), false);

  await member.signIn();

  await member.page.waitForURL("**/account");
  assert.equal(await member.page.getByRole("button", { name: "Add a passkey" }).isVisible(), false);
  await member.leave();
});
