/** Values of conditions that have a form of their own: languages, places, hours, versions, behaviour. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { matchLanguage, matchLocation, matchTimeAndDay, matchVersion } from "../../src/conditions/matchers";

describe("a language", () => {
  test.each([
    ["en-US", "en-us", true],
    ["en-US", "en", true],
    ["en", "en-us", false],
    ["en", "en", true],
    ["eng", "en", false],
    ["zh-Hant-TW", "zh-hant", true],
    ["de-AT", "en", false],
    ["", "en", false],
  ])("%j of the browser against %j: %s", (language, value, holds) => {
    expect(matchLanguage(language, value)).toBe(holds);
  });
});

describe("a place", () => {
  const sanFrancisco = ["US", "CA", "SANFRANCISCO", "NA", "807"];

  test.each([
    ["US", true],
    ["CA", false],
    ["US|CA", true],
    ["US|NY", false],
    ["US|CA|SANFRANCISCO", true],
    ["US||SANFRANCISCO", true],
    ["US|CA|LOSANGELES", false],
    [" US | CA ", true],
    ["|CA", false],
    ["|||NA", true],
    ["DE|||NA", true],
    ["|||EU", false],
    ["|||", false],
    ["||||807", true],
    ["||||", false],
    ["", false],
  ])("of the condition %j holds: %s", (value, holds) => {
    expect(matchLocation(sanFrancisco, value)).toBe(holds);
  });

  test("of which nothing is known is nowhere", () => {
    expect(matchLocation(["", "", "", "", ""], "US")).toBe(false);
    expect(matchLocation(["", "", "", "", ""], "|||NA")).toBe(false);
  });
});

describe("an hour", () => {
  /** A Wednesday. */
  const at = (hours: number, minutes: number): Date => new Date(2024, 4, 15, hours, minutes, 59);

  test.each([
    [at(9, 0), "09:00_17:00_wednesday", true],
    [at(8, 59), "09:00_17:00_wednesday", false],
    [at(17, 0), "09:00_17:00_wednesday", true],
    [at(17, 1), "09:00_17:00_wednesday", false],
    [at(0, 0), "00:00_24:00_monday,wednesday", true],
    [at(23, 59), "00:00_24:00_monday,wednesday", true],
    [at(12, 0), "00:00_24:00_monday,tuesday", false],
    [at(23, 0), "22:00_06:00_wednesday", false],
    [at(9, 0), "9:0_10:0_wednesday", true],
  ])("%s is within %s: %s", (now, value, holds) => {
    expect(matchTimeAndDay(now, value)).toBe(holds);
  });

  test.each(["", "09:00_17:00", "09:00_17:00_", "09:00_17:00_wednesday,funday", "25:00_26:00_wednesday", "09:60_17:00_wednesday", "00:00_24:00_Wednesday"])(
    "is within nothing that is no span: %j",
    (value) => {
      expect(matchTimeAndDay(at(12, 0), value)).toBe(false);
    },
  );
});

describe("a version", () => {
  test.each([
    ["gc120.0.6099.110", "gc", true],
    ["gc120.0.6099.110", "gc120", true],
    ["gc120.0.6099.110", "gc120.0", true],
    ["gc120.0.6099.110", "gc12", false],
    ["gc120.0.6099.110", "ff", false],
    ["mac os_10.15.7", "mac os", true],
    ["mac os_10.15.7", "mac os_10.15", true],
    ["mac os_10.15.7", "mac os_10.1", false],
    ["windows_8.1", "windows_8", true],
    ["linux_", "linux", true],
    ["", "gc", false],
    ["gc120", "", false],
    ["gc120", null, false],
    ["gc120", 120, false],
  ])("%j is the one of %j: %s", (actual, value, holds) => {
    expect(matchVersion(actual, value)).toBe(holds);
  });
});

describe("behaviour", () => {
  const TODAY = 20_000;

  let matchBehavior: (name: string, value: readonly number[]) => boolean;

  // The modules keep the clock that they find.
  beforeEach(async () => {
    vi.useFakeTimers({ now: TODAY * 24 * 60 * 60 * 1000 });
    vi.resetModules();
    ({ matchBehavior } = await import("../../src/conditions/matchers"));
    const { memory } = await import("../../src/visitor/memory");
    memory.bebuy = [TODAY - 40, 5, TODAY - 7, 2, TODAY - 6, 1, TODAY, 3].join(".");
  });

  test.each([
    ["often enough in a week, today included", [4, 7], true],
    ["not as often as that in a week", [5, 7], false],
    ["the day before it as well", [6, 8], true],
    ["on this day alone", [3, 1], true],
    ["more often on this day", [4, 1], false],
    ["in as many days as are kept", [11, 365], true],
    ["seldom enough", [1, 7, 4], true],
    ["more often than at most", [1, 7, 3], false],
    ["not at all", [0, 7, 0], false],
  ])("was %s", (_, value, holds) => {
    expect(matchBehavior("ebuy", value)).toBe(holds);
  });

  test("that never was is none at all", () => {
    expect(matchBehavior("ereturn", [1, 365])).toBe(false);
    expect(matchBehavior("ereturn", [0, 365, 0])).toBe(true);
  });
});
