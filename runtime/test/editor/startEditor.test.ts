/** The editor as a member has it: the panel, the page, and the console's window. */

import { afterEach, expect, test, vi } from "vitest";
import { closeEditor, openEditor } from "../support/openEditor";

afterEach(closeEditor);

test("what was saved is called saved until the next change", async () => {
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
