/** The browser's own objects, where the page has taken their names or taken them away. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { attempt, warn } from "../../src/browser/attempt";

const own = { Map: window.Map, WeakMap: window.WeakMap };

/** The module as it starts on such a page. */
const start = async () => {
  vi.resetModules();
  return import("../../src/browser/builtins");
};

afterEach(() => {
  Object.assign(window, own);
  vi.unstubAllGlobals();
});

describe.each(["Map", "WeakMap"] as const)("where the page has a %s of its own", (name) => {
  const made = async () => {
    Reflect.set(window, name, class Atlas {});
    const Table = (await start())[name] as MapConstructor;
    return new Table<object, number>();
  };
  const [rome, oslo] = [{ city: "Rome" }, { city: "Oslo" }];

  test("a table does the same", async () => {
    const table = await made();

    table.set(rome, 1).set(oslo, 2).set(rome, 3);

    expect(table.get(rome)).toBe(3);
    expect(table.get(oslo)).toBe(2);
    expect(table.has(rome)).toBe(true);
    expect(table.has({ city: "Rome" })).toBe(false);
  });

  test("what is deleted is gone from it", async () => {
    const table = await made();
    table.set(rome, 1).set(oslo, 2);

    table.delete(rome);

    expect(table.has(rome)).toBe(false);
    expect(table.get(rome)).toBeUndefined();
    expect(table.get(oslo)).toBe(2);
  });

  test("what is in it is gone through in the order it came", async () => {
    const table = await made();
    table.set(oslo, 2).set(rome, 1);
    table.delete(oslo);
    table.set(oslo, 4);
    const seen: unknown[] = [];

    table.forEach((value, key) => seen.push([value, key]));

    expect(seen).toStrictEqual([
      [4, oslo],
      [1, rome],
    ]);
  });
});

describe("the browser's own", () => {
  test("is used where it is there", async () => {
    const builtins = await start();

    expect(builtins.Map).toBe(own.Map);
    expect(builtins.WeakMap).toBe(own.WeakMap);
    expect(builtins.Array).toBe([].constructor);
    expect(builtins.Object).toBe({}.constructor);
  });
});

describe("the next frame", () => {
  test("comes where the page has taken it away", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("requestAnimationFrame", undefined);
    const { requestAnimationFrame } = await start();
    const run = vi.fn();

    requestAnimationFrame(run);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(16);

    expect(run).toHaveBeenCalledTimes(1);
  });

  test("comes where the page's own throws", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("requestAnimationFrame", () => {
      throw new Error("not here");
    });
    const { requestAnimationFrame } = await start();
    const run = vi.fn();

    requestAnimationFrame(run);
    vi.advanceTimersByTime(16);

    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe("what a browser may refuse", () => {
  test("gives nothing then, and is not logged", () => {
    const log = vi.spyOn(console, "warn");

    const answer = attempt(() => {
      throw new DOMException("denied", "SecurityError");
    });

    expect(answer).toBeUndefined();
    expect(log).not.toHaveBeenCalled();
  });

  test("gives what there is otherwise", () => {
    expect(attempt(() => 1)).toBe(1);
    expect(attempt(() => null)).toBeNull();
  });
});

describe("a warning", () => {
  test("says who warns", () => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);

    warn("gave up:", 3);

    expect(log).toHaveBeenCalledWith("experimentation:", "gave up:", 3);
  });

  test("is lost where the page has taken the console away", () => {
    vi.stubGlobal("console", undefined);

    expect(() => warn("gave up")).not.toThrow();
  });
});
