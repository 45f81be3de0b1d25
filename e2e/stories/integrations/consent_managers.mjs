/**
 * Consent managers with the code that the guide has for each. CookieConsent and tarteaucitron are their own libraries from npm;
 * receivers/ says what stands in for Klaro.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { blocksOf } from "../../docs/documents.mjs";
import { COLLECTOR } from "../../site/analyticsSite.mjs";
import { setAnalyticsStage } from "../../site/analyticsStage.mjs";
import { compiled } from "../../site/commands.mjs";
import { abTest, everywhere, project } from "../../site/projects.mjs";

const stage = setAnalyticsStage();

const guide = blocksOf("privacy", await readFile(new URL("../../../docs/privacy.md", import.meta.url), "utf8"));
const code = (part) => guide.map((block) => block.code).find((text) => text.includes(part));

/** CookieConsent does not run without texts, nor in browsers that a program controls. */
const TEXTS = { consentModal: { title: "Cookies" }, preferencesModal: { sections: [] } };
const THE_REST = `hideFromBots: false, language: ${JSON.stringify({ default: "en", translations: { en: TEXTS } })}`;

/**
 * @typedef {object} Manager
 * @property {string} name
 * @property {string} html what its instructions and the guide put on a page
 * @property {() => boolean | Promise<boolean>} isReady whether it has read what the visitor answered earlier; runs in the page, as do the next
 * @property {(granted: boolean) => void} answer
 */

/** @type {Manager[]} */
const MANAGERS = [
  {
    name: "CookieConsent",
    html: `<script src="/npm/vanilla-cookieconsent/dist/cookieconsent.umd.js"></script>
      <script>running = ${code("CookieConsent.run").replace("// and the rest: language, …", THE_REST)}</script>`,
    isReady: () => window.running.then(() => true),
    answer: (granted) => window.CookieConsent.acceptCategory(granted ? "all" : []),
  },
  {
    name: "tarteaucitron",
    html: `<script src="/npm/tarteaucitronjs/tarteaucitron.js"></script>
      <script>tarteaucitron.init({ adblocker: false, useExternalCss: true });${code("tarteaucitron.services.assay")}</script>`,
    isReady: () => window.tarteaucitron.added?.assay === true,
    answer: (granted) => window.tarteaucitron.userInterface.respondAll(granted),
  },
  {
    name: "Klaro",
    html: `<script src="/receivers/klaro.js"></script><script>${code("klaro.getManager")}</script>`,
    isReady: () => true,
    answer: (granted) => {
      window.klaro.getManager().changeAll(granted);
      window.klaro.getManager().saveAndApplyConsents();
    },
  },
];

const VIEW = "viewed";
const DEED = "bought";

const visit = ({ html, isReady }, story) =>
  stage.visit(async (site) => {
    const shop = project({
      snippet: { consent: "required" },
      pages: [everywhere({ conditions: [] })],
      events: [
        { key: VIEW, type: "pageview", page: "everywhere" },
        { key: DEED, type: "custom" },
      ],
      campaigns: [abTest({ pages: ["everywhere"], weights: [5000, 5000] })],
    });
    shop.project.results = "on";
    site.write(`${COLLECTOR}/snippet.js`, await compiled(shop));
    const tell = `<script>${code("const tell")}</script>`;
    const page = `<!doctype html><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
      <script src="${COLLECTOR}/snippet.js"></script><body><h1>Shop</h1>${tell}${html}`;
    for (const path of ["/", "/next"]) site.write(path, page);
    await story(site, async (path) => {
      await site.open(path);
      await site.page.waitForFunction(isReady);
    });
  }, null);

const buy = (site) => site.page.evaluate((eventName) => window.experimentation.push({ type: "event", eventName }), DEED);

/** The variation that the visitor is in; none where the snippet is off. */
const variation = (site) => site.page.evaluate(() => Object.values(window.experimentation.get("state").getVariationMap())[0]?.id);

const isKnown = async (site) => (await site.context.cookies()).some(({ name }) => name === "experimentation_id");

const countedOf = (received) =>
  received.filter(({ path }) => path === "/v1/events").flatMap(({ body }) => JSON.parse(body).events.map(({ name, type }) => name ?? type));

for (const manager of MANAGERS) {
  test(`${manager.name}: who agrees on the page they came to counts there from then on, and keeps their variation`, () =>
    visit(manager, async (site, open) => {
      await open("/");
      const first = await variation(site);
      assert.ok(first);
      await buy(site);
      assert.equal(await isKnown(site), false);

      await site.page.evaluate(manager.answer, true);
      await buy(site);
      assert.equal(await isKnown(site), true);
      assert.equal(await variation(site), first);

      await open("/next");
      assert.equal(await variation(site), first);
      // The first page's view and deed came before the consent.
      const wanted = [DEED, "exposure", VIEW];
      const received = await site.arrived((all) => wanted.every((name) => countedOf(all).includes(name)));
      assert.deepEqual(countedOf(received).sort(), wanted.sort());
    }));

  test(`${manager.name}: for who refuses, the snippet is off, on the next page, too`, () =>
    visit(manager, async (site, open) => {
      await open("/");
      await site.page.evaluate(manager.answer, false);
      assert.equal(await variation(site), undefined);

      await open("/next");
      assert.equal(await variation(site), undefined);
      assert.equal(await isKnown(site), false);
    }));

  test(`${manager.name}: who takes consent back is forgotten`, () =>
    visit(manager, async (site, open) => {
      await open("/");
      await site.page.evaluate(manager.answer, true);
      await open("/next");
      await site.page.evaluate(manager.answer, false);

      assert.equal(await variation(site), undefined);
      assert.equal(await isKnown(site), false);
    }));
}
