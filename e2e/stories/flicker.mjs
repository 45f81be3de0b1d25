/** What is on the screen while the shop arrives in pieces: the visitor's own headline from the first moment, and no other. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { slowLine } from "../site/slowLine.mjs";
import { setStage } from "../site/stage.mjs";
import { visitorOf } from "../site/shop.mjs";
import { ADA, DAN } from "../site/visitors.mjs";

const PAGE = "/demo/";
/** The document stops before its headline, within it, right after it, and further down. */
const CUTS = ["<h1>", "for cold mornings", "</h1>", "<p>Thick walls", "Three glazes", "What the kiln", "</body>"];

const stage = setStage();

/**
 * Runs in the page: notes the headline that each frame shows, then asks for the next piece. A new resize observer is called in
 * the frame it was made in, after all that may still change the page and before it is painted.
 */
const watchHeadline = () => {
  window.paintedHeadlines = [];
  const look = (_entries, observer) => {
    observer.disconnect();
    const headline = document.querySelector("h1");
    if (headline?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
      window.paintedHeadlines.push(headline.innerText);
    }
    window.framePainted();
  };
  const nextFrame = () => {
    new ResizeObserver(look).observe(document.documentElement);
    if (document.readyState !== "complete") requestAnimationFrame(nextFrame);
  };
  requestAnimationFrame(nextFrame);
};

/** All headlines the visitor sees while the page arrives, each once. */
const headlinesPaintedFor = async (visitorId) => {
  const line = await slowLine(stage.assay.url, PAGE, CUTS);
  const shop = await visitorOf(stage.browser, { url: line.url, demoUrl: line.url + PAGE }, visitorId);
  try {
    await shop.page.exposeFunction("framePainted", () => line.sendNext());
    await shop.page.addInitScript(watchHeadline);
    await shop.open();
    return [...new Set(await shop.page.evaluate(() => window.paintedHeadlines))];
  } finally {
    await shop.leave();
    await line.stop();
  }
};

test("a changed headline is never seen unchanged", async () => {
  assert.deepEqual(await headlinesPaintedFor(DAN), ["Warm hands, anywhere."]);
});

test("a headline that stays is left alone while it arrives", async () => {
  const painted = await headlinesPaintedFor(ADA);

  assert.equal(painted.at(-1), "Stoneware for cold mornings");
  assert.ok(painted.every((text) => "Stoneware for cold mornings".startsWith(text)), painted.join(" | "));
});
