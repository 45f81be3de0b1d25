/** What changes note on nodes of the page. */

import { afterEach, describe, expect, test, vi } from "vitest";

/** The module as it starts on such a page. */
const start = async () => {
  vi.resetModules();
  return import("../../src/changes/notes");
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a note", () => {
  test("is the node's own, and nothing that the page goes through", async () => {
    const { noteOf } = await start();
    const node = document.createElement("p");

    noteOf(node).addedBy_ = [0, "p", "a"];

    expect(noteOf(node).addedBy_).toStrictEqual([0, "p", "a"]);
    expect(noteOf(node.cloneNode()).addedBy_).toBeUndefined();
    expect(Object.keys(node)).toStrictEqual([]);
    expect(node.outerHTML).toBe("<p></p>");
  });

  test("is not that of another run", async () => {
    const node = document.createElement("p");
    (await start()).noteOf(node).replacement_ = null;

    expect((await start()).noteOf(node).replacement_).toBeUndefined();
  });

  test.each([() => 1, () => ({})])("is kept where the page makes its own symbols: %s", async (own) => {
    vi.stubGlobal("Symbol", own);
    const { noteOf } = await start();
    const node = document.createElement("p");

    noteOf(node).replacement_ = null;

    expect(noteOf(node).replacement_).toBeNull();
  });
});
