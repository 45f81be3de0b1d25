/** Redirects: the way out, the landing, and where they end. */

import { describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { CampaignConfig, ChangeConfig, PageConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, loyal, manualPage, urlContains } from "../support/project";

const SHOP = "https://www.shop.test";
const mug: PageConfig = [2001, "mug", "Mug", urlContains("/mug")];
const story: PageConfig = [2002, "story", "Story", urlContains("/story")];

const redirectTo = (to: string | (() => unknown), flags = 0): ChangeConfig => [ChangeKind.Redirect, 0, to, flags];

const redirectTest = (change: ChangeConfig, settings: Parameters<typeof abTest>[0] = {}): CampaignConfig =>
  abTest({ ends: [0, 10000], changes: [0, [change]], ...settings });

const project = { pages: [mug, story], campaigns: [redirectTest(redirectTo("story"))] };

describe("a redirect", () => {
  test.each([
    ["a relative address", "story?x=1", 0, "/mug?y=2", `${SHOP}/story?x=1`],
    ["an address that code gives", () => "/story", 0, "/mug", `${SHOP}/story`],
    ["the page's parameters by their names, however these are written", "story?a b=1", 1, "/mug?a%20b=2", `${SHOP}/story?a%20b=1`],
    ["the page's parameters, too", "/story?x=1", 1, "/mug?y=%20&x=2&y=3", `${SHOP}/story?x=1&y=%20&y=3`],
  ])("leads to %s", async (_, destination, flags, from, to) => {
    const { left } = await openPage({ ...project, campaigns: [redirectTest(redirectTo(destination, flags))] }, { url: SHOP + from });

    expect(left).toStrictEqual([to]);
  });

  test.each([
    ["the page itself", "/mug"],
    ["another part of the page itself, which the browser goes to", "/mug#top"],
    ["the page itself without its fragment", "#"],
    ["a script", "javascript:alert(1)"],
    ["nowhere", "https://["],
  ])("does not lead to %s", async (_, destination) => {
    vi.spyOn(console, "warn").mockReturnValue();

    const { left } = await openPage({ ...project, campaigns: [redirectTest(redirectTo(destination))] }, { url: `${SHOP}/mug` });

    expect(left).toStrictEqual([]);
  });

  test("is not followed by a visitor who is held back", async () => {
    const campaigns = [redirectTest(redirectTo("/story"), { holdback: 10000 })];

    expect((await openPage({ ...project, campaigns }, { url: `${SHOP}/mug` })).left).toStrictEqual([]);
  });

  test("leaves other changes aside", async () => {
    const code = vi.fn();
    const campaigns = [redirectTest(redirectTo("/story")), abTest({ id: 3010, shared: [[ChangeKind.Javascript, 0, code]] })];

    await openPage({ ...project, campaigns }, { url: `${SHOP}/mug` });

    expect(code).not.toHaveBeenCalled();
  });

  test("is announced before the page is left", async () => {
    const handler = vi.fn();
    const before = [{ type: "addListener", filter: { name: "campaignDecided" }, handler }];

    await openPage(project, { url: `${SHOP}/mug`, before });

    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe("the landing page", () => {
  const land = async () => {
    await openPage(project, { url: `${SHOP}/mug`, referrer: "https://partner.test/a?b=c|d:e" });
    return openPage(project, { url: `${SHOP}/story`, referrer: `${SHOP}/mug` });
  };

  test("knows the redirect and the original referrer", async () => {
    const { state } = await land();

    expect(state.getRedirectInfo()).toStrictEqual({
      experimentId: "4001",
      variationId: "5002",
      referrer: "https://partner.test/a?b=c|d:e",
    });
    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: true, visitorRedirected: true, variation: { id: "5002" } });
    expect(state.getExperimentStates()["4001"]).toMatchObject({ isActive: true, visitorRedirected: true });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(state.getVariationMap()).toHaveProperty("4001.id", "5002");
    expect(state.getPageStates()["2001"].isActive).toBe(false);
    expect(state.getDecisionString({ campaignId: "3001" })).toBe("Hero text(4001):Short(5002)");
  });

  test("is one page view: the next knows nothing of it", async () => {
    await land();

    const { state } = await openPage(project, { url: `${SHOP}/story` });

    expect(state.getRedirectInfo()).toBeNull();
    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: false, visitorRedirected: false });
    expect(state.getActiveExperimentIds()).toStrictEqual([]);
  });

  test("stays the landing page when it is activated anew", async () => {
    const { api, state } = await land();

    api.push({ type: "activate" });

    expect(state.getRedirectInfo()).not.toBeNull();
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });

  test("of another origin is told by its address, which is cleaned at once", async () => {
    const far = { ...project, campaigns: [redirectTest(redirectTo("https://www.far.test/story?x=1#top"))] };
    const { left } = await openPage(far, { url: `${SHOP}/mug`, referrer: "https://partner.test/" });
    localStorage.clear();

    const { state } = await openPage(far, { url: left[0] });

    expect(location.href).toBe("https://www.far.test/story?x=1#top");
    expect(state.getRedirectInfo()).toStrictEqual({ experimentId: "4001", variationId: "5002", referrer: "https://partner.test/" });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(state.getVariationMap()).toHaveProperty("4001.id", "5002");
  });

  test("of another origin tells the beginning of a long referrer: servers take addresses of 8 kB", async () => {
    const far = { ...project, campaigns: [redirectTest(redirectTo("https://www.far.test/story"))] };
    const referrer = "https://partner.test/" + "%C3%A4".repeat(680);
    const { left } = await openPage(far, { url: `${SHOP}/mug`, referrer });
    expect(left[0].length).toBeLessThan(4000);
    localStorage.clear();

    const { state } = await openPage(far, { url: left[0] });

    expect(state.getRedirectInfo()?.referrer).toBe(referrer.slice(0, 500));
  });

  test("is told by its address in a page that is prerendered: what its tab keeps is gone once the visitor opens it", async () => {
    const circle = { pages: [mug, story], campaigns: [redirectTest(redirectTo("/story")), redirectTest(redirectTo("/mug"), { id: 3010, pages: [1] })] };
    Reflect.set(document, "prerendering", true);

    const { left } = await openPage(circle, { url: `${SHOP}/mug` });
    sessionStorage.clear();
    const landed = await openPage(circle, { url: left[0] });
    Reflect.deleteProperty(document, "prerendering");

    expect(landed.state.getRedirectInfo()).toMatchObject({ experimentId: "4001" });
    expect(landed.left, "no unseen loop").toStrictEqual([]);
    expect(location.href).toBe(`${SHOP}/story`);
  });

  test("is told by its address where the browser takes no cookies", async () => {
    vi.spyOn(document, "cookie", "set").mockReturnValue();

    const { left } = await openPage(project, { url: `${SHOP}/mug` });
    expect(left[0]).toContain("experimentation_redirect=");
    const { state } = await openPage(project, { url: left[0] });

    expect(location.href).toBe(`${SHOP}/story`);
    expect(state.getRedirectInfo()).not.toBeNull();
  });

  test("is found by its own tab, whatever another tab opens meanwhile", async () => {
    await openPage(project, { url: `${SHOP}/mug` });
    const note = sessionStorage.getItem("experimentation_redirect") ?? "";
    sessionStorage.clear();
    const other = await openPage(project, { url: `${SHOP}/story`, referrer: `${SHOP}/mug` });
    expect(other.state.getRedirectInfo()).toBeNull();
    sessionStorage.setItem("experimentation_redirect", note);

    expect((await openPage(project, { url: `${SHOP}/story`, referrer: `${SHOP}/mug` })).state.getRedirectInfo()).not.toBeNull();
  });

  test("knows the redirect of another project, too", async () => {
    await openPage(project, { url: `${SHOP}/mug`, referrer: "https://partner.test/" });

    const { state } = await openPage({ projectId: "2000", pages: [story], campaigns: [abTest({ id: 9001 })] }, { url: `${SHOP}/story` });

    expect(state.getRedirectInfo()).toStrictEqual({ experimentId: "4001", variationId: "5002", referrer: "https://partner.test/" });
    expect(state.getActiveExperimentIds()).toStrictEqual(["10001"]);
    expect(state.getVariationMap()).not.toHaveProperty("4001");
    expect(state.getDecisionString({ campaignId: "3001" })).toBeNull();
  });

  test("may be one that the destination itself leads on to", async () => {
    await openPage(project, { url: `${SHOP}/mug` });

    const { state } = await openPage(project, { url: `${SHOP}/sign-in`, referrer: `${SHOP}/mug` });

    expect(state.getRedirectInfo()).not.toBeNull();
  });

  test("without a snippet leaves nothing to the page that comes after it", async () => {
    await openPage(project, { url: `${SHOP}/mug` });

    const { state } = await openPage(project, { url: `${SHOP}/basket`, referrer: `${SHOP}/story` });

    expect(state.getRedirectInfo()).toBeNull();
    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: false, visitorRedirected: false });
  });

  test("that is one of the campaign's pages keeps the redirect's decision where the audience holds no more", async () => {
    const campaigns = [redirectTest(redirectTo("/story"), { pages: [0, 1], audiences: ["or", 0] })];
    await openPage({ ...project, audiences: [loyal], campaigns }, { url: `${SHOP}/mug?loyal=1` });

    const { state } = await openPage({ ...project, audiences: [loyal], campaigns }, { url: `${SHOP}/story` });

    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: true, visitorRedirected: true, variation: { id: "5002" } });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });

  test("is cleaned of the note for a visitor who opted out, too", async () => {
    const { state } = await openPage(project, { url: `${SHOP}/story?experimentation_redirect=4001:5002:1::5002&experimentation_disable=true` });

    expect(location.search).toBe("?experimentation_disable=true");
    expect(state.getRedirectInfo()).toBeNull();
  });

  test("does not believe an address that is no note", async () => {
    const { state } = await openPage(project, { url: `${SHOP}/story?experimentation_redirect=x&a=1` });

    expect(location.search).toBe("?a=1");
    expect(state.getRedirectInfo()).toBeNull();
  });

  test("of a redirect that is gone from the project still has its info", async () => {
    await openPage(project, { url: `${SHOP}/mug` });

    const { state } = await openPage({ pages: [mug] }, { url: `${SHOP}/story` });

    expect(state.getRedirectInfo()).toMatchObject({ experimentId: "4001" });
    expect(state.getActiveExperimentIds()).toStrictEqual([]);
    expect(state.getDecisionString({ campaignId: "3001" })).toBeNull();
    expect(state.getVariationMap()).toStrictEqual({ "4001": { id: "5002", name: null, index: 1 } });
  });
});

