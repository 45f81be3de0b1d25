/** Where the focus is when the panel shows something else, and what people hear who do not see the page. */

import { afterEach, expect, test } from "vitest";
import { closeEditor, openEditor } from "../support/openEditor";

afterEach(closeEditor);

const LIST = "<ul><li>A</li><li>B</li><li>C</li></ul>";

test("the button that walks keeps the focus, so that it can be pressed again", async () => {
  const editor = await openEditor(LIST);
  editor.select("ul");

  editor.pressByKey("Child");
  expect([editor.heard(), editor.focused()]).toEqual(["<li> A", "Child"]);
  editor.pressByKey("Next");
  expect([editor.heard(), editor.focused()]).toEqual(["<li> B", "Next"]);
  editor.pressByKey("Previous");
  expect([editor.heard(), editor.focused()]).toEqual(["<li> A", "Previous"]);
  editor.pressByKey("Parent");
  expect([editor.heard(), editor.focused()]).toEqual(["<ul> ABC", "Parent"]);
});

test("Browse keeps the focus both ways", async () => {
  const editor = await openEditor(LIST);

  editor.pressByKey("Browse");
  expect(editor.focused()).toBe("Browse");
  editor.pressByKey("Browse");
  expect(editor.focused()).toBe("Browse");
});

test("Undo keeps the focus, and gives it to its neighbour when there is nothing more to undo", async () => {
  const editor = await openEditor(LIST);
  editor.select("li");
  editor.type("First");
  editor.press("Move down");

  editor.pressByKey("Undo");
  expect(editor.focused()).toBe("Undo");
  editor.pressByKey("Undo");
  expect(editor.focused()).toBe("Redo");
  editor.pressByKey("Redo");
  editor.pressByKey("Redo");
  expect(editor.focused()).toBe("Undo");
});

test("Take back gives the focus to the next change, then to the one before, and at last to the heading", async () => {
  const changes = ["A", "B", "C"].map((value, at) => ({ type: "text", selector: `li:nth-child(${at + 1})`, value }));
  const editor = await openEditor(LIST, ...changes);
  const name = (at: number): string => `Take back: Text “${changes[at]?.value}” ${changes[at]?.selector}`;

  editor.pressByKey(name(1));
  expect(editor.focused()).toBe(name(2));
  editor.pressByKey(name(2));
  expect(editor.focused()).toBe(name(0));
  editor.pressByKey(name(0));
  expect(editor.focused()).toBe("Changes (0)");
});

test("a message of the console does not move the focus", async () => {
  const editor = await openEditor(LIST);
  editor.select("li");
  editor.field().focus();

  editor.hear({ status: "Not saved yet." });

  expect(editor.field()).toBe(document.querySelector("assay-editor")?.shadowRoot?.activeElement);
});

test("the panel has no landmark but its own region, and says what is selected politely", async () => {
  await openEditor(LIST);

  const root = document.querySelector("assay-editor")?.shadowRoot;
  expect(root?.querySelectorAll("header, footer, main, nav, aside")).toHaveLength(0);
  expect(root?.querySelectorAll("[role=region]")).toHaveLength(1);
  expect(root?.querySelectorAll("[role=status]")).toHaveLength(1);
});
