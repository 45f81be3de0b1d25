/** A member edits a page without a mouse: the focus stays where it is, and the fields of the page keep their keys. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { setVisualStage } from "../../site/visualStage.mjs";

const stage = setVisualStage();

const BODY = `<h1>Hello</h1><ul><li>A</li><li>B</li></ul><form><input aria-label="Name" value="Ada"><button>Send</button></form>
<select aria-label="Size"><option>S<option>M</select><p contenteditable aria-label="Note">Note</p><script src="/app.js"></script>`;

/** The control or the words of the panel that have the focus. */
const focused = (editor) =>
  editor.evaluate(() => {
    const at = document.activeElement?.shadowRoot?.activeElement;
    return at ? (at.getAttribute("aria-label") ?? (at.closest("label") ?? at).textContent) : document.activeElement?.localName;
  });

const selected = (editor) => editor.locator("assay-editor").getByRole("status").first().textContent();

const press = async (editor, ...keys) => {
  for (const key of keys) await editor.keyboard.press(key);
};

test("each button keeps the focus, and a screen reader hears what is selected", async () => {
  stage.body = BODY;
  const editor = await stage.openEditor();

  // From nowhere to the body, into the panel, and to Child.
  await press(editor, "ArrowUp", "ArrowLeft", "Enter", "Tab");
  assert.equal(await focused(editor), "Child");
  assert.match(await selected(editor), /^<body> Hello A B/);
  await press(editor, "Enter");
  assert.deepEqual([await focused(editor), await selected(editor)], ["Child", "<h1> Hello"]);
  await press(editor, "Tab", "Tab", "Enter");
  assert.deepEqual([await focused(editor), await selected(editor)], ["Next", "<ul> A B"]);
  await press(editor, "Shift+Tab", "Shift+Tab", "Enter", "Enter");
  assert.deepEqual([await focused(editor), await selected(editor)], ["Child", "<li> A"]);
  await editor.getByRole("button", { name: "Hide" }).press("Enter");
  await editor.getByRole("button", { name: "Undo" }).press("Enter");
  assert.equal(await focused(editor), "Redo");
  await editor.getByRole("button", { name: "Browse" }).press("Space");
  assert.equal(await focused(editor), "Browse");
  await press(editor, "Space", "ArrowDown");
  assert.deepEqual([await focused(editor), await selected(editor)], ["Browse", "Nothing is selected."]);

  await editor.getByRole("button", { name: /^Take back/ }).press("Enter");
  assert.equal(await focused(editor), "Changes (0)");
});

test("Done and a selector that is written leave the focus in the panel", async () => {
  stage.body = BODY;
  const editor = await stage.openEditor();
  await press(editor, "ArrowDown", "Enter");
  await editor.getByLabel("Selector").fill("h1");

  await press(editor, "Enter");
  await editor.locator("assay-editor").getByText("<h1> Hello").waitFor();
  assert.equal(await focused(editor), "Selector");
  await editor.getByLabel("Selector").fill("ul");
  await press(editor, "Tab");
  await editor.locator("assay-editor").getByText("<ul> A B").waitFor();
  assert.equal(await focused(editor), "Text");
  await editor.getByRole("button", { name: "Done" }).press("Enter");

  assert.match(await focused(editor), /^Click an element/);
  await press(editor, "ArrowUp", "ArrowDown");
  assert.equal(await selected(editor), "<h1> Hello");
});

test("the fields of the page keep their keys", async () => {
  stage.body = BODY;
  stage.app = `window.heard = []; addEventListener("keydown", ({ key }) => window.heard.push(key));`;
  const editor = await stage.openEditor();
  await press(editor, "ArrowDown");

  const name = editor.getByLabel("Name");
  await name.focus();
  await press(editor, "End", "ArrowLeft", "x", "Enter");
  assert.equal(await name.inputValue(), "Adxa");
  assert.equal(await focused(editor), "input");
  await editor.getByLabel("Size").focus();
  await press(editor, "ArrowDown");
  assert.equal(await editor.getByLabel("Size").inputValue(), "M");
  await editor.getByLabel("Note").focus();
  await press(editor, "End", "ArrowLeft", "x");
  assert.equal(await editor.getByLabel("Note").innerText(), "Notxe");

  assert.deepEqual(await editor.evaluate(() => window.heard), ["End", "ArrowLeft", "x", "Enter", "ArrowDown", "End", "ArrowLeft", "x"]);
  assert.match(await selected(editor), /^<body>/);
});

test("axe finds nothing in the panel that is against good practice, such as a second banner", async () => {
  stage.body = BODY;
  const editor = await stage.openEditor();
  await press(editor, "ArrowDown", "ArrowDown");

  assert.deepEqual(await accessibilityFaults(editor, "assay-editor", ["best-practice"]), []);
});

test("the console's list keeps the focus when a change is taken back, and when all are brought back", async () => {
  const { page } = stage.console;
  const hasFocus = () => page.getByRole("heading", { name: "Changes" }).evaluate((heading) => heading === document.activeElement);

  await page.getByRole("button", { name: /^Take back/ }).press("Enter");
  assert.equal(await hasFocus(), true);
  await page.getByRole("button", { name: "Back to what is saved" }).press("Enter");
  assert.equal(await page.getByRole("button", { name: /^Take back/ }).count(), 1);
  assert.equal(await hasFocus(), true);
});
