/** `get("utils")`: waiting for a page that is still being built. */

import { describe, expect, test, vi } from "vitest";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { home } from "../support/project";

const add = (html: string): void => document.body.insertAdjacentHTML("beforeend", html);

const open = async () => (await openPage({ pages: [home] })).api.get("utils");

describe("observeSelector", () => {
  test("calls back once for each element, those of today and those to come", async () => {
    const { observeSelector } = await open();
    const seen: (string | null)[] = [];

    observeSelector("h1, h2", (element) => seen.push(element.textContent));
    expect(seen).toStrictEqual(["Hello"]);
    add("<h2>One</h2>");
    add("<h2>Two</h2>");
    await frame();
    add("<section><h2>Three</h2></section>");
    await frame();

    expect(seen).toStrictEqual(["Hello", "One", "Two", "Three"]);
  });

  test("notices elements that come to match by an attribute", async () => {
    const { observeSelector } = await open();
    const seen = vi.fn();
    observeSelector("h1.ready", seen);

    document.querySelector("h1")?.classList.add("ready");
    await frame();

    expect(seen).toHaveBeenCalledTimes(1);
  });

  test("sees what other callbacks bring", async () => {
    const { observeSelector, waitForElement } = await open();
    observeSelector("h2", () => add("<h3></h3>"), { once: true });
    const h3 = waitForElement("h3");

    add("<h2></h2>");

    expect((await h3).tagName).toBe("H3");
  });

  test("ends after the first with `once`, and when its end is called", async () => {
    const { observeSelector } = await open();
    const once = vi.fn();
    const never = vi.fn();
    observeSelector("p", once, { once: true });

    const end = observeSelector("p", never);
    end();
    add("<p></p><p></p>");
    await frame();

    expect(once).toHaveBeenCalledTimes(1);
    expect(never).not.toHaveBeenCalled();
  });

  test("gives up after its time, and says so", async () => {
    const { observeSelector } = await open();
    vi.useFakeTimers();
    const callback = vi.fn();
    const onTimeout = vi.fn();

    observeSelector("p", callback, { timeout: 100, onTimeout });
    vi.advanceTimersByTime(100);
    vi.useRealTimers();
    add("<p></p>");
    await frame();

    expect(onTimeout).toHaveBeenCalledTimes(1);
    expect(callback).not.toHaveBeenCalled();
  });

  test("refuses a selector that is none, and logs a callback that throws", async () => {
    const { observeSelector } = await open();
    const warn = vi.spyOn(console, "warn").mockReturnValue();

    expect(() => observeSelector(":::", vi.fn())).toThrow(DOMException);
    const fail = () => {
      throw new Error("mine");
    };
    observeSelector("h1", fail, { once: true });

    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe("poll and waitUntil", () => {
  test("poll calls until it is ended, or the callback throws", async () => {
    const { poll } = await open();
    vi.useFakeTimers();
    vi.spyOn(console, "warn").mockReturnValue();
    const callback = vi.fn();
    const failing = vi.fn().mockThrow(new Error("mine"));

    const end = poll(callback, 10);
    poll(failing, 10);
    vi.advanceTimersByTime(35);
    end();
    vi.advanceTimersByTime(100);

    expect(callback).toHaveBeenCalledTimes(3);
    expect(failing).toHaveBeenCalledTimes(1);
  });

  test("waitUntil gives the first truthy answer, and fails with what is thrown", async () => {
    const { waitUntil } = await open();
    vi.useFakeTimers();
    let answer = "";

    const waiting = waitUntil(() => answer);
    answer = "ready";
    vi.advanceTimersByTime(50);

    await expect(waiting).resolves.toBe("ready");
    await expect(waitUntil(() => "at once")).resolves.toBe("at once");
    await expect(
      waitUntil(() => {
        throw new Error("mine");
      }),
    ).rejects.toThrow("mine");
  });
});
