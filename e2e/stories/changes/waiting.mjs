/** Code and changes that wait: for elements, for each other, for a framework that renders again. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

/** A project whose visitors all get these changes. */
const shopOf = (...changes) =>
  project({ pages: [everywhere()], campaigns: [abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, changes] })] });

const headline = () => document.querySelector("h1").textContent;

test("an element that a variation's code waits for is changed before it is painted", () =>
  stage.visit(async (site) => {
    const code = `
      const { waitForElement } = window.experimentation.get("utils");
      waitForElement(".price").then((price) => { price.textContent = "12 euros"; });`;
    await site.publish(shopOf({ type: "javascript", value: code }));
    await site.open();

    const painted = await site.page.evaluate(async () => {
      document.body.insertAdjacentHTML("beforeend", `<p class="price">20 euros</p>`);
      // Resize observers are called last before a frame is painted.
      return new Promise((resolve) =>
        requestAnimationFrame(() => new ResizeObserver(() => resolve(document.querySelector(".price").textContent)).observe(document.body)),
      );
    });

    assert.equal(painted, "12 euros");
  }));

test("utils of the page's own code find, poll and give up", () =>
  stage.visit(async (site) => {
    await site.publish(shopOf());
    await site.open();

    const found = await site.page.evaluate(async () => {
      const { observeSelector, poll, waitForElement, waitUntil } = window.experimentation.get("utils");
      const items = [];
      const end = observeSelector("li", (item) => items.push(item.textContent));
      document.body.insertAdjacentHTML("beforeend", "<ul><li>One</li></ul><li>Two</li>");
      await waitForElement("li");
      end();
      document.body.insertAdjacentHTML("beforeend", "<li>Three</li>");
      let polls = 0;
      const endPolling = poll(() => polls++, 1);
      const enough = await waitUntil(() => polls > 2 && "enough");
      endPolling();
      const outcome = await new Promise((tell) =>
        observeSelector(".never", () => tell("found"), { timeout: 1, onTimeout: () => tell("gave up") }),
      );
      return [items, enough, outcome];
    });

    assert.deepEqual(found, [["One", "Two"], "enough", "gave up"]);
  }));

test("a change waits for the promise of the code it depends on, and an async one for its own task", () =>
  stage.visit(async (site) => {
    const first = { id: "first", type: "javascript", value: "return new Promise((resolve) => { window.finish = resolve; })" };
    const second = { type: "text", selector: "h1", value: "Second", depends_on: ["first"] };
    const later = { type: "attribute", selector: "h1", name: "title", value: "later", async: true };
    await site.publish(shopOf(first, second, later));
    // `applied` is told when all that can be done at once is done.
    const look = `window.experimentation = [{
      type: "addListener", filter: { type: "action" }, handler: () => { window.atFirst = document.querySelector("h1").title; },
    }];`;
    site.write("/", `<!doctype html><h1>Hello</h1><script>${look}</script><script src="/snippet.js"></script>`);
    await site.open();

    assert.equal(await site.page.evaluate(headline), "Hello");
    assert.equal(await site.page.evaluate(() => window.atFirst), "");
    await site.page.evaluate(() => window.finish());
    assert.equal(await site.page.evaluate(headline), "Second");
    assert.equal(await site.page.evaluate(() => document.querySelector("h1").title), "later");
  }));

test("code that fails, at once or later, is told to listeners, and other changes are there", () =>
  stage.visit(async (site) => {
    const changes = [
      { type: "javascript", value: "throw new Error('at once')" },
      { type: "javascript", value: "return Promise.reject(new Error('later'))" },
      { type: "text", selector: "::nothing::", value: "x" },
      { type: "text", selector: "h1", value: "Changed" },
    ];
    await site.publish(shopOf(...changes));
    const listen = `window.failures = []; window.experimentation = [{
      type: "addListener", filter: { type: "lifecycle", name: "failed" }, handler: ({ data }) => window.failures.push(data.error.message),
    }];`;
    site.write("/", RoutedSite.page({ before: listen }));
    await site.open();

    const failures = await site.page.evaluate(() => window.failures);
    assert.equal(await site.page.evaluate(headline), "Changed");
    assert.deepEqual(
      failures.map((message) => message.replace(/.*(selector).*/, "$1")),
      ["at once", "selector", "later"],
    );
  }));

test("data names what is in the snippet, and a lean project leaves it, the visitor and utils out", () =>
  stage.visit(async (site) => {
    await site.publish(shopOf());
    await site.open();
    const { campaigns, variations, pages } = await site.page.evaluate(() => window.experimentation.get("data"));
    assert.deepEqual(campaigns["4001"].pageIds, ["1004"]);
    assert.deepEqual(Object.keys(variations), ["314001", "324001"]);
    assert.equal(pages["1004"].apiName, "everywhere");

    const { pages: lean, campaigns: same } = shopOf();
    await site.publish(project({ pages: lean, campaigns: same, snippet: { data: false, utils: false } }));
    await site.open();
    const left = await site.page.evaluate(() => ["data", "visitor", "utils"].map((name) => Object.keys(Object(window.experimentation.get(name)))));
    assert.deepEqual(left, [["projectId", "revision"], ["visitorId"], []]);
  }));
