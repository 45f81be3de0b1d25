/** Which session is a visitor's first. */

import { describe, expect, test, vi } from "vitest";
import { asking, isIn } from "../support/asking";
import { openPage } from "../support/openPage";

const KEY = "experimentation:1000";
const newcomers = asking(["or", { type: "first_session" }]);

const at = (time: string): void => {
  vi.useFakeTimers({ now: new Date(`2026-11-21T${time}Z`), toFake: ["Date"] });
};

/** Whether each page view, at its time, is one of the first session. */
const viewsAt = async (...times: string[]): Promise<unknown[]> => {
  const answers = [];
  for (const time of times) {
    at(time);
    answers.push(isIn(await openPage(newcomers)));
  }
  return answers;
};

describe("the first session", () => {
  test("goes on over exactly 30 minutes without a page view", async () => {
    expect(await viewsAt("12:00:00", "12:30:00")).toStrictEqual([true, true]);
  });

  test("goes on over exactly 30 minutes, whichever second they begin at", async () => {
    expect(await viewsAt("12:00:59.999", "12:30:59.999")).toStrictEqual([true, true]);
  });

  test("has ended in the minute after", async () => {
    expect(await viewsAt("12:00:00", "12:31:00")).toStrictEqual([true, false]);
  });

  test("has ended a moment after 30 minutes where that is another minute", async () => {
    expect(await viewsAt("12:00:59.999", "12:31:00")).toStrictEqual([true, false]);
  });

  test("goes on as long as each page view comes in time", async () => {
    expect(await viewsAt("12:00:00", "12:25:00", "12:50:00", "13:15:00")).toStrictEqual([true, true, true, true]);
  });

  test("does not come back, however soon the next page views are", async () => {
    expect(await viewsAt("12:00:00", "13:00:00", "13:00:30", "13:01:00", "15:00:00")).toStrictEqual([true, false, false, false, false]);
  });

  test("goes on over midnight", async () => {
    at("23:50:00");
    expect(isIn(await openPage(newcomers))).toBe(true);
    vi.setSystemTime(new Date("2026-11-22T00:10:00Z"));
    expect(isIn(await openPage(newcomers))).toBe(true);
  });

  test("goes on where the clock was set back", async () => {
    expect(await viewsAt("12:00:00", "09:00:00", "09:20:00")).toStrictEqual([true, true, true]);
  });

  test("was long ago for who came before the project asked", async () => {
    // As a snippet stores it that does not ask.
    document.cookie = "experimentation_id=older; path=/; domain=shop.test";
    localStorage.setItem(KEY, "2|older|day,20000|");

    expect(isIn(await openPage(newcomers))).toBe(false);
  });

  test("is another visitor's own", async () => {
    await viewsAt("12:00:00", "13:00:00");
    document.cookie = "experimentation_id=another; path=/; domain=shop.test";

    expect(isIn(await openPage(newcomers))).toBe(true);
  });

  test("is each page view of a visitor of whom nothing may be kept", async () => {
    const anonymous = { ...newcomers, isConsentRequired: 1 as const };
    at("12:00:00");
    expect(isIn(await openPage(anonymous))).toBe(true);
    at("14:00:00");
    expect(isIn(await openPage(anonymous))).toBe(true);
    expect([document.cookie, localStorage.length]).toStrictEqual(["", 0]);
  });

  test("is what it is on the page view of the consent, and counted from there", async () => {
    const given = { type: "consent", granted: true } as const;
    at("12:00:00");
    const page = await openPage({ ...newcomers, isConsentRequired: 1 });
    page.api.push(given);
    at("12:20:00");
    expect(isIn(await openPage({ ...newcomers, isConsentRequired: 1 }))).toBe(true);
    at("13:20:00");
    expect(isIn(await openPage({ ...newcomers, isConsentRequired: 1 }))).toBe(false);
  });
});
