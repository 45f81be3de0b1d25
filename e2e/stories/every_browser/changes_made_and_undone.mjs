/** In each browser: changes of every kind are made and undone, and made again to whatever comes later, before it is seen. */

import assert from "node:assert/strict";

import { abTest, pageAt, project } from "../../site/projects.mjs";
import { pageText } from "../../site/proxyServer.mjs";
import { setRealStage } from "../../site/realStage.mjs";

const { inEachBrowser } = setRealStage();

/** A project whose visitors all get these changes, until they leave the front page. */
const shopOf = (...changes) =>
  project({
    pages: [pageAt("/", { activation: { type: "url_changed" }, deactivation: true, undo_changes: true })],
    campaigns: [abTest({ weights: [0, 10000], changes: [undefined, changes] })],
  });

const ORIGINAL = `<h1 class="old" title="t" style="color: red;">Hello</h1><p id="a">A</p><p id="b">B</p><p id="c">C</p>`;

/** Runs in the page. Attributes have no order that a change could keep. */
const isOriginal = (html) => {
  const before = document.createElement("main");
  before.innerHTML = html;
  return before.isEqualNode(document.querySelector("main")) && getComputedStyle(document.body).color === "rgb(0, 0, 0)";
};

inEachBrowser("changes of every kind are made, and undone when the page is left", async (site) => {
  const shop = shopOf(
    { type: "text", selector: "h1", value: "New" },
    { type: "style", selector: "h1", name: "color", value: "rgb(0, 128, 128) !important" },
    { type: "class", selector: "h1", value: "is-new" },
    { type: "attribute", selector: "h1", name: "title", value: "new" },
    { type: "html", selector: "#a", value: "<b>bold</b>" },
    { type: "insert", selector: "#a", value: "<i>1</i>2", position: "after" },
    { type: "move", selector: "#b", to: "h1", position: "before" },
    { type: "remove", selector: "#c" },
    { type: "css", value: "body { color: rgb(0, 0, 128) }" },
  );
  await site.publish(shop);
  site.web.writePage("/", pageText({ body: `<main>${ORIGINAL}</main>` }));
  await site.open();

  const changed = await site.evaluate(() => [document.querySelector("main").innerHTML, getComputedStyle(document.body).color]);
  assert.deepEqual(changed, [
    `<p id="b">B</p><h1 class="old is-new" title="new" style="color: rgb(0, 128, 128) !important;">New</h1>` +
      `<p id="a"><b>bold</b></p><i data-experimentation="4001.5">1</i><span data-experimentation="4001.5">2</span>`,
    "rgb(0, 0, 128)",
  ]);

  await site.evaluate(() => history.pushState(null, "", "/elsewhere"));
  await site.until(isOriginal, ORIGINAL);
});

/** Runs in the page: puts a document's end in place of another, and tells what the next frame shows of it. */
const paintedWith = (html) => {
  document.body.innerHTML = html;
  // Resize observers are called last before a frame is painted.
  const nextFrame = (painted) => requestAnimationFrame(() => new ResizeObserver(painted).observe(document.body));
  return new Promise((resolve) => nextFrame(() => resolve(document.body.textContent)));
};

inEachBrowser("elements that come late, or come again, are changed before they are painted", async (site) => {
  const code = `window.experimentation.get("utils").waitForElement(".price").then((price) => { price.textContent = "12 euros"; });`;
  await site.publish(shopOf({ type: "text", selector: ".late", value: "Changed" }, { type: "javascript", value: code }));
  await site.open();

  assert.equal(await site.evaluate(paintedWith, `<p class="late">Late</p>, <p class="price">20 euros</p>`), "Changed, 12 euros");
  assert.equal(await site.evaluate(paintedWith, `<p class="late">Late again</p>`), "Changed");
});

inEachBrowser("an app that takes a change back whenever it sees it wins in the end, and the page lives on", async (site) => {
  const fight = () => {
    window.fights = 0;
    new MutationObserver(() => {
      const headline = document.querySelector("h1");
      if (!headline || headline.textContent === "Hello") return;
      window.fights++;
      headline.textContent = "Hello";
    }).observe(document, { childList: true, characterData: true, subtree: true });
  };
  await site.publish(shopOf({ type: "text", selector: "h1", value: "Changed" }));
  site.web.writePage("/", pageText({ after: `(${fight})()` }));
  await site.open();

  await site.until(() => window.fights >= 10);
  const given = await site.evaluate(async () => {
    for (let frames = 0; frames < 5; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return [window.fights, document.querySelector("h1").textContent];
  });
  assert.deepEqual(given, [10, "Hello"]);
});
