/** Which conditions stay as the visitor was first seen, and which ask each page view anew. */

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Condition } from "../../src/project/config";
import { asking, isIn } from "../support/asking";
import { openPage } from "../support/openPage";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1";

interface View {
  query?: string;
  referrer?: string;
  userAgent?: string;
  language?: string;
  cookie?: string;
  time?: string;
  plan?: string;
}

/** What the condition answers on each of the page views. */
const answers = async (condition: Condition, views: View[]): Promise<unknown[]> => {
  const project = asking(["or", condition], { attributes: [[7001, "plan", 0]] });
  const all = [];
  for (const view of views) {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(view.userAgent ?? WINDOWS);
    vi.spyOn(navigator, "language", "get").mockReturnValue(view.language ?? "en");
    vi.useFakeTimers({ now: new Date(view.time ?? "2026-11-21T12:00:00"), toFake: ["Date"] });
    document.cookie = `theme=${view.cookie ?? ""}; path=/`;
    const before = view.plan ? [{ type: "user", attributes: { plan: view.plan } }] : [];
    const url = "https://www.shop.test/" + (view.query ?? "");
    all.push(isIn(await openPage(project, { url, referrer: view.referrer ?? "", before })));
  }
  return all;
};

const SPRING = "?utm_campaign=spring&utm_source=mail";
const NEWS = "https://news.example/today";
const SEARCH = "https://www.google.com/";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the first is kept:", () => {
  test.each<[string, Condition, View, View]>([
    ["campaign", { type: "campaign", match: "exact", value: "spring" }, { query: SPRING }, { query: "?utm_campaign=autumn" }],
    ["referrer", { type: "referrer", match: "substring", value: "news.example" }, { referrer: NEWS }, { referrer: SEARCH }],
    ["device", { type: "device", value: "iphone" }, { userAgent: IPHONE }, {}],
    ["device_type", { type: "device_type", value: "phone" }, { userAgent: IPHONE }, {}],
    ["browser_version", { type: "browser_version", value: "safari17.1" }, { userAgent: IPHONE }, {}],
  ])("%s", async (_, condition, first, later) => {
    expect(await answers(condition, [first, later, {}])).toStrictEqual([true, true, true]);
    localStorage.clear();
    expect(await answers(condition, [later, first])).toStrictEqual([false, false]);
  });

  test.each<[string, Condition, View]>([
    ["campaign", { type: "campaign", match: "exact", value: "spring" }, { query: SPRING }],
    ["referrer", { type: "referrer", match: "substring", value: "news.example" }, { referrer: NEWS }],
  ])("%s, and none is not yet one", async (_, condition, later) => {
    expect(await answers(condition, [{}, later, {}])).toStrictEqual([false, true, true]);
  });

  test("the referrer that comes with odd characters is compared as it was", async () => {
    const condition = { type: "referrer", match: "exact", value: "https://news.example/a,b|c%20d" };

    expect(await answers(condition, [{ referrer: "https://news.example/a,b|c%20d" }, {}])).toStrictEqual([true, true]);
  });
});

describe("the last source is kept, but for a direct visit:", () => {
  test.each<[string, View[], boolean[]]>([
    ["campaign", [{ query: SPRING }, {}, { referrer: SEARCH }, {}, { referrer: NEWS }], [true, true, false, false, false]],
    ["search", [{ referrer: SEARCH }, {}, { query: SPRING }, { referrer: SEARCH }], [true, true, false, true]],
    ["referral", [{}, { referrer: NEWS }, {}, { referrer: "https://www.shop.test/cart" }], [false, true, true, true]],
    ["direct", [{}, {}, { referrer: NEWS }, {}], [true, true, false, false]],
  ])("%s", async (value, views, expected) => {
    expect(await answers({ type: "source_type", match: "exact", value }, views)).toStrictEqual(expected);
  });
});

describe("the last value is kept:", () => {
  test("custom_attribute", async () => {
    const views = [{}, { plan: "pro" }, {}, { plan: "free" }, {}];

    const told = await answers({ type: "custom_attribute", name: "7001", match: "exact", value: "pro" }, views);

    expect(told).toStrictEqual([false, true, true, false, false]);
  });
});

describe("each page view tells its own:", () => {
  test.each<[string, Condition, View]>([
    ["query", { type: "query", name: "a", match: "exact", value: "1" }, { query: "?a=1" }],
    ["cookies", { type: "cookies", name: "theme", match: "exact", value: "dark" }, { cookie: "dark" }],
    ["platform", { type: "platform", value: "ios_17" }, { userAgent: IPHONE }],
    ["language", { type: "language", value: "de" }, { language: "de-AT" }],
    ["time_and_day", { type: "time_and_day", value: "09:00_10:00_saturday" }, { time: "2026-11-21T09:30:00" }],
  ])("%s", async (_, condition, met) => {
    expect(await answers(condition, [met, {}, met])).toStrictEqual([true, false, true]);
  });
});

test("a fact that no condition asks about is not kept", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("");
  await openPage(asking(["or", { type: "query", name: "a" }]), { url: "https://www.shop.test/?q=secret", referrer: NEWS });

  expect(localStorage.getItem("experimentation:1000")).not.toContain("secret");
});
