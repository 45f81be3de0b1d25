/** Every page that the console shows, on a phone, in light and dark, with large text and from the keyboard. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { Application } from "../../site/application.mjs";
import { startAssay } from "../../site/assay.mjs";
import { freePort } from "../../site/freePort.mjs";
import { Member } from "../../site/member.mjs";
import { PasskeyDevice } from "../../site/passkeyDevice.mjs";
import { setStage } from "../../site/stage.mjs";

/** At `localhost` the pages offer passkeys too. */
const stage = setStage(async () => {
  const port = await freePort();
  return startAssay({ listen: `127.0.0.1:${port}`, publicUrl: `http://localhost:${port}` });
});

/** The narrowest screen that the guidelines ask for (WCAG 2.2, 1.4.10). */
const PHONE = { width: 320, height: 640 };
const TABLET = { width: 640, height: 900 };

const open = (member, path) => member.open(new URL(path, stage.assay.url));

const signedIn = async (member) => {
  await open(member, "/sign-in");
  await member.signIn();
  await member.page.waitForURL(new URL("/", stage.assay.url).href);
};

/** How to get to each page. */
const PAGES = {
  "sign-in": (member) => open(member, "/sign-in"),
  "sign-in on the way to an application": async (member) => {
    const application = await Application.discover(stage.assay);
    await member.open(await application.authorizationUrl());
  },
  "sign-in after a wrong password": async (member) => {
    await open(member, "/sign-in");
    await member.signIn({ password: "wrong" });
    await member.alert();
  },
  consent: async (member) => {
    const application = await Application.discover(stage.assay);
    await member.open(await application.authorizationUrl());
    await member.signIn();
    await member.page.waitForSelector("button[name=decision]");
  },
  account: async (member) => {
    await PAGES.consent(member);
    await member.decide("allow");
    await PasskeyDevice.beside(member.page);
    await open(member, "/account");
    await member.page.getByRole("button", { name: "Add a passkey" }).click();
    await member.page.getByRole("status").waitFor();
    await member.page.getByText("Rename").click();
  },
  "account after a wrong password": async (member) => {
    await signedIn(member);
    await open(member, "/account");
    await member.page.getByLabel("Current password").fill("wrong");
    await member.page.getByLabel("New password").fill("correct horse battery");
    await member.page.getByRole("button", { name: "Change password" }).click();
    await member.alert();
  },
  projects: (member) => signedIn(member),
  "explain a decision": async (member) => {
    await signedIn(member);
    await open(member, "/projects/1000/decide?visitor=ada&url=http%3A%2F%2Flocalhost%2Fdemo%2F");
  },
  preview: async (member) => {
    await signedIn(member);
    await open(member, "/projects/1000/preview");
  },
  "the REST API": (member) => open(member, "/docs/api"),
  "no such page": (member) => open(member, "/nothing"),
  "an application that cannot be authorized": (member) => open(member, "/oauth2/authorize?client_id=unheard-of"),
};

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What one reaches with the tabulator, in order, and whether it shows. */
const reached = async (page) => {
  const stops = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body || element.dataset.reached) return null;
      element.dataset.reached = "yes";
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { html: element.outerHTML.slice(0, 80), shows: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 };
    });
    if (!stop) return stops;
    stops.push(stop);
  }
};

for (const [name, goTo] of Object.entries(PAGES)) {
  test(`the page '${name}' fits a phone and is accessible`, async () => {
    const context = await stage.browser.newContext({ viewport: PHONE });
    const member = new Member(await context.newPage(), stage.assay);
    const { page } = member;
    await goTo(member);
    const pictures = process.env.PICTURES;

    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await overflow(page), 0, `${colorScheme}, on a phone`);
      assert.deepEqual(await accessibilityFaults(page), [], colorScheme);
      if (pictures) await page.screenshot({ path: `${pictures}/${name.replaceAll(" ", "-")}-${colorScheme}.png`, fullPage: true });
    }
    assert.equal(await page.getByRole("main").count(), 1);
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);

    await page.setViewportSize(TABLET);
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    assert.equal(await overflow(page), 0, "with text twice as large");
    if (pictures) await page.screenshot({ path: `${pictures}/${name.replaceAll(" ", "-")}-large.png`, fullPage: true });

    const stops = await reached(page);
    assert.ok(stops.length > 0);
    assert.deepEqual(stops.filter((stop) => !stop.shows), [], "what has the focus shows it");
    await member.leave();
  });
}

test("without JavaScript a member signs in, allows the application, and it gets its token", async () => {
  const context = await stage.browser.newContext({ javaScriptEnabled: false });
  const member = new Member(await context.newPage(), stage.assay);
  const application = await Application.discover(stage.assay);
  await member.open(await application.authorizationUrl());
  await member.signIn();
  await member.page.waitForSelector("button[name=decision]");

  const answer = await member.decide("allow");

  assert.ok((await application.exchange(answer)).access_token);
  await member.leave();
});

test("another member signs in on the consent page, and answers for themselves", async () => {
  const context = await stage.browser.newContext();
  const member = new Member(await context.newPage(), stage.assay);
  const application = await Application.discover(stage.assay);
  await PAGES.consent(member);

  await member.page.getByRole("link", { name: "Sign in as another member" }).click();
  await member.signIn();
  await member.page.waitForSelector("button[name=decision]");
  const answered = member.decide("allow");

  assert.equal((await answered).searchParams.get("iss"), application.server.issuer);
  await member.leave();
});

test("a member changes the password, and every other browser is signed out", async () => {
  const [here, elsewhere] = await Promise.all([stage.browser.newContext(), stage.browser.newContext()]);
  const [member, other] = await Promise.all([here, elsewhere].map(async (context) => new Member(await context.newPage(), stage.assay)));
  await signedIn(member);
  await signedIn(other);
  await open(member, "/account");

  await member.page.getByLabel("Current password").fill(stage.assay.member.password);
  await member.page.getByLabel("New password").fill("correct horse battery");
  await member.page.getByRole("button", { name: "Change password" }).click();

  assert.match(await member.page.getByRole("status").innerText(), /Your password is changed/);
  await open(other, "/account");
  await other.signIn();
  assert.match(await other.alert(), /is wrong/);
  await other.signIn({ password: "correct horse battery" });
  await other.page.waitForURL("**/account");
  await member.leave();
  await other.leave();
});
