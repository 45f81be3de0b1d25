/** When pages are active, and what depends on it. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig, PageConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, everywhere, home, loyal, manualPage, urlContains } from "../support/project";

afterEach(() => void vi.unstubAllGlobals());

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

describe("in a single-page app", () => {
  const at = (path: string, activation: string, deactivation = 0, id = 2001): PageConfig => {
    return [id, path.slice(1), "Page", urlContains(`shop.test${path}`), 0, 0, 0, activation, 0, deactivation];
  };
  const go = async (to: string) => {
    history.pushState(null, "", to);
    await Promise.resolve();
  };

  test("a page that follows the address turns active with it, and its campaign is decided", async () => {
    const { state } = await openPage({ pages: [at("/cart", "url_changed")], campaigns: [abTest()] });
    expect(state.getCampaignStates()).toStrictEqual({});

    await go("/cart");

    expect(state.getPageStates()["2001"].isActive).toBe(true);
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });

  test("nothing is asked before the call that changes the address has returned", async () => {
    const { state } = await openPage({ pages: [at("/cart", "url_changed")] });

    history.replaceState(null, "", "/cart");
    expect(state.getPageStates()["2001"].isActive).toBe(false);

    await Promise.resolve();
    expect(state.getPageStates()["2001"].isActive).toBe(true);
  });

  test("other pages do not turn active", async () => {
    const { state } = await openPage({ pages: [at("/cart", "immediate", 1), at("/cart", "manual", 1, 2002)] });

    await go("/cart");

    expect(Object.values(state.getPageStates({ isActive: true }))).toStrictEqual([]);
  });

  test.each(["url_changed", "immediate"])("a page (%s) that is to end with its conditions ends, its campaign inactive but known", async (activation) => {
    const ended = vi.fn();
    const { api, state } = await openPage({ pages: [at("/start", activation, 1)], campaigns: [abTest()] }, { url: "https://www.shop.test/start" });
    api.push({ type: "addListener", filter: { name: "pageDeactivated" }, handler: ended });
    const before = state.getCampaignStates()["3001"];
    expect(before.isActive).toBe(true);

    await go("/cart");

    expect(state.getPageStates()["2001"]).toMatchObject({ isActive: false, metadata: {} });
    expect(state.getCampaignStates()["3001"]).toStrictEqual({ ...before, isActive: false });
    expect(state.getActiveExperimentIds()).toStrictEqual([]);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  test("a page that is not to end stays active", async () => {
    const { state } = await openPage({ pages: [at("/start", "url_changed")] }, { url: "https://www.shop.test/start" });

    await go("/cart");

    expect(state.getPageStates()["2001"].isActive).toBe(true);
  });

  test("a campaign that is reached again is decided for the visitor as they are then", async () => {
    const guarded = { audiences: [loyal], campaigns: [abTest({ audiences: ["or", 0] })] };
    const { state } = await openPage({ pages: [at("/start", "url_changed", 1)], ...guarded }, { url: "https://www.shop.test/start?loyal=1" });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);

    await go("/cart");
    await go("/start");

    expect(state.getPageStates()["2001"].isActive).toBe(true);
    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: false, variation: null, audiences: [] });
  });

  test("a step back, another fragment and a replaced address count as well", async () => {
    const { state } = await openPage({ pages: [at("/#deep", "url_changed", 1)] });
    const isActive = () => state.getPageStates()["2001"].isActive;

    location.hash = "deep";
    await vi.waitFor(() => expect(isActive()).toBe(true));

    history.back();
    await vi.waitFor(() => expect(isActive()).toBe(false));
  });

  test.each([
    ["something of its own under the name of the browser's", { items: [] }],
    ["no origin, so that the browser tells it nothing", Object.assign(new EventTarget(), { currentEntry: null })],
  ])("the address is followed in a page with %s", async (_, navigation) => {
    vi.stubGlobal("navigation", navigation);
    const { state } = await openPage({ pages: [at("/cart", "url_changed")] });

    await go("/cart");

    expect(state.getPageStates()["2001"].isActive).toBe(true);
  });

  test("a page's own `history` is left alone", async () => {
    const own = ["a step"];
    vi.stubGlobal("history", own);

    await openPage({ pages: [at("/cart", "url_changed")] });

    expect(Object.keys(own)).toStrictEqual(["0"]);
  });

  test("an address that a listener of the activation moves on is followed", async () => {
    const handler = () => history.replaceState(null, "", "/cart");
    const before = [{ type: "addListener", filter: { name: "activated" }, handler }];

    const { state } = await openPage({ pages: [at("/cart", "url_changed"), at("/start", "immediate", 1, 2002)] }, { url: "https://www.shop.test/start", before });

    expect(Object.values(state.getPageStates({ isActive: true })).map(({ id }) => id)).toStrictEqual(["2001"]);
  });

  test("a page that follows the document sees what depends on another", async () => {
    const has = (selector: string): PageConfig[3] => [{ type: "custom_code", value: "", code: () => !!document.querySelector(selector) }];
    const pages: PageConfig[] = [
      [2001, "cart", 0, has(".cart"), 0, 0, 0, "dom_changed"],
      [2002, "offer", 0, has(".offer"), 0, 0, 0, "dom_changed"],
    ];
    const change: ChangeConfig = [ChangeKind.Insert, ".cart", "<p class=offer></p>", "after"];
    const { state } = await openPage({ pages, campaigns: [everybodyGets(change)] });

    document.body.innerHTML = "<p class=cart></p>";
    await frame();
    await frame();

    expect(state.getPageStates()["2002"].isActive).toBe(true);
  });

  test("a page whose campaign takes away what the page's code looks for is left alone after ten endings within a second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const log = vi.spyOn(console, "warn").mockReturnValue();
    const conditions = [{ type: "custom_code", value: "", code: () => !document.querySelector(".cart") }];
    const pages: PageConfig[] = [[2001, "cart", 0, conditions, 0, 0, 0, "dom_changed", 0, 3]];
    const ended = vi.fn();
    const before = [{ type: "addListener", filter: { name: "pageDeactivated" }, handler: ended }];

    const { state } = await openPage({ pages, campaigns: [everybodyGets([ChangeKind.Class, "p", "cart"])] }, { before, body: "<p>" });
    for (let frames = 0; frames < 30; frames++) await frame();

    expect(ended).toHaveBeenCalledTimes(10);
    expect(state.getPageStates()["2001"].isActive).toBe(true);
    expect(document.querySelector("p")?.className).toBe("cart");
    expect(log).toHaveBeenCalledExactlyOnceWith("experimentation:", "gave up", "cart");
  });

  test("a page that follows the document turns active when its code says so, and ends with it", async () => {
    const conditions = [{ type: "custom_code", value: "", code: () => !!document.querySelector(".cart") }];
    const { state } = await openPage({ pages: [[2001, "cart", 0, conditions, 0, 0, 0, "dom_changed", 0, 1]] });
    expect(state.getPageStates()["2001"].isActive).toBe(false);

    document.body.innerHTML = "<p class=cart></p>";
    await frame();
    expect(state.getPageStates()["2001"].isActive).toBe(true);

    document.body.innerHTML = "";
    await frame();
    expect(state.getPageStates()["2001"].isActive).toBe(false);
  });
});
