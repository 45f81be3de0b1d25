/** A member edits a page of React, which renders over what they edit, as it pleases. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { setVisualStage } from "../../site/visualStage.mjs";

const stage = setVisualStage();

const library = (path) => readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), "utf8");

/** A headline that counts, an offer that comes as a new element with each `edition`, and an end. */
const SHOP = `
  const e = React.createElement;
  const Shop = ({ count, edition }) => e("main", null,
    e("h1", null, "Hello ", count),
    e("p", { key: edition, className: "offer" }, "Offer ", edition),
    e("ul", null, ...Array.from({ length: count }, (_, at) => e("li", { key: at }, "item ", at))));
  const root = ReactDOM.createRoot(document.querySelector("#app"));
  window.show = (count, edition) => ReactDOM.flushSync(() => root.render(e(Shop, { count, edition })));
  window.end = () => ReactDOM.flushSync(() => root.unmount());
  show(2, 1);`;

test("what a member edits on a page of React stays through its renders, and React through theirs", async () => {
  stage.body = `<div id="app"></div><script src="/app.js"></script>`;
  stage.app = library("react/umd/react.production.min.js") + library("react-dom/umd/react-dom.production.min.js") + SHOP;
  const editor = await stage.openEditor();
  const text = editor.getByLabel("Text", { exact: true });

  await editor.locator("h1").click();
  await text.fill("New head");
  await editor.evaluate(() => window.show(3, 1));
  await text.pressSequentially("line");
  await editor.locator(".offer").click();
  await text.fill("New offer");
  await editor.evaluate(() => window.show(4, 2));
  await editor.locator(".offer", { hasText: "New offer" }).waitFor();
  await editor.getByRole("button", { name: "Hide" }).click();
  await editor.evaluate(() => window.show(3, 3));
  await editor.locator(".offer").waitFor({ state: "hidden" });

  assert.equal(await editor.locator("h1").innerText(), "New headline");
  assert.equal(await editor.locator("li").filter({ hasText: "item" }).count(), 3);
  await editor.getByRole("button", { name: "Undo" }).click();
  await editor.locator(".offer", { hasText: "New offer" }).waitFor();
  await stage.save();
  await editor.evaluate(() => window.end());
  assert.equal(await editor.locator("#app").textContent(), "");
});
