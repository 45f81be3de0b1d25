/** What is stored of the visitor: its form, its bound, and what becomes of values that we did not write. */

import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { openPage } from "../support/openPage";
import { abTest, home, loyal } from "../support/project";

const KEY = "experimentation:1000";
const project = { pages: [home], campaigns: [abTest()] };
const nowhere = { pages: [home], campaigns: [] };

const stored = (): string => localStorage.getItem(KEY) ?? "";

/** Adds experiments that the project knows nothing of, the oldest first, before those the visitor has already seen. */
const addOlder = (first: number, count: number): void => {
  const older = Array.from({ length: count }, (_, place) => `-${first + place},7.1`).join(",");
  const [version, id, texts, end] = stored().split("|");
  localStorage.setItem(KEY, [version, id, older + "," + texts, end].join("|"));
};

const seen = async (): Promise<string[]> => Object.keys((await openPage(nowhere)).state.getVariationMap());

describe("the stored form", () => {
  test("is a version, the visitor, keys and texts", async () => {
    await openPage(project);

    expect(stored()).toMatch(/^2\|\d+\|ses,1\.\d+,day,\d+,domain,shop\.test(,[a-z]+,\w+)*,-4001,500[12]\.[01]\|$/);
  });

  test("keeps what an older revision of the project gave", async () => {
    await openPage(project);
    addOlder(4503599627370490, 1);

    const { state } = await openPage({ ...project, campaigns: [abTest(), abTest({ id: 3010 })] });

    expect(Object.keys(state.getVariationMap())).toStrictEqual(["4001", "4010", "4503599627370490"]);
    expect(state.getVariationMap()["4503599627370490"]).toStrictEqual({ id: "7", name: null, index: 1 });
    expect(stored()).toContain("|-4503599627370490,7.1,ses,");
  });

  test("is not written again only because the visitor came back to an experiment", async () => {
    await openPage(project);
    addOlder(10_000, 1500);
    const writes = vi.spyOn(Storage.prototype, "setItem");

    await openPage(project);

    expect(writes).not.toHaveBeenCalled();
  });

  test.each([["nonsense"], ["1|x"], ['{"v":1}'], ["1|ada|day,20000|4001,5009,3|"], ["3|ada|day,20000,-4001,5009.3|"], ["2|||"], ["2|ada|,,|"]])(
    "drops the foreign value %s",
    async (value) => {
      document.cookie = "experimentation_id=ada; path=/; domain=shop.test";
      localStorage.setItem(KEY, value);

      const { state } = await openPage(project);

      expect(Object.keys(state.getVariationMap())).toStrictEqual(["4001"]);
      expect(state.getCampaignStates()["3001"].isActive).toBe(true);
      expect(stored()).toMatch(/^2\|ada\|ses,[01]\.\d+,day,\d+(,[a-z]+,\w+)*,-4001,500[12]\.[01],domain,shop\.test\|$/);
    },
  );

  test.each(["x", "NaN.1", "0.0"])("has no variation in %s, and gives one in its place", async (value) => {
    document.cookie = "experimentation_id=ada; path=/; domain=shop.test";
    localStorage.setItem(KEY, `2|ada|-4001,${value},-4009,${value}|`);

    const { state } = await openPage(project);

    expect(Object.keys(state.getVariationMap())).toStrictEqual(["4001"]);
    expect(stored()).toMatch(/-4001,500[12]\.[01],/);
  });

  test("keeps the place that a variation had when it was given", async () => {
    document.cookie = "experimentation_id=ada; path=/; domain=shop.test";
    localStorage.setItem(KEY, "2|ada|-4001,5002.0|");

    const { state } = await openPage(project);

    expect(state.getVariationMap()["4001"]).toMatchObject({ id: "5002", index: 1 });
    expect(stored()).toMatch(/-4001,5002\.0,/);
  });

  test("counts for nothing when it is cut anywhere", async () => {
    document.cookie = "experimentation_id=ada; path=/; domain=shop.test";
    await openPage({ ...project, campaigns: [abTest({ id: 3010 })] });
    const whole = stored();

    for (let length = 0; length < whole.length; length++) {
      localStorage.setItem(KEY, whole.slice(0, length));
      expect(await seen()).toStrictEqual([]);
    }
  });

  test("throws for no value at all, and keeps the map well-formed", async () => {
    document.cookie = "experimentation_id=ada; path=/; domain=shop.test";
    await openPage(project);
    const whole = stored();
    const mutated = fc
      .tuple(fc.nat(whole.length), fc.nat(12), fc.string({ maxLength: 8, unit: "binary" }))
      .map(([at, length, text]) => whole.slice(0, at) + text + whole.slice(at + length));
    const piece = fc.constantFrom("|", ",", ".", "-1", "0", "-4001", "5001", "NaN", "1e9", "c3001", "a", "%", "constructor", "__proto__");
    const alike = fc.array(piece, { maxLength: 12 }).map((pieces) => "2|ada|" + pieces.join("") + "|");
    const errors = vi.spyOn(console, "warn");

    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, alike, fc.string({ unit: "binary" })), async (value) => {
        localStorage.setItem(KEY, value);

        const { state } = await openPage(project);

        expect(errors).not.toHaveBeenCalled();
        expect(state.getCampaignStates()["3001"].experiment?.id).toBe("4001");
        for (const [experimentId, { id, index }] of Object.entries(state.getVariationMap())) {
          expect([experimentId, id].every((each) => Number(each) > 0)).toBe(true);
          expect(index).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("the bound", () => {
  test("drops what was given first", async () => {
    await openPage(project);
    addOlder(10_000, 5000);

    await openPage({ ...project, campaigns: [abTest({ id: 3010 })] });

    const ids = await seen();
    expect(ids).toHaveLength(5000);
    expect(ids).toEqual(expect.arrayContaining(["4001", "4010", "14999"]));
    expect(ids).not.toContain("10000");
  });

  test("never drops what this page view gave", async () => {
    await openPage(project);
    addOlder(10_000, 4000);
    const campaigns = Array.from({ length: 2500 }, (_, place) => abTest({ id: 100_000 + place * 10 }));

    const { state } = await openPage({ ...project, campaigns });

    const given = state.getActiveExperimentIds();
    const ids = new Set(await seen());
    expect(given).toHaveLength(2500);
    expect(given.filter((experimentId) => !ids.has(experimentId))).toStrictEqual([]);
    expect(ids.size).toBe(5000);
  });

  test("evicts no attribute, and campaigns like experiments", async () => {
    const held = { pages: [home], audiences: [loyal], campaigns: [abTest({ audiences: ["or", 0] })], attributes: [[7001, "plan", 0]] as const };
    const { api } = await openPage(held);
    api.push({ type: "user", attributes: { plan: "pro" } });
    const [version, id, texts, end] = stored().split("|");
    const campaigns = Array.from({ length: 5500 }, (_, place) => `c${10_000 + place},4001..1`).join(",");
    localStorage.setItem(KEY, [version, id, texts + "," + campaigns, end].join("|"));

    await openPage({ ...held, campaigns: [abTest({ id: 3010, audiences: ["or", 0] })] });

    const kept = stored();
    expect(kept).toContain("a7001,=pro");
    expect(kept).not.toContain("c10000,");
    expect(kept).toContain("c15499,");
    expect(kept.match(/c\d+,/g)).toHaveLength(5000);
  });
});