test.each([
  ["the page", `${SHOP}/mug`],
  ["its origin", `${SHOP}/`],
  ["nothing", ""],
])("a redirect to a page whose server sends the visitor back stops there, where the referrer tells %s", async (_, referrer) => {
  const { left } = await openPage(project, { url: `${SHOP}/mug` });
  expect(left).toStrictEqual([`${SHOP}/story`]);

  expect((await openPage(project, { url: `${SHOP}/mug`, referrer })).left).toStrictEqual([]);
});

test.each([`${SHOP}/basket`, "https://shop.test/"])("who comes to the page again by a link of %s is redirected again", async (referrer) => {
  await openPage(project, { url: `${SHOP}/mug` });

  expect((await openPage(project, { url: `${SHOP}/mug`, referrer })).left).toStrictEqual([`${SHOP}/story`]);
});

describe("while a page is being left", () => {
  const title: ChangeConfig = [ChangeKind.Text, "h1", "New"];
  const busy = { ...project, pages: [mug, story, manualPage], campaigns: [redirectTest(redirectTo("/story")), abTest({ id: 3010, shared: [title], pages: 0 })] };

  test("the navigation is not started again, however often pages turn active", async () => {
    const { api, left } = await openPage(busy, { url: `${SHOP}/mug` });
    for (const isActive of [true, false, true]) {
      api.push({ type: "page", pageName: "manual", isActive });
    }
    api.push({ type: "activate" });

    expect(left).toStrictEqual([`${SHOP}/story`]);
    expect(document.querySelector("h1")?.textContent).toBe("Hello");
  });

  test("an app that goes on to another address gets its changes there", async () => {
    const campaigns = [redirectTest(redirectTo("/story")), abTest({ id: 3010, shared: [title], pages: 2 })];
    const { api } = await openPage({ ...busy, campaigns }, { url: `${SHOP}/mug` });

    history.pushState(null, "", "/basket");
    api.push({ type: "activate" });
    api.push({ type: "page", pageName: "manual" });

    expect(document.querySelector("h1")?.textContent).toBe("New");
  });
});

