/** The editor as a member has it: the panel, the page, and the console's window. */

import { afterEach, expect, test, vi } from "vitest";
import { closeEditor, openEditor } from "../support/openEditor";

afterEach(closeEditor);

test("the editor says that changes are saved until the next one", async () => {
  const editor = await openEditor("<h1>Hello</h1>");
  editor.select("h1");
  editor.type("New");
  editor.hear({ status: "Saved in the draft." });
  expect(editor.words()).toContain("Saved in the draft.");

  editor.type("Newer");

  expect(editor.words()).not.toContain("Saved in the draft.");
});

test("a console that does not answer a change is gone: the changes are shown to be copied", async () => {
  const editor = await openEditor("<h1>Hello</h1>");
  editor.select("h1");
  editor.type("New");
  editor.hear({ status: "Saved in the draft." });

  editor.type("Newer");
  await vi.advanceTimersByTimeAsync(2000);

  expect(editor.words()).toContain("copy the changes below");
  expect(editor.copied()).toBe(JSON.stringify([{ type: "text", selector: "h1", value: "Newer" }]));
});

test("a console that answers late is there again", async () => {
  const editor = await openEditor("<h1>Hello</h1>");
  editor.select("h1");
  editor.type("New");
  await vi.advanceTimersByTimeAsync(2000);

  editor.hear({ status: "Not saved yet." });
  await vi.advanceTimersByTimeAsync(2000);

  expect(editor.words()).not.toContain("copy the changes below");
  expect(editor.copied()).toBe(undefined);
});

test("a console that answers each change is not called gone", async () => {
  const editor = await openEditor("<h1>Hello</h1>");
  editor.select("h1");

  editor.type("New");
  editor.hear({ status: "Not saved yet." });
  await vi.advanceTimersByTimeAsync(2000);

  expect(editor.words()).toContain("Not saved yet.");
  expect(editor.words()).not.toContain("copy the changes below");
});

const LIST = "<ul><li>A</li><li>B</li><li>C</li></ul>";

/** The texts that are seen: what stands in for a moved element is hidden. */
const items = (): string[] => [...document.querySelectorAll<HTMLElement>("li")].filter(({ style }) => style.display !== "none").map(({ textContent }) => textContent || "");

test("after a move, what stands in the old place is another element", async () => {
  const editor = await openEditor(LIST);
  editor.select("li:nth-child(2)");
  editor.type("B2");
  editor.press("Move up");
  expect(items()).toEqual(["B2", "A", "C"]);

  editor.select("li:nth-child(2)");
  editor.type("A2");

  expect(items()).toEqual(["B2", "A2", "C"]);
  editor.select("li:nth-child(1)");
  editor.type("B3");
  expect(items()).toEqual(["B3", "A2", "C"]);
});

test("an element moves on with each press", async () => {
  const editor = await openEditor(LIST);
  editor.select("li:nth-child(1)");

  editor.press("Move down");
  editor.press("Move down");
  expect(items()).toEqual(["B", "C", "A"]);

  editor.press("Move up");
  expect(items()).toEqual(["B", "A", "C"]);
});

test("the editor shows what a visitor gets by its list of changes", async () => {
  const editor = await openEditor(LIST);
  editor.select("li:nth-child(2)");
  editor.type("B2");
  editor.press("Move up");
  editor.select("li:nth-child(2)");
  editor.type("A2");
  editor.press("Move down");
  const seen = items();
  const changes = editor.changes();
  closeEditor();

  await openEditor(LIST, ...changes);

  expect(items()).toEqual(seen);
});

test("a link whose address is changed is found by something else", async () => {
  const editor = await openEditor(`<p>See <a href="/sale">our sale</a> now, or <a href="/new">new things</a></p>`);
  editor.select("a");
  editor.type("the sale");

  editor.write("Address of the link", "/new-sale");
  editor.type("our offers");

  const link = document.querySelector("a");
  expect([link?.getAttribute("href"), link?.textContent]).toEqual(["/new-sale", "our offers"]);
  expect(editor.changes().filter(({ type }) => type === "attribute")).toHaveLength(1);
});

test("saving leaves the field in which the member types, and what can be undone", async () => {
  const editor = await openEditor(LIST);
  editor.select("li:nth-child(2)");
  editor.type("B2");
  const area = editor.field();

  editor.hear({ status: "Saved in the draft.", changes: editor.changes() });

  expect(editor.field()).toBe(area);
  editor.press("↶");
  expect(items()).toEqual(["A", "B", "C"]);
});
