/** In each browser: a visitor comes, is given variations, keeps them, asks for others, and wants none of it. */

import assert from "node:assert/strict";

import { abTest, home, loyal, pageAt, personalization, project } from "../../site/projects.mjs";
import { pageText } from "../../site/proxyServer.mjs";
import { setRealStage } from "../../site/realStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const { inEachBrowser } = setRealStage();

const textChange = (value) => [{ type: "text", selector: "h1", value }];
const SHOP = project({
  audiences: [loyal],
  pages: [
    { ...home, tags: [{ key: "headline", locator: "h1", locator_type: "css_selector" }], metadata: { section: "front" } },
    pageAt("/other", { id: "1002", key: "other", name: "Other" }),
  ],
  campaigns: [
    abTest({ changes: ["Original", "Green", "Blue"].map(textChange) }),
    abTest({ id: "4002", name: "AB no traffic", holdback: 10000 }),
    personalization(),
  ],
});
const ON_HOME = { 1001: { section: "front", headline: "Original" } };
const DECIDED = {
  4001: { experiment: "24001", variation: "314001" },
  4002: { experiment: "24002", variation: "314002", isHeldBack: true },
  4006: { experiment: "224006", variation: "324006" },
};

inEachBrowser("all functions of the state module answer, on the first page and on later ones", async (site) => {
  await site.publish(SHOP);
  await site.open();
  assert.deepEqual(await site.state(), stateOf(SHOP, { activePages: ON_HOME, campaigns: DECIDED }));
  const activationId = () => site.evaluate(() => Number(window.experimentation.get("state").getActivationId()));
  const first = await activationId();
  assert.ok(first > 0);

  await site.follow("/other");
  const inactive = Object.fromEntries(Object.entries(DECIDED).map(([id, decided]) => [id, { ...decided, isActive: false }]));
  assert.deepEqual(await site.state(), stateOf(SHOP, { activePages: { 1002: {} }, campaigns: inactive }));
  assert.ok((await activationId()) > first);
});

inEachBrowser(
  "a new visitor is given an id and a variation, and keeps both",
  async (site) => {
    const seen = () =>
      site.evaluate(() => [
        window.experimentation.get("visitor").visitorId,
        window.experimentation.get("state").getVariationMap()["24001"].name,
        document.querySelector("h1").textContent,
        /experimentation_id=([^;]*)/.exec(document.cookie)?.[1],
        localStorage.getItem("experimentation:1000").split("|")[1],
      ]);
    await site.publish(SHOP);
    await site.open();
    const [id, variation, headline, ...kept] = await seen();
    assert.ok(id.length > 20, id);
    assert.equal(headline, variation);
    assert.deepEqual(kept, [id, id]);

    await site.follow("/other");
    await site.follow("/");
    assert.deepEqual(await seen(), [id, variation, headline, ...kept]);
  },
  { visitorId: null },
);

/**
 * Runs in the page: notes the headline that each frame shows, then asks for the next piece. A new resize observer is called in the
 * frame it was made in, after all that may still change the page and before it is painted.
 */
const watchHeadline = () => {
  window.paintedHeadlines = [];
  const look = (_entries, observer) => {
    observer.disconnect();
    const headline = document.querySelector("h1");
    if (headline) window.paintedHeadlines.push(headline.textContent);
    fetch("/next");
  };
  const nextFrame = () => {
    new ResizeObserver(look).observe(document.documentElement);
    if (document.readyState !== "complete") requestAnimationFrame(nextFrame);
  };
  requestAnimationFrame(nextFrame);
};

inEachBrowser("a changed headline is never painted unchanged, however slowly the page arrives", async (site) => {
  await site.publish(SHOP);
  // Browsers draw no frame of a page without a body, and WebKit none of one with hardly any text.
  const start = pageText({ before: `(${watchHeadline})()`, body: `<p>${"Before ".repeat(50)}</p>` });
  site.web.writeSlowPage("/", [start, "<h1>Hel", "lo", "</h1>", "<p>After</p>", "<p>End</p>"]);
  await site.open();

  const painted = await site.evaluate(() => window.paintedHeadlines);
  assert.deepEqual([...new Set(painted)], ["Original"]);
});

inEachBrowser("an address can ask for another variation, for its tab", async (site) => {
  const forced = stateOf(SHOP, {
    activePages: { 1001: { section: "front", headline: "Blue" } },
    campaigns: { ...DECIDED, 4001: { experiment: "24001", variation: "334001" } },
  });
  await site.publish(SHOP);
  await site.open("/?experimentation_x=334001");
  assert.deepEqual(await site.state(), forced);
  assert.equal(await site.textOf("h1"), "Blue");

  await site.follow("/");
  assert.deepEqual(await site.state(), forced);

  await site.follow("/?experimentation_x=");
  assert.deepEqual(await site.state(), stateOf(SHOP, { activePages: ON_HOME, campaigns: DECIDED }));
});

inEachBrowser("who opts out is forgotten, and stays out", async (site) => {
  const silence = { ...stateOf(SHOP, {}), getPageStates: {} };
  await site.publish(SHOP);
  await site.open();

  await site.push({ type: "optOut" });
  assert.deepEqual(await site.state(), silence);

  await site.follow("/?again");
  assert.deepEqual(await site.state(), silence);
  assert.equal(await site.textOf("h1"), "Hello");
  assert.deepEqual(await site.evaluate(() => [document.cookie, localStorage.length]), ["experimentation_id=-", 0]);
});
