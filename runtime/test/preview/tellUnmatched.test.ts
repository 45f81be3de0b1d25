/** What a preview says of changes that have found nothing. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChangeConfig } from "../../src/project/config";
import { ChangeKind } from "../../src/project/config";

const warned = vi.fn();

/** The page as it is three seconds after its load event, with these changes in force. */
const settle = async (...changes: ChangeConfig[]): Promise<void> => {
  const { keepUp } = await import("../../src/changes/keepUp");
  const { tellUnmatched } = await import("../../src/preview/tellUnmatched");
  keepUp(changes);
  tellUnmatched();
  vi.advanceTimersByTime(3000);
};

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(warned);
  document.body.innerHTML = "<h1>Hello</h1>";
});

afterEach(async () => {
  (await import("../../src/changes/keepUp")).keepUp([]);
  vi.useRealTimers();
  vi.restoreAllMocks();
  warned.mockClear();
});

test("a change that has found nothing is told with its selector, once", async () => {
  await settle([ChangeKind.Text, "h1", "A"], [ChangeKind.Text, ".price", "B"]);
  vi.advanceTimersByTime(10_000);

  expect(warned.mock.calls).toEqual([["experimentation:", "a change finds nothing: .price"]]);
});

test("a change whose element was there once is not told", async () => {
  await settle([ChangeKind.Remove, "h1"]);

  expect(document.querySelector("h1")).toBeNull();
  expect(warned).not.toHaveBeenCalled();
});

test("a selector that is none is told but once", async () => {
  await settle([ChangeKind.Text, "h1:eq(0)", "A"]);

  expect(warned).toHaveBeenCalledTimes(1);
});
