/** `get("visitor")`: what a page, or an integration in it, can learn of the visitor. */

import { expect, test, vi } from "vitest";
import type { AudienceConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home } from "../support/project";

const asking: AudienceConfig = [
  6001,
  "Asking",
  ["or", ["and", { type: "cookies", name: "uid", match: "exists" }, { type: "device", value: "mobile" }], { type: "cookies", name: "none" }],
];
const project = { pages: [home], audiences: [asking], attributes: [[7001, "plan", "Plan"], [7002, "age", 0]] as const, campaigns: [abTest()] };

test("it is all there is to know in the page", async () => {
  vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ["Date"] });
  document.cookie = "uid=o%20ne; path=/";
  document.cookie = "other=1; path=/";
  const url = "https://www.shop.test/?utm_campaign=spring&a=x%20y&a=b=c&empty=&bare&&=x#?no=1";
  const { api } = await openPage(project, { url, referrer: "https://www.google.com/search" });
  api.push({ type: "user", attributes: { plan: "pro", 7002: 40, unknown: "x" } });

  const { visitorId, ...rest } = api.get("visitor");

  expect(visitorId).toMatch(/^\d{16,}$/);
  expect(rest).toStrictEqual({
    referrer: "https://www.google.com/search",
    queryParams: [
      ["utm_campaign", "spring"],
      ["a", "x%20y"],
      ["a", "b=c"],
      ["empty", ""],
      ["bare", ""],
    ],
    custom: { 7001: { id: "7001", value: "pro", name: "Plan" }, 7002: { id: "7002", value: "40", name: null } },
    currentTimestamp: 1_900_000_000_000,
    offset: new Date().getTimezoneOffset(),
    campaign: "spring",
    cookies: { uid: "o ne" },
    device: "desktop",
    source_type: "search",
  });
});

test("the referrer is the one from before a redirect", async () => {
  const { left } = await openPage({ ...project, campaigns: [everybodyGets([10, 0, "https://www.shop.test/other"])] }, { referrer: "https://news.test/" });

  const { api } = await openPage(project, { url: left[0], referrer: "https://www.shop.test/" });

  expect(api.get("visitor").referrer).toBe("https://news.test/");
});

test("a campaign of an earlier page view is told as audiences remember it", async () => {
  await openPage(project, { url: "https://www.shop.test/?utm_campaign=spring%20sale&utm_source=x" });

  const { api } = await openPage(project, { url: "https://www.shop.test/?utm_campaign=late" });

  expect(api.get("visitor")).toMatchObject({ campaign: "spring%20sale", source_type: "campaign" });
});

test("a visitor without campaigns, parameters or attributes has empty ones", async () => {
  const { api } = await openPage(project);

  expect(api.get("visitor")).toMatchObject({ referrer: "", queryParams: [], custom: {}, campaign: null, cookies: {}, source_type: "direct" });
});

test("a visitor who opted out has no id", async () => {
  const { api } = await openPage(project);
  api.push({ type: "user", attributes: { plan: "pro" } });

  api.push({ type: "optOut" });

  expect(api.get("visitor")).toMatchObject({ visitorId: "", custom: {} });
});
