/** What the page does to changes that are in force, and what is left when they end, as only a real browser does it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

/** Runs in the page: two frames later, all that is due has been done. */
const FRAMES = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";

const withChange = (change, story) =>
  stage.visit(async (site) => {
    const page = everywhere({ key: "home", undo_changes: true });
    await site.publish(project({ pages: [page], campaigns: [abTest({ pages: ["home"], weights: [0, 10000], changes: [undefined, [change]] })] }));
    await site.open();
    await story(site.page);
  });

test("a page that sets its own style sheets anew keeps ours", () =>
  withChange({ type: "css", value: "h1 { color: rgb(1, 2, 3) }" }, async (page) => {
    await page.evaluate(() => {
      document.adoptedStyleSheets = [new CSSStyleSheet()];
      document.body.append("more");
    });
    await page.evaluate(FRAMES);

    assert.deepEqual(await page.evaluate(() => [getComputedStyle(document.querySelector("h1")).color, document.adoptedStyleSheets.length]), ["rgb(1, 2, 3)", 2]);
  }));

test("an element is changed once it has the class that the change asks for", () =>
  withChange({ type: "text", selector: "h1.is-ready", value: "Changed" }, async (page) => {
    await page.evaluate(() => document.querySelector("h1").classList.add("is-ready"));
    await page.evaluate(FRAMES);

    assert.equal(await page.evaluate(() => document.querySelector("h1").textContent), "Changed");
  }));

test("a shorthand that is undone leaves what the page had set of it", () =>
  withChange({ type: "style", selector: "h1.is-ready", name: "border", value: "1px solid red" }, async (page) => {
    await page.evaluate(() => {
      const headline = document.querySelector("h1");
      headline.style.cssText = "border-top: 2px dotted blue; margin: 3px";
      headline.classList.add("is-ready");
    });
    await page.evaluate(FRAMES);
    const border = () => page.evaluate(() => ["borderTop", "borderLeftStyle", "margin"].map((name) => document.querySelector("h1").style[name]));
    assert.deepEqual(await border(), ["1px solid red", "solid", "3px"]);

    await page.evaluate(() => window.experimentation.push({ type: "page", pageName: "home", isActive: false }));

    assert.deepEqual(await border(), ["2px dotted blue", "", "3px"]);
  }));
