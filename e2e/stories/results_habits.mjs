/** What people do by habit, and lose nothing by: two tabs at once, leaving with a click, going back, losing the network. The server's counts are exact. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openPersonsBrowser, personIn } from "../site/people.mjs";
import { setStage } from "../site/stage.mjs";

const stage = setStage(undefined, openPersonsBrowser);

/** Playwright's Chromium forgets pages that are left, unless it is asked not to. */
let keeping;
before(async () => {
  keeping = await openPersonsBrowser([], ["--disable-back-forward-cache"]);
});
after(() => keeping?.close());

/** The demo's made-up visitors. */
const BEFORE = 4000;

const PATIENCE_MS = 20_000;

/** An access token that reads results. */
const readerToken = async () => {
  let token;
  await stage.authorize(async (application, member) => {
    const address = await application.authorizationUrl();
    address.searchParams.set("scope", "results:read");
    await member.open(address.href);
    await member.signIn();
    token = (await application.exchange(await member.decide("allow"))).access_token;
  });
  return token;
};

/** How many visitors are in the demo's first test, and how many of them looked for a mug: as soon as it is so many, or nothing more comes. */
const counts = async (token, visitors, clickers) => {
  const address = new URL("/v1/projects/1000/campaigns/hero/results", stage.assay.url);
  const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { results } = (await answer.json()).experiments[0];
    const come = results ? [sum(results.variations.map(({ visitors }) => visitors)), sum(results.metrics[0].variations.map(({ total }) => total))] : [0, 0];
    if ((come[0] >= visitors && come[1] >= clickers) || Date.now() > deadline) return come;
  }
};

/** Somebody new, who is a person and not a program; the story says what they do. In the end they are one visitor, who clicked. */
const person = async (browser, story) => {
  const token = await readerToken();
  const before = await counts(token, BEFORE, 0);
  const context = await personIn(browser);
  try {
    await story(context);
    // Whoever leaves tells the rest.
    for (const page of context.pages()) await page.goto("about:blank");
    const expected = [BEFORE + 1, before[1] + 1];
    assert.deepEqual(await counts(token, ...expected), expected);
  } finally {
    await context.close();
  }
};

const isDecided = () => Boolean(window.experimentation?.get("state"));

/** A page view of the shop that is ready to be clicked. */
const shopIn = async (context) => {
  const page = await context.newPage();
  await page.goto(stage.assay.demoUrl);
  await page.waitForFunction(isDecided);
  return page;
};

/** Makes the button a link to another page, as most are. */
const lead = (page) => page.evaluate(() => document.querySelector(".hero .button").setAttribute("href", "mug.html"));

test("somebody new who opens two tabs at once, and clicks in both, is one visitor who clicked", () =>
  person(stage.browser, async (context) => {
    const tabs = await Promise.all([shopIn(context), shopIn(context)]);
    await Promise.all(tabs.map((tab) => tab.click(".hero .button")));
  }));

test("a click on a link that leads away at once is counted", () =>
  person(stage.browser, async (context) => {
    const page = await shopIn(context);
    await lead(page);
    await Promise.all([page.waitForURL(/mug\.html/), page.click(".hero .button")]);
  }));

test("a click counts on a page to which somebody comes back", () =>
  person(keeping, async (context) => {
    const page = await shopIn(context);
    await page.evaluate(() => addEventListener("pageshow", ({ persisted }) => (document.title = `persisted ${persisted}`)));
    await page.goto(`${stage.assay.demoUrl}mug.html`);
    // The page is not loaded again, so that no event of loading says when it is there.
    await page.evaluate(() => void setTimeout(() => history.back()));
    await page.waitForFunction(() => document.title === "persisted true");
    await page.click(".hero .button");
  }));

test("a click without the network is counted once it is back", () =>
  person(stage.browser, async (context) => {
    const page = await shopIn(context);
    await page.waitForResponse((response) => response.url().endsWith("/v1/events"));
    await context.setOffline(true);
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/v1/events"));
    await page.click(".hero .button");
    await failed;
    await page.waitForFunction(() => /[|,]u,[^,|]/.test(localStorage.getItem("experimentation:1000")));
    await context.setOffline(false);
    // The next page takes it up.
    const taken = page.waitForResponse((response) => response.url().endsWith("/v1/events"));
    await page.reload();
    assert.equal((await taken).status(), 202);
  }));

test("a tab that is closed without the network tells it when somebody comes again", () =>
  person(stage.browser, async (context) => {
    const page = await shopIn(context);
    await page.waitForResponse((response) => response.url().endsWith("/v1/events"));
    await context.setOffline(true);
    await page.click(".hero .button");
    // As the browser does when the tab is hidden, or closed.
    await page.evaluate(() => dispatchEvent(new Event("pagehide")));
    await context.setOffline(false);
    await page.close();
    await shopIn(context).then((again) => again.waitForResponse((response) => response.url().endsWith("/v1/events")));
  }));