test("it stops there, too, where pages do not tell where visitors come from", async () => {
  await openPage(project, { url: `${SHOP}/mug` });

  expect((await openPage(project, { url: `${SHOP}/mug` })).left).toStrictEqual([]);
});

describe("a chain of redirects", () => {
  const second = (flags: number) => redirectTest(redirectTo("/mug", flags), { id: 3010, pages: 1 });

  test("ends at the first landing page by default", async () => {
    const both = { ...project, campaigns: [redirectTest(redirectTo("/story")), second(0)] };
    await openPage(both, { url: `${SHOP}/mug` });

    expect((await openPage(both, { url: `${SHOP}/story` })).left).toStrictEqual([]);
  });

  test("goes on where that is allowed, keeps the first referrer, and is no loop", async () => {
    const both = { ...project, campaigns: [redirectTest(redirectTo("/story", 2)), second(2)] };
    await openPage(both, { url: `${SHOP}/mug`, referrer: "https://partner.test/" });
    const middle = await openPage(both, { url: `${SHOP}/story`, referrer: `${SHOP}/mug` });
    expect(middle.left).toStrictEqual([`${SHOP}/mug`]);

    const last = await openPage(both, { url: `${SHOP}/mug`, referrer: `${SHOP}/story` });

    expect(last.left).toStrictEqual([]);
    expect(last.state.getRedirectInfo()).toStrictEqual({ experimentId: "4010", variationId: "5011", referrer: "https://partner.test/" });
  });
});

describe("a redirect to another part of its page", () => {
  const parts = (to: string, flags = 0) => ({ ...project, campaigns: [redirectTest(redirectTo(to, flags))] });

  test("is followed where the page is, and told", async () => {
    const { left, state } = await openPage(parts("/mug#top"), { url: `${SHOP}/mug`, referrer: "https://partner.test/" });

    expect(left).toStrictEqual([]);
    expect(location.href).toBe(`${SHOP}/mug#top`);
    expect(state.getRedirectInfo()).toStrictEqual({ experimentId: "4001", variationId: "5002", referrer: "https://partner.test/" });
    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: true, visitorRedirected: true });
  });

  test.each([0, 2])("is followed once, however often the page is activated (flags %s)", async (flags) => {
    const { api } = await openPage(parts("/mug#top", flags), { url: `${SHOP}/mug` });

    location.hash = "#elsewhere";
    api.push({ type: "activate" });

    expect(location.hash).toBe("#elsewhere");
  });

  test("is none where the visitor is there", async () => {
    const { state } = await openPage(parts("/mug#top"), { url: `${SHOP}/mug#top` });

    expect(state.getRedirectInfo()).toBeNull();
  });
});
