/** What each kind of audience condition asks, and logic over it. */

import { describe, expect, test, vi } from "vitest";
import { deviceOf } from "../../src/browser/userAgent";
import { matchLanguage, matchTimeAndDay } from "../../src/conditions/matchers";
import type { AudienceConfig, Condition, ConditionTree } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, home } from "../support/project";

const isIn = async (conditions: ConditionTree, options: Parameters<typeof openPage>[1] = {}): Promise<boolean> => {
  const project = {
    pages: [home],
    attributes: [[7001, "plan", "Plan"]] as const,
    audiences: [[6001, "Audience", conditions]] as const,
    campaigns: [abTest({ audiences: ["or", 0] })],
  };
  return (await openPage(project, options)).state.getCampaignStates()["3001"].isActive;
};

const query = (search: string) => ({ url: `https://www.shop.test/${search}` });

describe("a condition", () => {
  test.each<[Condition, string, boolean]>([
    [{ type: "query", name: "a", match: "exact", value: "1" }, "?a=1&a=2", true],
    [{ type: "query", name: "a", match: "exact", value: "2" }, "?a=1&a=2", false],
    [{ type: "query", name: "a", match: "substring", value: "%20" }, "?a=x%20y", true],
    [{ type: "query", name: "a", match: "regex", value: "^x.y$" }, "?a=x=y", true],
    [{ type: "query", name: "a", match: "regex", value: "(" }, "?a=(", false],
    [{ type: "query", name: "a", match: "range", value: "1:3" }, "?a=3", true],
    [{ type: "query", name: "a", match: "range", value: "1:" }, "?a=3", false],
    [{ type: "query", name: "a", match: "exists" }, "?a", true],
    [{ type: "query", name: "a" }, "?b", false],
    [{ type: "query", name: "a", value: "1" }, "?a=1", true],
    [{ type: "campaign", match: "exact", value: "Spring" }, "?utm_campaign=Spring", true],
    [{ type: "source_type", value: "campaign" }, "?gclid=1", true],
    [{ type: "source_type", value: "direct" }, "", true],
    [{ type: "custom_code", code: () => 1 }, "", true],
    [{ type: "custom_code", code: () => 0 }, "", false],
    [{ type: "device_type", value: "phone" }, "", false],
  ])("%j holds for the address %s: %s", async (condition, search, expected) => {
    expect(await isIn(["or", condition], query(search))).toBe(expected);
  });

  test.each<[Condition, string, boolean]>([
    [{ type: "referrer", match: "substring", value: "partner.test/deals" }, "http://www.partner.test/Deals/?x=1", true],
    [{ type: "referrer", match: "substring", value: "" }, "", false],
    [{ type: "source_type", value: "search" }, "https://www.google.com/", true],
    [{ type: "source_type", value: "referral" }, "https://blog.shop.test/", true],
    [{ type: "source_type", value: "direct" }, "https://shop.test/", true],
  ])("%j holds for the referrer %s: %s", async (condition, referrer, expected) => {
    expect(await isIn(["or", condition], { referrer })).toBe(expected);
  });

  test("asks for cookies, decoded", async () => {
    document.cookie = "plan=x%20y; path=/";

    expect(await isIn(["or", { type: "cookies", name: "plan", match: "exact", value: "x y" }])).toBe(true);
    expect(await isIn(["or", { type: "cookies", name: "pla", match: "exists" }])).toBe(false);
  });

  test.each([["plan"], ["7001"]])("asks for the custom attribute %s, which lasts over page views", async (name) => {
    const condition: Condition = { type: "custom_attribute", name, match: "exact", value: "a,b:c" };
    const before = [{ type: "user", attributes: { plan: "a,b:c" } }];

    expect(await isIn(["or", condition], { before })).toBe(true);
    expect(await isIn(["or", condition])).toBe(true);
    expect(await isIn(["or", condition], { before: [{ type: "user", attributes: { "7001": null } }] })).toBe(false);
  });

  test("tells an empty custom attribute from none", async () => {
    const condition: Condition = { type: "custom_attribute", name: "plan", match: "exists" };

    expect(await isIn(["or", condition], { before: [{ type: "user", attributes: { plan: "" } }] })).toBe(true);
  });
});

describe("logic", () => {
  const unknown: Condition = { type: "campaign", match: "exact", value: "x" };
  const yes: Condition = { type: "custom_code", code: () => true };
  const no: Condition = { type: "custom_code", code: () => false };

  test.each<[ConditionTree, boolean]>([
    [[], false],
    [["and"], true],
    [["or"], false],
    [["not", yes], false],
    [["not", no], true],
    [["not", unknown], false],
    [["and", yes, unknown], false],
    [["or", unknown, yes], true],
    [["and", ["not", ["and", no, unknown]]], true],
    [[no, yes], true],
  ])("of %j is %s", async (conditions, expected) => {
    expect(await isIn(conditions)).toBe(expected);
  });

  test("over audiences inside audiences holds", async () => {
    const audiences: AudienceConfig[] = [
      [6001, "Outer", ["and", ["not", { type: "audience", value: 1 }]]],
      [6002, "Inner", ["or", no]],
    ];
    const { state } = await openPage({ pages: [home], audiences, campaigns: [abTest({ audiences: ["or", 0] })] });

    expect(state.getCampaignStates()["3001"].audiences).toStrictEqual([{ id: "6001", name: "Outer" }]);
  });

  test("with code that throws leaves the visitor outside, and says so", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const fail = () => {
      throw new Error("mine");
    };

    expect(await isIn(["or", { type: "custom_code", code: fail }, yes])).toBe(false);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1 Mobile/15E148 Safari/604.1", 5, "iphone"],
  ["Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148 Safari/604.1", 5, "ipad"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.1 Safari/605.1.15", 5, "ipad"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.1 Safari/605.1.15", 0, "desktop"],
  ["Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36", 5, "mobile"],
  ["Mozilla/5.0 (Linux; Android 12; SM-T870) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36", 5, "tablet"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 0, "desktop"],
])("the device of %s with %i touch points is %s", (userAgent, touchPoints, device) => {
  expect(deviceOf(userAgent, touchPoints)).toBe(device);
});

test.each([
  ["en-US", "en-us", true],
  ["en-US", "en", true],
  ["en", "en-us", false],
  ["eng", "en", false],
])("the language %s is %s: %s", (language, value, expected) => {
  expect(matchLanguage(language, value)).toBe(expected);
});

test.each([
  ["10:30_10:30_wednesday", true],
  ["10:31_17:00_wednesday", false],
  ["09:00_17:00_monday,wednesday", true],
  ["09:00_17:00_thursday", false],
  ["22:00_11:00_wednesday", false],
  ["09:00_17:00_Wednesday", false],
  ["bad", false],
])("Wednesday 10:30 is within %s: %s", (value, expected) => {
  expect(matchTimeAndDay(new Date(2030, 2, 6, 10, 30), value)).toBe(expected);
});
