/** When the page says where the visitor is. What locations match is in the vectors. */

import { describe, expect, test } from "vitest";
import { asking, isIn } from "../support/asking";
import { openPage } from "../support/openPage";
import { abTest, home, manualPage } from "../support/project";

const KEY = "experimentation:1000";
const californian = { type: "location", value: "US|CA" };
const waiting = asking(["or", californian], { locatedCampaigns: [3001] });
const California = { type: "location", country: "US", region: "CA", city: "San Francisco" } as const;
const Germany = { type: "location", country: "DE" } as const;

describe("a campaign for a location", () => {
  test("is never decided on a page that says none, and others are", async () => {
    const page = await openPage({ ...waiting, campaigns: [abTest({ audiences: ["or", 0] }), abTest({ id: 3010 })] });
    page.api.push({ type: "activate" });

    expect(page.state.getCampaignStates()).not.toHaveProperty("3001");
    expect(page.state.getActiveExperimentIds()).toStrictEqual(["4010"]);
  });

  test("is decided once a late location comes, without another activation", async () => {
    const page = await openPage(waiting);
    const activation = page.state.getActivationId();

    expect(page.api.push(California)).toBe(true);

    expect(isIn(page)).toBe(true);
    expect(page.state.getActivationId()).toBe(activation);
  });

  test("is decided with the last of two locations that wait for the snippet", async () => {
    expect(isIn(await openPage(waiting, { before: [Germany, California] }))).toBe(true);
    expect(isIn(await openPage(waiting, { before: [California, Germany] }))).toBe(false);
  });

  test("stands when another location comes, until it is decided anew", async () => {
    const page = await openPage(waiting, { before: [California] });

    page.api.push(Germany);
    expect(isIn(page)).toBe(true);

    page.api.push({ type: "activate" });
    expect(isIn(page)).toBe(false);
  });

  test("waits again on the next page view: nothing of a location is stored", async () => {
    await openPage(waiting, { before: [California] });
    expect(localStorage.getItem(KEY)).not.toMatch(/US|CA|SAN/);

    // The campaign's earlier decision is still told, but it is not active.
    expect(isIn(await openPage(waiting))).toBe(false);
  });

  test("is not decided on pages that are not active, whatever comes", async () => {
    const elsewhere = { ...waiting, pages: [home, manualPage], campaigns: [abTest({ audiences: ["or", 0], pages: 1 })] };
    const page = await openPage(elsewhere, { before: [California] });
    page.api.push(Germany);
    expect(isIn(page)).toBeUndefined();

    page.api.push(California);
    page.api.push({ type: "page", pageName: "manual" });

    expect(isIn(page)).toBe(true);
  });

  test("does not wait for visitors who are asked for by a variation", async () => {
    expect(isIn(await openPage(waiting, { url: "https://www.shop.test/?experimentation_x=5002" }))).toBe(true);
  });

  test.each([{}, { country: null }, { country: { toString: () => "FR" } }, { Country: "US", region: "CA" }])(
    "counts %j as a location in which it does not hold",
    async (fields) => {
      expect(isIn(await openPage(waiting, { before: [{ type: "location", ...fields }] }))).toBe(false);
    },
  );
});
