/** The visitor's clock around midnight and the end of the week, wherever they live, and the browser's language. */

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Condition } from "../../src/project/config";
import { asking, isIn } from "../support/asking";
import { openPage } from "../support/openPage";

afterEach(() => {
  vi.unstubAllEnvs();
});

const holds = async (condition: Condition): Promise<boolean | undefined> => isIn(await openPage(asking(["or", condition])));

describe("time and day", () => {
  const holdsAt = async (zone: string, time: string, value: string): Promise<unknown> => {
    vi.stubEnv("TZ", zone);
    vi.useFakeTimers({ now: new Date(time), toFake: ["Date"] });
    return holds({ type: "time_and_day", value });
  };

  // Saturday is the last day of the week here, Sunday the first.
  test.each([
    ["America/Los_Angeles", "2026-11-22T07:59:59.999Z", "23:00_23:59_saturday", true],
    ["America/Los_Angeles", "2026-11-22T08:00:00.000Z", "23:00_23:59_saturday", false],
    ["America/Los_Angeles", "2026-11-22T08:00:00.000Z", "00:00_24:00_saturday", false],
    ["America/Los_Angeles", "2026-11-22T08:00:59.999Z", "00:00_00:00_sunday", true],
    ["America/Los_Angeles", "2026-11-22T08:01:00.000Z", "00:00_00:00_sunday", false],
    ["Pacific/Auckland", "2026-11-21T10:59:59.999Z", "00:00_24:00_saturday", true],
    ["Pacific/Auckland", "2026-11-21T11:00:00.000Z", "00:00_24:00_sunday", true],
    ["Asia/Kathmandu", "2026-11-21T18:14:59.999Z", "23:59_23:59_saturday", true],
    ["Asia/Kathmandu", "2026-11-21T18:15:00.000Z", "23:59_23:59_saturday", false],
    ["UTC", "2026-11-21T09:00:00.000Z", "09:00_17:00_friday,saturday", true],
    ["UTC", "2026-11-21T08:59:59.999Z", "09:00_17:00_friday,saturday", false],
    ["UTC", "2026-11-21T17:00:59.999Z", "09:00_17:00_friday,saturday", true],
    ["UTC", "2026-11-21T17:01:00.000Z", "09:00_17:00_friday,saturday", false],
    ["UTC", "2026-11-22T12:00:00.000Z", "09:00_17:00_friday,saturday", false],
  ])("in %s at %s, %s holds: %j", async (zone, time, value, expected) => {
    expect(await holdsAt(zone, time, value)).toBe(expected);
  });

  test.each(["23:30", "00:30", "12:00"])("a span does not go over midnight: at %s", async (time) => {
    expect(await holdsAt("UTC", `2026-11-21T${time}:00Z`, "22:00_02:00_saturday,sunday")).toBe(false);
  });
});

describe("language", () => {
  test.each([
    ["en-US", "en", true],
    ["en-US", "en-us", true],
    ["en-US", "EN-US", true],
    ["en", "en", true],
    ["en", "en-us", false],
    ["en-GB", "en-us", false],
    ["zh-Hant-TW", "zh-hant", true],
    ["zh-Hant-TW", "zh-tw", false],
    ["fil-PH", "fi", false],
    ["en-US", "e", false],
    ["en-US", "en-u", false],
    ["en-US", "us", false],
    ["en-US", "*", false],
    ["en-US", "en-*", false],
  ])("a browser in %s is one of %s: %j", async (language, value, expected) => {
    vi.spyOn(navigator, "language", "get").mockReturnValue(language);

    expect(await holds({ type: "language", value })).toBe(expected);
  });
});
