/** Why a decision came out as it did, as the page itself tells it. */

import { describe, expect, test } from "vitest";
import type { ExplanationStep } from "../../types/index";
import { openPage } from "../support/openPage";
import { abTest, home, loyal, manualPage } from "../support/project";

const tell = (steps: ExplanationStep[] | null | undefined) => (steps || []).map(({ step, holds, text }) => `${step} ${holds}: ${text}`);

/** The visitor `visitor-1` has bucket 4858 for 2001: see `spec/vectors/bucketing.json`. */
const as = (id: string) => {
  document.cookie = `experimentation_id=${id}; path=/`;
};

describe("explain", () => {
  test("tells buckets, shares, audiences and the outcome", async () => {
    as("visitor-1");
    const campaigns = [abTest({ id: 1001, ends: [4858, 10000], holdback: 500, audiences: ["or", 0] })];

    const { state } = await openPage({ pages: [home], audiences: [loyal], campaigns, projectHoldback: 200 }, { url: "https://www.shop.test/?loyal=1" });

    expect(tell(state.explain?.("1001"))).toStrictEqual([
      "pages true: one of its pages is active",
      "audiences true: 6001 is met",
      "project_holdback false: bucket 2119; held back from all campaigns below 200",
      expect.stringMatching(/^holdback (true|false): bucket \d+; held back below 500$/),
      "variation true: bucket 4858 of 10000; shares end at 4858, 10000",
      "outcome true: experiment 2001, variation 3002",
    ]);
  });

  test("tells that a variation was given earlier", async () => {
    as("visitor-1");
    await openPage({ pages: [home], campaigns: [abTest({ id: 1001, ends: [4859, 10000] })] });

    const { state } = await openPage({ pages: [home], campaigns: [abTest({ id: 1001, ends: [0, 10000] })] });

    expect(tell(state.explain?.(1001))).toContain("stored true: was given 3001 earlier, which stands before bucket 4858");
  });

  test("tells of a variation that was asked for, of groups, and of pages that are not active", async () => {
    const project = { pages: [home, manualPage], campaigns: [abTest(), abTest({ id: 3010 }), abTest({ id: 3020, pages: 1 })] };

    const { state } = await openPage(
      { ...project, groups: [[8001, [3001, 3010], [10000, 10000]]] },
      { url: "https://www.shop.test/?experimentation_x=5001" },
    );

    expect(tell(state.explain?.("3001"))[1]).toMatch(/^forced true:/);
    expect(tell(state.explain?.("3010"))[1]).toMatch(/^group false:/);
    expect(tell(state.explain?.("3020"))).toContain("pages false: none of its pages is active");
    expect(state.explain?.("3999")).toBeNull();
  });
});
