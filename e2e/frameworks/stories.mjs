/** Next.js and Nuxt with the snippet, as the guides say: the right variation shows, and hydration has nothing to report. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "js-yaml";

import { startAssay } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { examples, freePort, runApp } from "./app.mjs";

const PRINTED = "https://experiments.shop.example/js/1000.js";

/** Of the Next.js guide, to which that of Nuxt refers. */
const { activation: whenReady } = load((await examples("install-nextjs", "yaml"))[0]).pages[0];

/** A page at each of these addresses, and what its experiment changes there. */
const PAGES = {
  waits: { activation: whenReady, change: { type: "text", selector: "h1", value: "Changed" } },
  style: { change: { type: "css", value: "h1 { color: rgb(1, 2, 3) }" } },
  text: { change: { type: "text", selector: "h1", value: "Changed" } },
  route: { activation: { type: "url_changed" }, change: { type: "text", selector: "h1", value: "Changed" } },
};

const project = (site) => ({
  version: 1,
  project: { id: "1000", key: "shop", name: "Shop" },
  pages: Object.entries(PAGES).map(([key, { activation }]) => ({
    key,
    name: key,
    conditions: ["or", { type: "url", match: "simple", value: `${site}/${key}` }],
    ...(activation && { activation }),
  })),
  campaigns: Object.entries(PAGES).map(([key, { change }]) => ({
    key,
    name: key,
    type: "ab_test",
    status: "running",
    pages: [key],
    experiments: [{ key, name: key, variations: [{ key: "original", name: "Original", weight: 0 }, { key: "new", name: "New", weight: 10000, changes: [change] }] }],
  })),
});

const nextApp = async (snippet) => {
  const [layout, ready, ask] = await examples("install-nextjs", "tsx");
  const withReady = layout.replace(PRINTED, snippet).replace("{children}</body>", "{children}<AppReady /></body>");
  return {
    "app/layout.tsx": `import { AppReady } from "./app-ready";\n${withReady}`,
    "app/app-ready.tsx": ready,
    "app/use-variation.tsx": ask,
    "app/asking.tsx": `"use client";
import { useVariation } from "./use-variation";
export const Asking = ({ experiment }: { experiment: string }) => <output>{useVariation(experiment)}</output>;
`,
    "app/[name]/page.tsx": `import Link from "next/link";
import { Asking } from "../asking";
export const dynamic = "force-dynamic";
export default async function Page({ searchParams }: { searchParams: Promise<{ ask?: string }> }) {
  const { ask } = await searchParams;
  return <><h1>Plain</h1>{ask && <Asking experiment={ask} />}<Link href="/route">Route</Link></>;
}
`,
  };
};

const nuxtApp = async (snippet) => {
  const [config, plugin] = await examples("install-nuxt", "ts");
  return {
    "nuxt.config.ts": config.replace(PRINTED, snippet),
    "plugins/assay.client.ts": plugin,
    "pages/[name].vue": `<template><div><h1>Plain</h1><NuxtLink to="/route">Route</NuxtLink></div></template>\n`,
  };
};

const FRAMEWORKS = {
  "Next.js": { files: nextApp, build: ["next", "build"], start: (port) => ["next", "start", "-H", "127.0.0.1", "-p", String(port)], tellsOfDifferences: true, asks: true },
  Nuxt: { files: nuxtApp, build: ["nuxt", "build"], start: () => ["node", ".output/server/index.mjs"], tellsOfDifferences: false, asks: false },
};

/** A visit whose complaints are kept. */
const visit = async (browser, url) => {
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  await page.goto(url, { waitUntil: "load" });
  return { page, complaints };
};

for (const [name, { files, build, start, tellsOfDifferences, asks }] of Object.entries(FRAMEWORKS))
  test(`${name}: the guide's app shows variations, and hydrates without a complaint`, async (t) => {
    const port = await freePort();
    const site = `http://127.0.0.1:${port}`;
    const [assay, browser] = await Promise.all([startAssay({ project: project(site) }), openBrowser()]);
    const app = await runApp(await files(`${assay.url}/js/1000.js`), port, build, start);
    try {
      await t.test("a page that waits for the app", async () => {
        const { page, complaints } = await visit(browser, `${site}/waits`);
        await page.getByRole("heading", { name: "Changed" }).waitFor();
        assert.deepEqual(complaints, []);
      });
      await t.test("a style sheet", async () => {
        const { page, complaints } = await visit(browser, `${site}/style`);
        await page.waitForLoadState("networkidle");
        assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("h1")).color), "rgb(1, 2, 3)");
        assert.deepEqual(complaints, []);
      });
      await t.test("a text that is changed before hydration is there after it", async () => {
        const { page, complaints } = await visit(browser, `${site}/text`);
        await page.waitForLoadState("networkidle");
        assert.equal(await page.textContent("h1"), "Changed");
        assert.equal(complaints.length > 0, tellsOfDifferences, complaints.join("\n"));
      });
      const ask = async () => {
        const { page } = await visit(browser, `${site}/style`);
        const [experiment] = await page.evaluate(() => window.experimentation.get("state").getActiveExperimentIds());
        const asking = await visit(browser, `${site}/style?ask=${experiment}`);
        await asking.page.getByText("1", { exact: true }).waitFor();
        assert.deepEqual(asking.complaints, []);
      };
      if (asks) await t.test("a component that asks", ask);
      await t.test("a change of route", async () => {
        const { page, complaints } = await visit(browser, `${site}/style`);
        await page.waitForLoadState("networkidle");
        await page.getByRole("link", { name: "Route" }).click();
        await page.getByRole("heading", { name: "Changed" }).waitFor();
        assert.deepEqual(complaints, []);
      });
    } finally {
      await app.stop();
      await Promise.all([browser.close(), assay.stop()]);
    }
  });
