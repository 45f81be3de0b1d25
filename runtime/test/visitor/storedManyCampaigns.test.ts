/** Of many campaigns: what was given stays given, though a page view mostly leaves it unread. */

import { describe, expect, test } from "vitest";
import { openPage } from "../support/openPage";
import type { PageView, Project } from "../support/openPage";
import { abTest, home, manualPage, personalization } from "../support/project";

const KEY = "experimentation:1000";
const campaigns = [abTest(), abTest({ id: 3010 }), personalization({ priorities: [[1]] }), abTest({ id: 3020, pages: 1 })];
const project: Project = { pages: [home, manualPage], campaigns, attributes: [[7001, "plan", "Plan"]], revision: "a" };

const stored = (): string => localStorage.getItem(KEY) ?? "";
const tamper = (change: (parts: string[]) => void): void => {
  const parts = stored().split("|");
  change(parts);
  localStorage.setItem(KEY, parts.join("|"));
};
const other = { "5001": "5002", "5002": "5001" } as Record<string, string>;
const given = ({ state }: PageView): string | undefined => state.getVariationMap()["4001"]?.id;
const bucket = ({ api }: PageView, variationId: string): unknown => api.push({ type: "bucketVisitor", experimentId: "4001", variationId } as never);

describe("of many campaigns", () => {
  test("each keeps its variation", async () => {
    const first = await openPage(project);
    const map = first.state.getVariationMap();
    const states = first.state.getCampaignStates();

    const later = await openPage(project);

    expect(Object.keys(map)).toHaveLength(3);
    expect(later.state.getCampaignStates()).toStrictEqual(states);
    expect(later.state.getVariationMap()).toStrictEqual(map);
  });

  test("a later page view of the same revision reads no text of what was given", async () => {
    const variation = given(await openPage(project));
    tamper((parts) => {
      parts[2] = parts[2].replace(/-4001,\d+/, "-4001,5009");
    });

    expect((await openPage(project)).state.getExperimentStates()["4001"].variation?.id).toBe(variation);
  });

  test("another revision finds them wherever its campaigns are, and keeps those that it lacks", async () => {
    const map = (await openPage(project)).state.getVariationMap();
    const few = { ...project, campaigns: [abTest({ id: 3010 }), abTest()], revision: "b" };

    await openPage(few);
    const later = await openPage(few);

    expect(Object.keys(later.state.getVariationMap()).sort()).toStrictEqual(Object.keys(map).sort());
    expect(given(later)).toBe(map["4001"].id);
    expect(stored()).toContain("-4102,5102.0");
  });

  test("one that is met later takes nothing from the rest", async () => {
    const variation = given(await openPage(project));

    const later = await openPage(project);
    later.api.push({ type: "page", pageName: "manual" });

    expect(Object.keys(later.state.getVariationMap()).sort()).toStrictEqual(["4001", "4010", "4020", "4102"]);
    expect(given(await openPage(project))).toBe(variation);
    expect(stored()).toMatch(/-4020,50(20|21)\.[01]/);
  });

  test("a choice of the site counts from the next page view on", async () => {
    const variation = given(await openPage(project)) as string;

    const later = await openPage(project);
    bucket(later, other[variation]);
    later.api.push({ type: "activate" });

    expect(given(later)).toBe(other[variation]);
    expect(given(await openPage(project))).toBe(other[variation]);
  });

  test("a choice that another tab stored counts", async () => {
    const variation = given(await openPage(project)) as string;
    const later = await openPage(project);
    tamper((parts) => {
      parts[2] = parts[2].replace(variation + ".", other[variation] + ".");
      parts.length = 4;
    });

    window.dispatchEvent(new StorageEvent("storage", { key: KEY }));
    later.api.push({ type: "activate" });

    expect(given(later)).toBe(other[variation]);
  });

  test("all is stored again where the page has emptied its storage", async () => {
    const variation = given(await openPage(project)) as string;
    const { api } = await openPage(project);
    localStorage.clear();

    api.push({ type: "user", attributes: { plan: "gold" } });

    expect(stored()).toContain(`-4001,${variation}.`);
    expect(stored()).toContain("a7001,=gold");
  });

  test.each(["", "9", "7000", "-", "x,y", "\u0663"])("places that we did not write count for nothing: %s", async (places) => {
    const variation = given(await openPage(project));
    tamper((parts) => {
      parts[5] = places;
    });

    const later = await openPage(project);

    expect(later.state.getExperimentStates()["4001"].variation?.id).toBe(variation);
    expect(given(later)).toBe(variation);
  });

  test("an entry that is cut anywhere breaks nothing", async () => {
    await openPage(project);
    const whole = stored();
    for (let length = 0; length < whole.length; length += 3) {
      localStorage.setItem(KEY, whole.slice(0, length));

      expect(["5001", "5002"]).toContain((await openPage(project)).state.getExperimentStates()["4001"].variation?.id);
    }
  });
});
