/** A member changes their own page by pointing at it, on a site whose policy allows nothing that it does not need itself. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { addMember } from "../../site/commands.mjs";
import { HOME } from "../../site/routedSite.mjs";
import { setVisualStage } from "../../site/visualStage.mjs";

const stage = setVisualStage();

test("a headline, an image and a button are changed, saved, and seen by another member", async () => {
  const editor = await stage.openEditor();
  assert.equal(await editor.locator("body > h2").innerText(), "Second");

  await editor.locator("h1").click();
  await editor.getByLabel("Text", { exact: true }).fill("New headline");
  await editor.locator("#hero").click();
  await editor.getByLabel("Alternative text").fill("A new picture");
  await editor.locator(".buy").click();
  await editor.getByText("Style", { exact: true }).click();
  await editor.getByLabel("Property").fill("color");
  await editor.getByLabel("Value").fill("rgb(200, 0, 0)");
  await editor.getByRole("button", { name: "Set style" }).click();
  assert.equal(await editor.locator("h1").innerText(), "New headline");
  await stage.listed().nth(3).waitFor();
  assert.deepEqual(await stage.listed().allInnerTexts(), [
    "text: Second\nh2",
    "text: New headline\nh1",
    "attribute alt: A new picture\n#hero",
    "style color: rgb(200, 0, 0)\nbutton.buy",
  ]);
  assert.deepEqual(await accessibilityFaults(stage.console.page), []);
  await stage.save();

  const other = await stage.openedElsewhere();
  assert.equal(await other.locator("h1").innerText(), "New headline");
  assert.equal(await other.locator("#hero").getAttribute("alt"), "A new picture");
  assert.equal(await other.locator(".buy").evaluate((button) => getComputedStyle(button).color), "rgb(200, 0, 0)");
  await other.context().close();
});

test("changes can be undone, and a reload shows what is in the list", async () => {
  const editor = await stage.openEditor();

  await editor.locator("li").first().click();
  await editor.getByRole("button", { name: "Hide" }).click();
  await editor.getByRole("button", { name: "Move down" }).click();
  assert.deepEqual(await editor.locator("ul > li:not(:empty)").allTextContents(), ["B", "A"]);
  const moved = stage.listed().filter({ hasText: /^move/ });
  await moved.waitFor();
  await editor.getByRole("button", { name: "Undo" }).click();
  // A page that is gone by the time the console hears of it is no longer the editor's.
  await moved.waitFor({ state: "detached" });
  await editor.reload();
  await editor.getByRole("button", { name: /^Take back: Hidden/ }).waitFor();

  assert.deepEqual(await editor.locator("ul > li").allTextContents(), ["A", "B"]);
  assert.equal(await editor.locator("ul > li").first().isVisible(), false);
  await editor.getByRole("button", { name: /^Take back: Hidden/ }).click();
  assert.equal(await editor.locator("ul > li").first().isVisible(), true);
});

test("the keyboard walks through the page; a click leads nowhere, except while browsing", async () => {
  const editor = await stage.openEditor();
  await editor.locator("ul").click();
  await editor.keyboard.press("ArrowDown");
  await editor.keyboard.press("ArrowRight");
  assert.equal(await editor.getByLabel("Text", { exact: true }).inputValue(), "B");
  await editor.keyboard.press("Escape");

  await editor.getByRole("link", { name: "Other" }).click();
  assert.equal(new URL(editor.url()).pathname, "/");
  await editor.getByRole("button", { name: "Browse" }).click();
  await editor.getByRole("link", { name: "Other" }).click();

  await editor.waitForURL("**/other");
  await editor.getByRole("region", { name: "Visual editor" }).waitFor();
});

test("a page that renders anew keeps the selection and the changes", async () => {
  stage.body = `<div id="app"></div><script src="/app.js"></script>`;
  stage.app = `window.render = () => app.replaceChildren(...["One", "Two"].map((text) => Object.assign(document.createElement("p"), {className: "line " + text.toLowerCase() + "-line", textContent: text}))); render();`;
  const editor = await stage.openEditor();
  await editor.locator(".two-line").click();
  await editor.getByLabel("Text", { exact: true }).fill("Changed");

  await editor.evaluate(() => window.render());
  await editor.getByText("Changed", { exact: true }).first().waitFor();
  await editor.getByLabel("Text", { exact: true }).fill("Again");

  assert.deepEqual(await editor.locator("#app p").allInnerTexts(), ["One", "Again"]);
});

