/** Ways to load the snippet that are not recommended, and that sites use all the same. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { assertShown, BODY, fullShop, shopPage, showsAllOn } from "../../site/fullShop.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const TAG = `<script src="/snippet.js"></script>`;

/** As tag managers do it. */
const INJECT = `document.head.appendChild(Object.assign(document.createElement("script"), { src: "/snippet.js" }));`;

for (const [way, page] of Object.entries({
  "as an async script": { snippet: `<script async src="/snippet.js"></script>` },
  "as a deferred script": { snippet: `<script defer src="/snippet.js"></script>` },
  "as a module": { snippet: `<script type="module" src="/snippet.js"></script>` },
  "at the end of the body": { snippet: "", body: BODY + TAG },
  "in the middle of the body": { snippet: "", body: BODY.replace("<main>", `<main>${TAG}`) },
  "by document.write": { snippet: `<script>document.write('${TAG.replace("/script", "\\/script")}')</script>` },
  "by a tag manager": { snippet: `<script>${INJECT}</script>` },
  "by a tag manager, long after the page": { snippet: `<script>addEventListener("load", () => setTimeout(() => {${INJECT}}))</script>` },
  "by code that is fetched and evaluated": { snippet: `<script>fetch("/snippet.js").then((answer) => answer.text()).then(eval)</script>` },
})) {
  test(way, () =>
    stage.visit(async (site) => {
      await site.publish(fullShop());
      await showsAllOn(site, shopPage(page));
    }));
}

/** Listens from the start, and counts. */
const COUNT = `
  window.decided = 0;
  window.experimentation = [{ type: "addListener", filter: { type: "lifecycle", name: "campaignDecided" }, handler: () => decided++ }];`;

for (const [way, page] of Object.entries({
  "twice in the head": { snippet: TAG + TAG },
  "in the head and by a tag manager": { snippet: TAG, after: `<script>addEventListener("load", () => {${INJECT}})</script>` },
})) {
  test(`${way}: the second finds the first and does nothing`, () =>
    stage.visit(async (site) => {
      await site.publish(fullShop());
      site.write("/", shopPage({ ...page, before: `<script>${COUNT}</script>` }));
      await site.open("/", { waitUntil: "networkidle" });

      await assertShown(site);
      assert.equal(await site.page.evaluate(() => window.decided), 1);
    }));
}

/** What pages were seen to push, and what no page should. */
const JUNK = `
  window.experimentation = [null, undefined, 5, "activate", ["activate"], {}, { type: Symbol() }, { type: { toString() { throw new Error("type"); } } },
    { get type() { throw new Error("type"); } }, () => undefined, Promise.resolve(), window, document, new Proxy({}, { get() { throw new Error("proxy"); } }),
    { type: "page" }, { type: "page", pageName: {} }, { type: "user" }, { type: "user", attributes: 5 }, { type: "event" }, { type: "tags" },
    { type: "bucketVisitor" }, { type: "addListener" }, { type: "addListener", filter: 5, handler: 5 }, { type: "removeListener" },
    { type: "constructor" }, { type: "__proto__" }, { type: "toString" }, { type: "cookieDomain" }, { type: "cookieDomain", cookieDomain: "; nonsense" }];`;

test("a queue full of junk", () =>
  stage.visit(async (site) => {
    await site.publish(fullShop());
    await showsAllOn(site, shopPage({ before: `<script>${JUNK}</script>` }));
    // And the same again, one by one.
    await site.page.evaluate(`{const experimentation = window.experimentation; ${JUNK.replace("window.experimentation = ", "const junk = ")} junk.forEach((each) => experimentation.push(each)); }`);
    await assertShown(site);
  }));
