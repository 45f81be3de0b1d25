/** What an activation begins with, and when a campaign is on. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { beginActivation, isCampaignOnPage } from "../../src/pageView/activation";
import { activePages, globalTags, originalReferrer, pageView } from "../../src/pageView/pageView";
import { campaigns } from "../../src/project/config";
import type { CampaignConfig } from "../../src/project/config";
import { abTest } from "../support/project";

/** The modules as a page view at that moment has them: they keep the clock that they find. */
const startAt = async (now: number) => {
  vi.useFakeTimers({ now });
  vi.resetModules();
  const { beginActivation: begin } = await import("../../src/pageView/activation");
  return { begin, ...(await import("../../src/pageView/pageView")) };
};

/** A campaign of the project that is decided. */
const decided = (): CampaignConfig => {
  const campaign = abTest();
  campaign.decision_ = { experiment_: undefined, variation_: -1 };
  (campaigns as CampaignConfig[]).push(campaign);
  return campaign;
};

beforeEach(() => {
  pageView.landing = undefined;
  activePages.length = 0;
});

describe("an activation", () => {
  test("has the millisecond it began as its id", async () => {
    const { begin, pageView } = await startAt(1_700_000_000_000);

    begin();

    expect(pageView.activationId).toBe(1_700_000_000_000);
  });

  test("shares its id with no other, though they begin at once or the clock is set back", async () => {
    const { begin, pageView } = await startAt(1_700_000_000_000);
    const ids: number[] = [];

    for (const now of [0, 0, 0, -1000, 5000]) {
      vi.setSystemTime(1_700_000_000_000 + now);
      begin();
      ids.push(pageView.activationId - 1_700_000_000_000);
    }

    expect(ids).toStrictEqual([0, 1, 2, 3, 5000]);
  });

  test("begins with no page active and nothing decided", () => {
    activePages[0] = {};
    const campaign = decided();

    beginActivation();

    expect(activePages).toHaveLength(0);
    expect(campaign.decision_).toBeUndefined();
  });

  test("keeps what was pushed for the page view", () => {
    globalTags.season = "winter";

    beginActivation();

    expect(globalTags).toStrictEqual({ season: "winter" });
  });
});

describe("a campaign", () => {
  test("is on while its page is active", () => {
    activePages[1] = {};

    expect(isCampaignOnPage(abTest({ pages: 1 }))).toBe(true);
    expect(isCampaignOnPage(abTest({ pages: 0 }))).toBe(false);
  });

  test("is on while one of its pages is active", () => {
    activePages[2] = {};

    expect(isCampaignOnPage(abTest({ pages: [0, 2] }))).toBe(true);
    expect(isCampaignOnPage(abTest({ pages: [0, 1] }))).toBe(false);
    expect(isCampaignOnPage(abTest({ pages: [] }))).toBe(false);
  });
});

describe("the page that the visitor came from", () => {
  test("is what the browser says", () => {
    Object.defineProperty(document, "referrer", { value: "https://news.test/", configurable: true });

    expect(originalReferrer()).toBe("https://news.test/");
  });

  test("is the one before the redirect, be it none", () => {
    Object.defineProperty(document, "referrer", { value: "https://www.shop.test/", configurable: true });

    pageView.landing = { experimentId: "4001", variationId: "5002", referrer: "", chain_: "5002" };

    expect(originalReferrer()).toBe("");
  });
});