test("when another member has saved meanwhile, both lists are side by side, and none is lost", async () => {
  const editor = await stage.openEditor();
  await editor.locator("h1").click();
  await editor.getByLabel("Text", { exact: true }).fill("Mine");
  await stage.console.page.getByText("text: Mine").waitFor();
  await stage.savedBy(await addMember(stage.assay, "bob@example.com"), [{ type: "text", selector: "h1", value: "Bob’s" }]);
  const { page } = stage.console;

  await page.getByRole("button", { name: "Save to the draft" }).press("Enter");
  const both = page.getByRole("alert");
  await both.getByText("bob@example.com has changed this variation").waitFor();
  const lists = await both.getByRole("list").allInnerTexts();
  assert.match(lists[0], /text: Bob’s/);
  assert.match(lists[1], /text: Mine/);
  assert.equal(await both.evaluate((alert) => alert === document.activeElement), true);
  await editor.getByText("Not saved: the draft has changed meanwhile").waitFor();
  assert.equal(await editor.locator("h1").innerText(), "Mine");
  assert.deepEqual(await accessibilityFaults(page), []);

  await both.getByRole("button", { name: "Use the draft’s list" }).press("Enter");
  assert.equal(await page.getByRole("heading", { name: "Changes" }).evaluate((heading) => heading === document.activeElement), true);
  await editor.locator("h1", { hasText: "Bob’s" }).waitFor();
  await editor.getByRole("button", { name: "Undo" }).click();
  await editor.locator("h1", { hasText: "Mine" }).waitFor();
  await stage.save();
  const other = await stage.openedElsewhere();
  assert.equal(await other.locator("h1").innerText(), "Mine");
  await other.context().close();
});

test("of a component with a shadow root the whole is selected, and the editor says why", async () => {
  stage.body = `<shop-card>Card</shop-card><script src="/app.js"></script>`;
  stage.app = `customElements.define("shop-card", class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: "open" }).append(Object.assign(document.createElement("button"), { textContent: "Inside" })); }
  });`;
  const editor = await stage.openEditor();

  await editor.getByRole("button", { name: "Inside" }).click();

  await editor.getByText("What is inside this component cannot be changed").waitFor();
  assert.equal(await editor.getByLabel("Selector").inputValue(), "body > shop-card");
});

test("where the site cuts the connection, the editor shows the changes to be copied", async () => {
  stage.headers["cross-origin-opener-policy"] = "same-origin";
  stage.headers["origin-agent-cluster"] = "?1";
  const { page } = stage.console;
  const copied = JSON.stringify([{ type: "text", selector: "h1", value: "Copied" }]);

  await page.getByText("The editor could not connect").click();
  await page.getByLabel("Paste the changes that it shows").fill(copied);
  await page.getByRole("button", { name: "Use these changes" }).click();
  await stage.save();

  const other = await stage.openedElsewhere();
  assert.equal(await other.locator("h1").innerText(), "Copied");
  assert.equal(other.url().startsWith(HOME), true);
  await other.context().close();
});

test("an element that moved up stays there while the page changes, and its neighbour is another one", async () => {
  const editor = await stage.openEditor();
  const item = (text) => editor.locator("ul > li", { hasText: text });
  await item("B").click();
  await editor.getByRole("button", { name: "Move up" }).click();
  await item("A").click();
  await editor.getByLabel("Text", { exact: true }).fill("A2");
  await stage.save();

  const other = await stage.openedElsewhere();
  await other.evaluate(() => {
    for (let times = 0; times < 3; times++) document.body.append(document.createElement("p"));
    return new Promise(requestAnimationFrame);
  });
  assert.deepEqual(await other.locator("ul > li:visible").allTextContents(), ["B", "A2"]);
  await other.context().close();
});

test("a double click saves once, and an address that is refused leaves the editor open", async () => {
  const editor = await stage.openEditor();
  const { page } = stage.console;
  await editor.locator("h1").click();
  await editor.getByLabel("Text", { exact: true }).fill("New headline");
  await stage.listed().nth(1).waitFor();

  await page.getByRole("button", { name: "Save to the draft" }).dblclick();
  await page.getByText("Saved to the draft.").waitFor();
  await page.getByLabel("Address of the page").fill("ftp://www.shop.test/");
  await page.getByRole("button", { name: "Open the page" }).click();
  await page.locator("#problem:visible").waitFor();

  assert.doesNotMatch(await page.locator("#problem").innerText(), /has changed this variation/);
  assert.equal(editor.isClosed(), false);
  assert.equal(await editor.locator("h1").innerText(), "New headline");
});
