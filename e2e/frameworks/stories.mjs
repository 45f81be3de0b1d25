/** The guides' apps with the snippet: the right variation shows, on the first page and after each change of route, and hydration has nothing to report. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "js-yaml";

import { startAssay } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { examples, freePort, runApp } from "./app.mjs";
import { APPS } from "./apps.mjs";

/** How the pages in a guide become active and end. */
const pagesOf = async (guide) =>
  (await examples(guide, "yaml")).map((code) => {
    const { key, name, conditions, ...page } = load(code).pages[0];
    return page;
  });

/** The page that waits for the app, and the one that follows the address. */
const [whenReady, onRoute] = await pagesOf("install-nextjs");

test("these pages are the same in all guides", async () => {
  assert.deepEqual(await pagesOf("install-nuxt"), [whenReady]);
  assert.deepEqual(await pagesOf("install-frameworks"), [onRoute]);
});

/** What the guide of Nuxt says of changes that need not wait for hydration. */
const atOnce = { ...whenReady, activation: { ...whenReady.activation, code: whenReady.activation.code.replace(/follow\(\);\n$/, "activate();\n") } };

const text = { type: "text", selector: "h1", value: "Changed" };
const element = { type: "insert", selector: "h1", position: "before", value: "<p>New</p>" };

/** A page at each of these addresses, and what its experiment changes there. */
const PAGES = {
  waits: { page: whenReady, changes: [text] },
  slow: { page: whenReady, changes: [text] },
  early: { page: atOnce, changes: [text] },
  style: { changes: [{ type: "css", value: "h1 { color: rgb(1, 2, 3) }" }] },
  text: { changes: [text] },
  computed: { changes: [text] },
  inserted: { changes: [text, element] },
  route: { page: onRoute, changes: [text] },
};

const project = (site) => ({
  version: 1,
  project: { id: "1000", key: "shop", name: "Shop" },
  pages: Object.entries(PAGES).map(([key, { page }]) => ({
    key,
    name: key,
    conditions: ["or", { type: "url", match: "simple", value: `${site}/${key}` }],
    ...page,
  })),
  campaigns: Object.entries(PAGES).map(([key, { changes }]) => ({
    key,
    name: key,
    type: "ab_test",
    status: "running",
    pages: [key],
    experiments: [{ key, name: key, variations: [{ key: "original", name: "Original", weight: 0 }, { key: "new", name: "New", weight: 10000, changes }] }],
  })),
});

/** Notes what each frame shows: the page, and its heading. */
const watchFrames = () => {
  const frames = [];
  Object.assign(window, { frames_: frames });
  const look = () => {
    const visible = [...document.querySelectorAll("main")].filter((main) => main.checkVisibility());
    const frame = visible.map((main) => `${main.dataset.page}: ${main.querySelector("h1")?.textContent}`).join(", ");
    if (frame && frame !== frames.at(-1)) frames.push(frame);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

/** The apps have none. */
const isOfIcon = (message) => message.location().url.endsWith("/favicon.ico");

/** A visit whose complaints are kept. */
const visit = async (browser, url) => {
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isOfIcon(message) && complaints.push(message.text()));
  await page.addInitScript(watchFrames);
  await page.goto(url, { waitUntil: "networkidle" });
  return { page, complaints };
};

/** Comes back when a frame has shown it, too. */
const shows = async (page, name, heading) => {
  await page.locator(`main[data-page=${name}]:visible h1`, { hasText: heading }).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
};

/** By links, as visitors do. */
const goTo = async (page, name, heading) => {
  await page.getByRole("link", { name, exact: true }).click();
  await shows(page, name, heading);
};

const framesOf = (page) => page.evaluate(() => window.frames_);

/** @param {typeof APPS[keyof typeof APPS]} app what the guide promises of it */
const storiesOf = (app, browser, site) => {
  const onLanding = async (name) => {
    const { page, complaints } = await visit(browser, `${site}/${name}`);
    await shows(page, name, "Changed");
    await goTo(page, "plain", "Plain");
    await goTo(page, name, "Changed");
    await goTo(page, "plain", "Plain");
    const frames = await framesOf(page);
    const isOriginalFirst = !app.shows?.includes(name);
    return { complaints, frames: isOriginalFirst ? frames.slice(frames.indexOf(`${name}: Changed`)) : frames };
  };
  const byLink = async (name) => {
    const { page, complaints } = await visit(browser, `${site}/plain`);
    for (let round = 0; round < 3; round += 1) {
      await goTo(page, name, "Changed");
      await goTo(page, "plain", "Plain");
    }
    return { complaints, frames: await framesOf(page) };
  };
  const round = (name) => [`${name}: Changed`, "plain: Plain"];
  return {
    ...Object.fromEntries(
      [...app.waits, ...app.follows].map((name) => [
        `the page ${name}, to which links lead: no frame shows another text`,
        async () => {
          const { complaints, frames } = await byLink(name);
          assert.deepEqual(frames, ["plain: Plain", ...round(name), ...round(name), ...round(name)]);
          assert.deepEqual(complaints, []);
        },
      ]),
    ),
    ...Object.fromEntries(
      app.waits.map((name) => [
        `the page ${name}, on which visitors land, and to which they come back`,
        async () => {
          const { complaints, frames } = await onLanding(name);
          assert.deepEqual(frames, [...round(name), ...round(name)]);
          assert.deepEqual(complaints, []);
        },
      ]),
    ),
    "a style sheet": async () => {
      const { page, complaints } = await visit(browser, `${site}/style`);
      assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("h1")).color), "rgb(1, 2, 3)");
      assert.deepEqual(complaints, []);
    },
    ...Object.fromEntries(
      Object.entries(app.says).map(([name, words]) => [
        `the page ${name}: what is changed before hydration is there after it`,
        async () => {
          const { page, complaints } = await visit(browser, `${site}/${name}`);
          assert.equal(await page.textContent("h1"), "Changed");
          assert.match(complaints.join("\n"), words);
        },
      ]),
    ),
  };
};

const asks = async (browser, site) => {
  const { page } = await visit(browser, `${site}/style`);
  const [experiment] = await page.evaluate(() => window.experimentation.get("state").getActiveExperimentIds());
  const asking = await visit(browser, `${site}/style?ask=${experiment}`);
  await asking.page.getByText("1", { exact: true }).waitFor();
  assert.deepEqual(asking.complaints, []);
};

for (const [name, app] of Object.entries(APPS))
  test(`${name}: the guide's app shows variations, and hydrates without a complaint`, async (t) => {
    const port = await freePort();
    const site = `http://127.0.0.1:${port}`;
    const [assay, browser] = await Promise.all([startAssay({ project: project(site) }), openBrowser()]);
    const running = await runApp(await app.files(`${assay.url}/js/1000.js`), port, app.build, app.start);
    try {
      for (const [title, story] of Object.entries(storiesOf(app, browser, site))) await t.test(title, story);
      if (app.asks) await t.test("a component that asks", () => asks(browser, site));
    } finally {
      await running.stop();
      await Promise.all([browser.close(), assay.stop()]);
    }
  });
