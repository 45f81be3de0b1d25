/** Undo and redo of the list of changes. */

import { expect, test } from "vitest";
import { newHistory } from "../../src/editor/history";

const text = (value: string) => [{ type: "text", selector: "h1", value }];

test("each step can be undone and done again", () => {
  const history = newHistory([]);
  history.put(text("A"));
  history.put(text("B"));

  expect(history.undo()).toBe(true);
  expect(history.list()).toEqual(text("A"));
  expect(history.redo()).toBe(true);
  expect(history.list()).toEqual(text("B"));
  expect(history.redo()).toBe(false);
});

test("the letters of one text are one step, and a new step forgets what was undone", () => {
  const history = newHistory([]);
  history.put(text("A"), "h1");
  history.put(text("AB"), "h1");

  history.undo();
  expect(history.list()).toEqual([]);
  expect(history.canUndo()).toBe(false);

  history.put(text("C"));
  expect(history.canRedo()).toBe(false);
});
