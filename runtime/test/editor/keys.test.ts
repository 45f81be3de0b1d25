/** Which keys are the editor’s, and which are the page’s; and where arrow keys lead to. */

import { afterEach, expect, test, vi } from "vitest";
import { closeEditor, openEditor } from "../support/openEditor";

afterEach(closeEditor);

const LIST = "<ul><li>A</li><li>B</li><li>C</li></ul>";

test("after Done, the focus is on the words about what comes next, and the arrow keys work from there", async () => {
  const editor = await openEditor(LIST);
  editor.select("ul");

  editor.pressByKey("Done");
  expect(editor.focused()).toMatch(/^Click an element to change it/);
  expect(editor.heard()).toBe("Nothing is selected.");

  editor.key("ArrowUp");
  editor.key("ArrowDown");
  expect([editor.heard(), editor.focused()]).toEqual(["<ul> ABC", "<ul>"]);
  editor.key("Enter");
  expect(editor.focused()).toBe("Parent");
});

test("keys in a field of the page are the page's, also in a component", async () => {
  const editor = await openEditor(`<input><textarea></textarea><select></select><p></p><shop-card></shop-card>`);
  const inside = document.createElement("input");
  document.querySelector("shop-card")?.attachShadow({ mode: "open" }).append(inside);
  const written = document.querySelector("p") as HTMLElement;
  // jsdom does not tell.
  Object.defineProperty(written, "isContentEditable", { value: true });
  editor.select("input");
  const fields = [...document.querySelectorAll("input, textarea, select"), written, inside];
  const heard = vi.fn();
  fields.forEach((field) => field.addEventListener("keydown", heard));

  for (const field of fields) {
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape"]) {
      expect(editor.key(key, field)).toBe(true);
    }
    expect(editor.key("z", field, { ctrlKey: true })).toBe(true);
  }

  expect(heard).toHaveBeenCalledTimes(fields.length * 7);
  expect([editor.heard(), editor.focused()]).toEqual(["<input>", undefined]);
});

test("keys with modifiers, and those of a word that is being composed, are the page's", async () => {
  const editor = await openEditor(LIST);
  editor.select("ul");

  for (const further of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { isComposing: true }]) {
    expect(editor.key("ArrowDown", document.body, further)).toBe(true);
    expect(editor.key("Enter", document.body, further)).toBe(true);
  }
  expect(editor.heard()).toBe("<ul> ABC");

  expect(editor.key("ArrowDown", document.body)).toBe(false);
  expect(editor.heard()).toBe("<li> A");
});

test("only what is shown can be walked to", async () => {
  const editor = await openEditor(`<script></script><style></style><template></template><h1>Hello</h1><p hidden>Not yet</p><link><div style="display:none"></div><h2>Two</h2><script></script>`);

  editor.key("ArrowDown");
  editor.key("ArrowLeft");
  editor.key("ArrowUp");
  expect(editor.heard()).toMatch(/^<body>/);
  editor.key("ArrowDown");
  expect(editor.heard()).toBe("<h1> Hello");
  editor.key("ArrowLeft");
  expect(editor.heard()).toBe("<h1> Hello");
  editor.key("ArrowRight");
  expect(editor.heard()).toBe("<h2> Two");
  editor.key("ArrowRight");
  expect(editor.heard()).toBe("<h2> Two");
});

test("from an element that the member hides, the walk goes on, and not into it", async () => {
  const editor = await openEditor("<div><p>Inside</p></div><h2>Two</h2>");
  editor.select("div");
  editor.press("Hide");

  editor.key("ArrowDown");
  expect(editor.heard()).toBe("<div> Inside");
  editor.key("ArrowRight");
  expect(editor.heard()).toBe("<h2> Two");
});
