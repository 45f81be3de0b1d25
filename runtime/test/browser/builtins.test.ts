/** The browser's own objects, where the page has taken their names or taken them away. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { attempt, warn } from "../../src/browser/attempt";

/** The module as it starts on such a page. */
const start = async () => {
  vi.resetModules();
  return import("../../src/browser/builtins");
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the browser's own", () => {
  test("is used where it is there", async () => {
    const builtins = await start();

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
