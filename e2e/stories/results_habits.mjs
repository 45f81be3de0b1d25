/** What people do by habit, and lose nothing by: two tabs at once, leaving with a click, going back, losing the network. The server's counts are exact. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openPersonsBrowser, personIn } from "../site/people.mjs";
import { BEFORE, readerToken, resultsOnce, startAskedOften, sum } from "../site/demoResults.mjs";
import { setStage } from "../site/stage.mjs";

const stage = setStage(startAskedOften, openPersonsBrowser);

/** Playwright's Chromium forgets pages that are left, unless it is asked not to. */
let keeping;
before(async () => {
  keeping = await openPersonsBrowser([], ["--disable-back-forward-cache"]);
});
after(() => keeping?.close());

/** What `figures` finds in the results: as soon as each is as high as expected, or nothing more comes. */
const found = async (token, figures, expected) => {
  const isCome = (results) => figures(results).every((figure, at) => figure >= expected[at]);
  return figures(await resultsOnce(stage, token, isCome));
};

/** How many visitors are in the test, and how many of them looked for a mug. */
const counts = (token, ...expected) =>
  found(token, ({ variations, metrics }) => [variations, metrics[0].variations].map((of) => sum(of.map(({ visitors, total }) => total ?? visitors))), expected);

/** A page that the visitor leaves sends the rest. */
const leave = async (context) => {
  for (const page of context.pages()) await page.goto("about:blank");
};

/** A new visitor, who is a person and not a program; the story says what they do. In the end they are one visitor, who clicked. */
const person = async (browser, story) => {
  const token = await readerToken(stage);
  const before = await counts(token, BEFORE, 0);
  const context = await personIn(browser);
  try {
    await story(context);
    await leave(context);
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

/** The shop, of whose visitor the server was told. */
const shopToldOf = async (context) => {
  const told = context.waitForEvent("response", (response) => response.url().endsWith("/v1/events"));
  const page = await shopIn(context);
  assert.equal((await told).status(), 202);
  return page;
};

/** Makes the button a link to another page, as most are. */
const lead = (page) => page.evaluate(() => document.querySelector(".hero .button").setAttribute("href", "mug.html"));

/** Tabs of one moment may show different variations, and a visitor who has seen both counts for neither: docs/decisions/0021. */
test("a new visitor who opens two tabs at once, and clicks in both, is one visitor, who clicked if the tabs agree", async () => {
  const token = await readerToken(stage);
  const figures = ({ variations, metrics, health }) => [sum(variations.map(({ visitors }) => visitors)), sum(metrics[0].variations.map(({ total }) => total)), health.mixed_visitors];
  const [visitors, clicks, mixed] = await found(token, figures, [BEFORE, 0, 0]);
  const context = await personIn(stage.browser);
  try {
    const tabs = await Promise.all([shopIn(context), shopIn(context)]);
    const shown = await Promise.all(tabs.map((tab) => tab.evaluate(() => JSON.stringify(window.experimentation.get("state").getVariationMap()))));
    await Promise.all(tabs.map((tab) => tab.click(".hero .button")));
    await leave(context);
    const expected = shown[0] === shown[1] ? [visitors + 1, clicks + 1, mixed] : [visitors, clicks, mixed + 1];
    assert.deepEqual(await found(token, figures, expected), expected);
  } finally {
    await context.close();
  }
});

test("a click on a link that leads away at once is counted", () =>
  person(stage.browser, async (context) => {
    const page = await shopIn(context);
    await lead(page);
    await Promise.all([page.waitForURL(/mug\.html/), page.click(".hero .button")]);
  }));

test("a click counts on a page to which the visitor comes back", () =>
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
    const page = await shopToldOf(context);
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

test("a tab that is closed without the network tells it when the visitor comes again", () =>
  person(stage.browser, async (context) => {
    const page = await shopToldOf(context);
    await context.setOffline(true);
    await page.click(".hero .button");
    // As the browser does when the tab is hidden, or closed.
    await page.evaluate(() => dispatchEvent(new Event("pagehide")));
    await context.setOffline(false);
    await page.close();
    await shopToldOf(context);
  }));

test("a snippet that runs when the page can be seen already is told of, and one in the head is not", async () => {
  const token = await readerToken(stage);
  const flickers = ({ variations, health }) => [sum(variations.map(({ visitors }) => visitors)), health.flicker_visitors];
  const [visitors, before] = await found(token, flickers, [BEFORE, 0]);
  const shop = async (isLate) => {
    const context = await personIn(stage.browser);
    try {
      if (isLate) {
        await context.route(stage.assay.demoUrl, async (route) => {
          const response = await route.fetch();
          const [start, script, end] = (await response.text()).split(/(<script src="[^"]*js\/1000.js"><\/script>)/);
          await route.fulfill({ response, body: start + end.replace("</body>", `${script}</body>`) });
        });
      }
      // A browser that is closed drops what it has not sent.
      await shopToldOf(context);
    } finally {
      await context.close();
    }
  };
  await shop(false);
  assert.deepEqual(await found(token, flickers, [visitors + 1, before]), [visitors + 1, before]);
  await shop(true);
  assert.deepEqual(await found(token, flickers, [visitors + 2, before + 1]), [visitors + 2, before + 1]);
});
