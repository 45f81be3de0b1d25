/** What a visitor did, how often and how long ago. */

import { describe, expect, test, vi } from "vitest";
import { asking, isIn } from "../support/asking";
import { openPage } from "../support/openPage";
import type { Project } from "../support/openPage";

const KEY = "experimentation:1000";
const ADD = { type: "event", eventName: "add to cart" } as const;
const YEAR = 365;

/** `[at least, within days, at most]`, as the compiler writes it. */
const didSo = (bounds: number[], name = "eadd to cart"): Project =>
  asking(["or", { type: "behavior", name, value: bounds }], { behaviors: [name] });

const onDay = (day: number, time = "12:00:00"): void => {
  const date = new Date(`2026-01-01T${time}Z`);
  date.setUTCDate(date.getUTCDate() + day);
  vi.useFakeTimers({ now: date, toFake: ["Date"] });
};

/** A page view on which the visitor does it so many times, after everything is decided. */
const doing = async (project: Project, times: number): Promise<void> => {
  const { api } = await openPage(project);
  Array.from({ length: times }).forEach(() => api.push(ADD));
};

const stored = (): string => localStorage.getItem(KEY) ?? "";

describe("how often", () => {
  test.each([
    [[1, YEAR], [false, true, true, true]],
    [[2, YEAR], [false, false, true, true]],
    [[3, YEAR], [false, false, false, true]],
    [[0, YEAR, 2], [true, true, true, false]],
    [[0, YEAR, 0], [true, false, false, false]],
    [[1, YEAR, 2], [false, true, true, false]],
    [[2, YEAR, 2], [false, false, true, false]],
  ])("%j is met by these of 0 to 3 times: %j", async (bounds, expected) => {
    const project = didSo(bounds);
    const answers = [isIn(await openPage(project))];
    for (let times = 1; times <= 3; times++) {
      await doing(project, 1);
      answers.push(isIn(await openPage(project)));
    }

    expect(answers).toStrictEqual(expected);
  });

  test("adds up over days", async () => {
    const project = didSo([5, 7]);
    for (const [day, times] of [[0, 2], [3, 1], [6, 2]]) {
      onDay(day);
      await doing(project, times);
    }

    expect(isIn(await openPage(project))).toBe(true);
  });
});

describe("how long ago", () => {
  test.each([
    [1, 0, true],
    [1, 1, false],
    [7, 6, true],
    [7, 7, false],
    [YEAR, YEAR - 1, true],
    [YEAR, YEAR, false],
  ])("within %i days holds %i days after: %j", async (within, after, expected) => {
    const project = didSo([1, within]);
    onDay(0);
    await doing(project, 1);

    onDay(after);

    expect(isIn(await openPage(project))).toBe(expected);
  });

  test("is counted in days of universal time, each from its first moment to its last", async () => {
    vi.stubEnv("TZ", "America/Los_Angeles");
    const today = didSo([1, 1]);
    onDay(0, "00:00:00.000");
    await doing(today, 1);

    onDay(0, "23:59:59.999");
    expect(isIn(await openPage(today))).toBe(true);
    onDay(1, "00:00:00.000");
    expect(isIn(await openPage(today))).toBe(false);
    vi.unstubAllEnvs();
  });

  test("at most so many times forgets what is too long ago", async () => {
    const project = didSo([0, 7, 0]);
    onDay(0);
    await doing(project, 3);

    onDay(6);
    expect(isIn(await openPage(project))).toBe(false);
    onDay(7);
    expect(isIn(await openPage(project))).toBe(true);
  });
});

describe("what is kept", () => {
  test("are the last 100 days on which something was done", async () => {
    const project = didSo([101, YEAR]);
    onDay(0);
    const today = Math.floor(Date.now() / 86_400_000);
    const days = Array.from({ length: 100 }, (_, before) => `${today - 100 + before}.1`);
    document.cookie = "experimentation_id=older; path=/; domain=shop.test";
    localStorage.setItem(KEY, `2|older|beadd%20to%20cart,${days.join(".")}|`);
    await doing(project, 1);

    expect(isIn(await openPage(project))).toBe(false);
    await doing(project, 1);
    expect(isIn(await openPage(project))).toBe(true);
  });

  test("are no days that no condition can ask about any more", async () => {
    const project = didSo([1, YEAR]);
    onDay(0);
    await doing(project, 1);
    const first = /beadd%20to%20cart,(\d+)\.1/.exec(stored())?.[1] ?? "";
    expect(first).not.toBe("");

    onDay(YEAR);
    await doing(project, 1);

    expect(stored()).not.toContain(first);
  });

  test("is nothing that no condition asks about", async () => {
    const project = didSo([1, YEAR]);
    const { api } = await openPage(project);

    api.push({ type: "event", eventName: "purchase" });

    expect(stored()).not.toContain("purchase");
    expect(stored()).not.toMatch(/,b/);
  });

  test("is nothing of a page that nobody has opened yet", async () => {
    const project = didSo([1, YEAR]);
    Reflect.set(document, "prerendering", true);
    const page = await openPage(project);
    page.api.push(ADD);
    expect(localStorage).toHaveLength(0);

    Reflect.deleteProperty(document, "prerendering");
    document.dispatchEvent(new Event("prerenderingchange"));

    expect(isIn(await openPage(project))).toBe(true);
  });

  test("is nothing at all without consent, and everything from the consent on", async () => {
    const project = { ...didSo([2, YEAR]), isConsentRequired: 1 as const };
    const page = await openPage(project);
    page.api.push(ADD);
    expect([document.cookie, localStorage.length, sessionStorage.length]).toStrictEqual(["", 0, 0]);

    page.api.push({ type: "consent", granted: true });
    page.api.push(ADD);

    expect(isIn(await openPage(project))).toBe(true);
  });
});

describe("when it counts", () => {
  test("an event before the snippet counts at once, one after it at the next decision", async () => {
    const project = didSo([1, YEAR]);
    expect(isIn(await openPage(project, { before: [ADD] }))).toBe(true);
    localStorage.clear();

    const page = await openPage(project);
    page.api.push(ADD);
    expect(isIn(page)).toBe(false);
    page.api.push({ type: "activate" });
    expect(isIn(page)).toBe(true);
  });

  test("being on a page counts from the next decision on", async () => {
    const project = didSo([1, YEAR], "p2001");

    const page = await openPage(project);
    expect(isIn(page)).toBe(false);

    expect(isIn(await openPage(project))).toBe(true);
  });

  test("being on a page counts once a time that it turns active", async () => {
    const project = didSo([2, YEAR], "p2001");
    const page = await openPage(project);
    page.api.push({ type: "page", pageName: "home" });
    expect(isIn(await openPage(project))).toBe(false);

    expect(isIn(await openPage(project))).toBe(true);
  });
});
