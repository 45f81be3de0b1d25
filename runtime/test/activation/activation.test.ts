/** When pages are active, and what depends on it. */

import { describe, expect, test, vi } from "vitest";
import type { PageConfig } from "../../src/config";
import { openPage } from "../support/openPage";
import { abTest, everywhere, home, manualPage, urlContains } from "../support/project";

const page = (activation: string, code?: PageConfig[8]): PageConfig => [2001, "page", "Page", everywhere, 0, 0, 0, activation, code ?? 0];

describe("a manual page", () => {
  const project = { pages: [manualPage], campaigns: [abTest()] };

  test("is activated by its command only, with tags", async () => {
    const { api, state } = await openPage(project);
    expect(state.getCampaignStates()).toStrictEqual({});

    expect(api.push({ type: "page", pageName: "manual", tags: { kind: "x" } })).toBe(true);

    expect(state.getPageStates()["2002"]).toMatchObject({ isActive: true, metadata: { kind: "x" } });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });

  test("is deactivated by its command, and its campaign with it", async () => {
    const { api, state } = await openPage(project);
    api.push({ type: "page", pageName: "manual", tags: { kind: "x" } });

    api.push({ type: "page", pageName: "manual", isActive: false });

    expect(state.getPageStates()["2002"]).toMatchObject({ isActive: false, metadata: {} });
    expect(state.getCampaignStates()["3001"].isActive).toBe(false);
    expect(state.getActiveExperimentIds()).toStrictEqual([]);
  });

  test("may be activated by a command that waits for the snippet", async () => {
    const { state } = await openPage(project, { before: [{ type: "page", pageName: "manual" }] });

    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });

  test("is not activated where its conditions do not hold", async () => {
    const elsewhere: PageConfig = [2002, "manual", "Manual", urlContains("/other"), 0, 0, 0, "manual"];
    const { api, state } = await openPage({ pages: [elsewhere] });

    api.push({ type: "page", pageName: "manual" });

    expect(state.getPageStates()["2002"].isActive).toBe(false);
  });

  test("is off again after the next activation", async () => {
    const { api, state } = await openPage(project);
    api.push({ type: "page", pageName: "manual" });
    const before = state.getActivationId();

    api.push({ type: "activate" });

    expect(state.getPageStates()["2002"].isActive).toBe(false);
    expect(state.getCampaignStates()["3001"].isActive).toBe(false);
    expect(Number(state.getActivationId())).toBeGreaterThan(Number(before));
  });
});

test("a polled page is active once its code says so, and stays so", async () => {
  vi.useFakeTimers();
  let isReady = false;
  const { state } = await openPage({ pages: [page("polling", () => isReady)], campaigns: [abTest()] });
  vi.advanceTimersByTime(500);
  expect(state.getActiveExperimentIds()).toStrictEqual([]);

  isReady = true;
  vi.advanceTimersByTime(50);
  isReady = false;
  vi.advanceTimersByTime(500);

  expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a polled page whose code says so at once is active when the snippet is done", async () => {
  const { state } = await openPage({ pages: [page("polling", () => 1)] });

  expect(state.getPageStates()["2001"].isActive).toBe(true);
});

test("a callback page is activated and deactivated by its code, which runs once", async () => {
  let activate: (options?: { isActive?: boolean }) => void = () => undefined;
  const code = vi.fn((given: typeof activate) => (activate = given));
  const { api, state } = await openPage({ pages: [page("callback", code)] });
  const isActive = () => state.getPageStates()["2001"].isActive;
  expect(isActive()).toBe(false);

  activate();
  expect(isActive()).toBe(true);
  activate({ isActive: false });
  expect(isActive()).toBe(false);

  api.push({ type: "activate" });
  activate();
  expect(isActive()).toBe(true);
  expect(code).toHaveBeenCalledTimes(1);
});

test("a campaign is active as long as one of its pages is", async () => {
  const { api, state } = await openPage({ pages: [home, manualPage], campaigns: [abTest({ pages: [0, 1] })] });
  api.push({ type: "page", pageName: "manual" });

  api.push({ type: "page", pageName: "home", isActive: false });
  expect(state.getCampaignStates()["3001"].isActive).toBe(true);

  api.push({ type: "page", pageName: "manual", isActive: false });
  expect(state.getCampaignStates()["3001"].isActive).toBe(false);
});

test("tags for all pages stand between a page's own metadata and what is pushed for it", async () => {
  const tagged: PageConfig = [2001, "home", "Home", everywhere, 0, 0, { a: 1, b: 1, c: 1 }];
  const { api, state } = await openPage({ pages: [tagged] });

  api.push({ type: "tags", tags: { b: 2, c: 2 } });
  api.push({ type: "page", pageName: "home", tags: { c: 3 } });

  expect(state.getPageStates()["2001"].metadata).toStrictEqual({ a: 1, b: 2, c: 3 });
});
