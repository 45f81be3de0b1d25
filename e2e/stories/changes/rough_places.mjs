/** Places where a change must not have its way, or has it otherwise: where the visitor writes, in a page of XML, beside another project. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { compiled } from "../../site/commands.mjs";
import { abTest, everywhere, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const shopOf = (...changes) =>
  project({ pages: [everywhere()], campaigns: [abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, changes] })] });

const PAGE = (body) => `<!doctype html><title>Shop</title><script src="/snippet.js"></script>${body}`;

/** Runs in the page: two frames later, all that is due has been done. */
const FRAMES = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";

for (const [what, change, body, field] of [
  ["an element to write in", { type: "text", selector: "#note", value: "Ours" }, `<div id="note" contenteditable>Theirs</div>`, "#note"],
  ["a part of one", { type: "text", selector: "#note p", value: "Ours" }, `<div id="note" contenteditable><p>Theirs</p></div>`, "#note"],
  ["a text field", { type: "text", selector: "#note", value: "Ours" }, `<textarea id="note">Theirs</textarea>`, "#note"],
  ["HTML with a field", { type: "html", selector: "#box", value: `<input id="note">` }, `<div id="box">Theirs</div>`, "#note"],
]) {
  test(`what a visitor writes in ${what} stays, also once they go on elsewhere`, () =>
    stage.visit(async (site) => {
        await site.publish(shopOf(change));
        site.write("/", PAGE(`${body}<button>elsewhere</button>`));
        await site.open();
        const { page } = site;
        await page.click(field);
        await page.keyboard.press("End");
        await page.keyboard.type(" mine");
        await page.keyboard.press("Enter");
        await page.keyboard.type("more");
        await page.click("button");
        await page.evaluate(() => {
          document.body.append("news");
          document.querySelector("#box")?.append("news");
        });
        await page.evaluate(FRAMES);

        const text = await page.evaluate((selector) => document.querySelector(selector).value ?? document.querySelector(selector).innerText, field);
        assert.match(text, /mine\s*more/);
    }));
}

for (const [where, position] of [["into another element", "append"], ["beside another one", "before"]]) {
  test(`a field in which a visitor writes keeps the focus when it is moved ${where}`, () =>
    stage.visit(async (site) => {
      await site.publish(shopOf({ type: "move", selector: "#box", to: "#target", position }));
      site.write("/", PAGE(`<p id="box"><input></p>`));
      await site.open();
      const { page } = site;
      await page.click("input");
      await page.keyboard.type("hel");

      await page.evaluate(() => document.body.insertAdjacentHTML("afterbegin", `<div id="target"></div>`));
      await page.evaluate(FRAMES);
      await page.keyboard.type("lo");

      const moved = { append: "#target > #box > input", before: "#box:has(+ #target) > input" }[position];
      assert.equal(await page.inputValue(moved), "hello");
    }));
}

test("a page of XML takes HTML as it is written, and drawings", () =>
  stage.visit(async (site) => {
    await site.publish(
      shopOf(
        { type: "insert", selector: "#a", position: "after", value: `<p id="b">a<br>b&nbsp;c <img alt=d></p>` },
        { type: "insert", selector: "#b", position: "after", value: `<div id="c"/><p id="d">d</p>` },
        { type: "insert", selector: "#d", position: "after", value: `<svg id="e" viewBox="0 0 1 1"><circle r="1"/></svg>` },
        { type: "insert", selector: "#drawing", position: "append", value: `<rect id="f" width="1" height="1"/>` },
      ),
    );
    const body = `<p id="a">a</p><svg xmlns="http://www.w3.org/2000/svg" id="drawing"></svg>`;
    const html = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script src="/snippet.js"></script></head><body>${body}</body></html>`;
    site.write("/", html, { "content-type": "application/xhtml+xml" });
    await site.open();

    const seen = await site.page.evaluate(() =>
      ["#b br", "#b img", "#c", "#d", "#e circle", "#f"].map((selector) => {
        const element = document.querySelector(selector);
        return element && element.constructor.name + (element.parentElement.id && "@" + element.parentElement.id);
      }),
    );
    assert.deepEqual(seen, ["HTMLBRElement@b", "HTMLImageElement@b", "HTMLDivElement", "HTMLParagraphElement", "SVGCircleElement@e", "SVGRectElement@drawing"]);
  }));

test("another project's snippet does nothing but say so; the same one twice says nothing", () =>
  stage.visit(async (site) => {
    const warnings = [];
    site.page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
    const first = shopOf({ type: "text", selector: "h1", value: "First" });
    const second = structuredClone(first);
    Object.assign(second.project, { id: "2000", key: "other" });
    await site.publish(first);
    site.write("/second.js", await compiled(second), { "content-type": "text/javascript" });
    site.write("/", PAGE(`<script src="/snippet.js"></script><h1>Hello</h1>`));
    await site.open();
    assert.deepEqual(warnings, []);

    site.write("/", PAGE(`<script src="/second.js"></script><h1>Hello</h1>`));
    await site.open();
    assert.equal(await site.page.textContent("h1"), "First");
    assert.deepEqual(warnings, ["experimentation: page has project 1000 not 2000"]);
  }));
