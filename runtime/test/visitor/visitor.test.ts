/** Who the visitor is, what is remembered of them, and where. */

import { describe, expect, test, vi } from "vitest";
import type { PageConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, home, loyal, urlContains } from "../support/project";

const KEY = "experimentation:1000";
const project = { pages: [home], campaigns: [abTest()] };
const visitorId = ({ api }: Awaited<ReturnType<typeof openPage>>): string => api.get("visitor").visitorId;

const refuse = () => {
  throw new DOMException("refused", "SecurityError");
};

describe("the visitor's id", () => {
  test("is made once, and kept in a cookie", async () => {
    const id = visitorId(await openPage(project));

    expect(id).toMatch(/^[0-9a-z]{16,}$/);
    expect(document.cookie).toContain(`experimentation_id=${id}`);
    expect(visitorId(await openPage(project))).toBe(id);
  });

  test("is shared by the subdomains of the site", async () => {
    const id = visitorId(await openPage(project, { url: "https://www.shop.test/" }));
    localStorage.clear();

    expect(visitorId(await openPage(project, { url: "https://blog.shop.test/" }))).toBe(id);
  });

  test("is taken from a cookie that is already there", async () => {
    document.cookie = "experimentation_id=o%20ne; path=/";

    expect(visitorId(await openPage(project))).toBe("o ne");
  });

  test("is renewed on the site's domain where nothing says any more which that is", async () => {
    const here = { url: "https://www.shop.co.uk/" };
    const id = visitorId(await openPage(project, here));
    localStorage.clear();

    expect(visitorId(await openPage(project, here))).toBe(id);

    expect(localStorage.getItem(KEY)).toContain("domain,shop.co.uk");
    document.cookie = "experimentation_id=; path=/; max-age=0; domain=shop.co.uk";
  });

  test("survives the loss of the cookie by its mirror in storage", async () => {
    const id = visitorId(await openPage(project));
    document.cookie = "experimentation_id=; path=/; max-age=0; domain=shop.test";

    expect(visitorId(await openPage(project))).toBe(id);
    expect(document.cookie).toContain(id);
  });

  test("lasts for the page view where cookies and storage are refused", async () => {
    Object.defineProperty(document, "cookie", { get: refuse, set: refuse, configurable: true });
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(refuse);
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);

    const page = await openPage(project);

    expect(visitorId(page)).not.toBe("");
    expect(page.state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(page.state.getVariationMap()).toHaveProperty("4001");
  });

  test.each([
    ["query", "uid", "Jørgen"],
    ["cookie", "uid", "c,1"],
    ["local_storage", "uid", "from|storage"],
    ["javascript", "shop.user", "42"],
  ] as const)("comes from the project's %s", async (source, name, id) => {
    const named = { ...project, visitorIdSource: [source, name] as const };
    document.cookie = "uid=c%2C1; path=/";
    localStorage.setItem("uid", "from|storage");
    Reflect.set(window, "shop", { user: 42 });

    expect(visitorId(await openPage(named, { url: "https://www.shop.test/?uid=J%C3%B8rgen" }))).toBe(id);
    expect(visitorId(await openPage(named, { url: "https://www.shop.test/" }))).toBe(id);
  });

  test("is ours where the project's source has none", async () => {
    expect(visitorId(await openPage({ ...project, visitorIdSource: ["javascript", "no.such.thing"] }))).toMatch(/^\d+$/);
  });
});

describe("a cookie that the server renews", () => {
  const served = { ...project, isCookieRenewedByServer: 1 as const };

  test("is not written by the page, which would shorten its life", async () => {
    document.cookie = "experimentation_id=0123456789012345; path=/; domain=shop.test";
    const writes = vi.spyOn(document, "cookie", "set");

    expect(visitorId(await openPage(served))).toBe("0123456789012345");
    expect(writes).not.toHaveBeenCalled();
  });

  test("is written where the server gave none", async () => {
    const id = visitorId(await openPage(served));

    expect(document.cookie).toBe(`experimentation_id=${id}`);
  });

  test("gives way to the visitor's own entry when the server took them for a new visitor", async () => {
    const id = visitorId(await openPage(served));
    document.cookie = "experimentation_id=0123456789012345; path=/; domain=shop.test";

    expect(visitorId(await openPage(served))).toBe(id);
    expect(document.cookie).toBe(`experimentation_id=${id}`);
  });

  test("counts more than the entry where the server only renewed it", async () => {
    await openPage(served);
    document.cookie = "experimentation_id=123456789012345; path=/; domain=shop.test";

    expect(visitorId(await openPage(served))).toBe("123456789012345");
  });
});

describe("memory", () => {
  test("costs one read and one write at first, and no write on the next page view", async () => {
    const reads = vi.spyOn(Storage.prototype, "getItem");
    const writes = vi.spyOn(Storage.prototype, "setItem");

    await openPage(project);
    expect([reads.mock.calls.length, writes.mock.calls.length]).toStrictEqual([2, 1]);

    await openPage(project);
    expect([reads.mock.calls.length, writes.mock.calls.length]).toStrictEqual([3, 1]);
  });

  test("lets the variation once given win over new weights", async () => {
    await openPage({ ...project, campaigns: [abTest({ ends: [10000, 10000] })] });

    const { state } = await openPage({ ...project, campaigns: [abTest({ ends: [0, 10000] })] });

    expect(state.getVariationMap()["4001"].id).toBe("5001");
  });

  test("leaves a visitor unbucketed whose variation is gone, until it is back", async () => {
    const gone = abTest({ ends: [10000] });
    await openPage({ ...project, campaigns: [abTest({ ends: [0, 10000] })] });
    const without = [3001, "Hero text", 0, [[4001, 1, [5001, "Original"]]]] as const;

    const { state } = await openPage({ ...project, campaigns: [without] });
    expect(state.getCampaignStates()["3001"]).toMatchObject({ experiment: { id: "4001" }, variation: null, isActive: false });
    expect(state.getVariationMap()).toStrictEqual({ "4001": { id: "5002", name: null, index: 1 } });

    const again = await openPage({ ...project, campaigns: [gone] });
    expect(again.state.getCampaignStates()["3001"].variation).toStrictEqual({ id: "5002", name: "Short" });
  });

  test("does not hold on to holdback and audiences", async () => {
    const held = abTest({ holdback: 10000 });
    await openPage({ ...project, campaigns: [held] });

    const { state } = await openPage(project);
    expect(state.getExperimentStates()["4001"].isInExperimentHoldback).toBe(false);

    const guarded = { ...project, audiences: [loyal], campaigns: [abTest({ audiences: ["or", 0] })] };
    const outside = await openPage(guarded);
    expect(outside.state.getExperimentStates()["4001"]).toMatchObject({ variation: null, isActive: false });
    expect(outside.state.getVariationMap()).toHaveProperty("4001");
  });

  test("belongs to its visitor", async () => {
    await openPage({ ...project, campaigns: [abTest({ ends: [0, 10000] })] });
    document.cookie = "experimentation_id=another; path=/; domain=shop.test";

    const { state } = await openPage({ ...project, campaigns: [abTest({ ends: [10000, 10000] })] });

    expect(state.getVariationMap()["4001"].id).toBe("5001");
  });

  test("is tried again where the browser refused it, and what was stored before stays", async () => {
    await openPage(project);
    const before = localStorage.getItem(KEY);
    const writes = vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);

    const { api, state } = await openPage({ ...project, campaigns: [abTest(), abTest({ id: 3010 })] });
    api.push({ type: "activate" });
    expect(writes).toHaveBeenCalledTimes(2);
    expect(localStorage.getItem(KEY)).toBe(before);
    expect(Object.keys(state.getVariationMap())).toStrictEqual(["4001", "4010"]);

    writes.mockRestore();
    api.push({ type: "activate" });
    expect(localStorage.getItem(KEY)).toContain(",-4010,");
  });
});

describe("opting out", () => {
  test("by command forgets the visitor and lasts until it is taken back", async () => {
    const { api, state } = await openPage(project);
    api.push({ type: "optOut" });
    expect(state.getCampaignStates()).toStrictEqual({});
    expect(localStorage.getItem(KEY)).toBeNull();

    const out = await openPage(project);
    expect(out.state.getPageStates()).toStrictEqual({});
    expect(visitorId(out)).toBe("");
    expect(localStorage.getItem(KEY)).toBeNull();

    out.api.push({ type: "optOut", isOptOut: false });
    expect((await openPage(project)).state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });

  test("forgets them on other origins and in other projects too, once these see the mark or the one they are then", async () => {
    const entry = "2|ada|domain,shop.test,-4001,5002.1|";
    localStorage.setItem(KEY, entry);
    document.cookie = "experimentation_id=-; path=/; domain=shop.test";
    await openPage(project);
    expect(localStorage.getItem(KEY)).toBeNull();

    localStorage.setItem(KEY, entry);
    const id = visitorId(await openPage(project, { url: "https://www.shop.test/?experimentation_opt_out=false" }));
    expect(id).not.toBe("ada");

    localStorage.setItem(KEY, entry);
    expect(visitorId(await openPage(project))).toBe(id);
  });

  test("takes away what was forced in the tab", async () => {
    const { api } = await openPage(project, { url: "https://www.shop.test/?experimentation_x=5002" });
    api.push({ type: "optOut" });

    expect(sessionStorage).toHaveLength(0);
  });

  test("by address stores nothing but the mark", async () => {
    await openPage(project, { url: "https://www.shop.test/?experimentation_opt_out=true" });
    expect(document.cookie).toBe("experimentation_id=-");

    const back = await openPage(project, { url: "https://www.shop.test/?experimentation_opt_out=false" });
    expect(back.state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });
});

describe("forced variations", () => {
  const forced = { url: "https://www.shop.test/?experimentation_x=5002" };
  const guarded = { pages: [home], audiences: [loyal], campaigns: [abTest({ audiences: ["or", 0], holdback: 10000 }), abTest({ id: 3010 })] };

  test("pass over audience and holdback and leave other campaigns alone", async () => {
    const { state } = await openPage(guarded, forced);

    expect(state.getCampaignStates()["3001"]).toMatchObject({
      variation: { id: "5002" },
      isActive: true,
      isInCampaignHoldback: false,
    });
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001", "4010"]);
    expect(state.getVariationMap()["4001"]).toStrictEqual({ id: "5002", name: "Short", index: 1 });
  });

  test("last for the tab and are not remembered of the visitor", async () => {
    await openPage(guarded, forced);
    expect((await openPage(guarded)).state.getVariationMap()).toHaveProperty("4001");

    sessionStorage.clear();
    expect((await openPage(guarded)).state.getVariationMap()).not.toHaveProperty("4001");
  });

  test("end with an empty list", async () => {
    await openPage(guarded, forced);
    await openPage(guarded, { url: "https://www.shop.test/?experimentation_x=" });

    expect((await openPage(guarded)).state.getVariationMap()).not.toHaveProperty("4001");
  });

  test("are none beyond a comma at the end of the list", async () => {
    const outside = { ...guarded, audiences: [[6001, "Nobody", ["or", { type: "none" }]]] } as typeof guarded;
    await openPage(outside, { url: "https://www.shop.test/?experimentation_x=9," });

    const { state } = await openPage({ ...outside, pages: [] });

    expect(state.getCampaignStates(), "the decision without a variation was kept").toHaveProperty("3001");
  });
});

describe("forced audiences", () => {
  const url = "https://www.shop.test/?experimentation_x_audiences=6001";
  const guarded = { pages: [home], audiences: [loyal], campaigns: [abTest({ audiences: ["or", 0], ends: [0, 10000] })] };

  test("count as the visitor's, for the tab", async () => {
    const { state } = await openPage(guarded, { url });
    expect(state.getCampaignStates()["3001"]).toMatchObject({ isActive: true, audiences: [{ id: "6001", name: "Loyal" }] });

    expect((await openPage(guarded)).state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    sessionStorage.clear();
    expect((await openPage(guarded)).state.getActiveExperimentIds()).toStrictEqual([]);
  });

  test("show in the state of a forced variation", async () => {
    const { state } = await openPage(guarded, { url: url + "&experimentation_x=5001" });

    expect(state.getCampaignStates()["3001"]).toMatchObject({ variation: { id: "5001" }, audiences: [{ id: "6001" }] });
  });
});

describe("bucketVisitor", () => {
  const everybodyShort = { pages: [home], campaigns: [abTest({ ends: [0, 10000] })] };
  const inMap = ({ state }: Awaited<ReturnType<typeof openPage>>) => state.getVariationMap()["4001"];

  test.each([
    ["id", { experimentId: "4001", variationId: "5001" }],
    ["number", { experimentId: 4001, variationId: 5001 }],
    ["place", { experimentId: "4001", variationIndex: 0 }],
  ])("gives a variation by its %s at once when it waited for the snippet, and keeps it", async (_, command) => {
    const page = await openPage(everybodyShort, { before: [{ type: "bucketVisitor", ...command }] });

    expect(page.state.getCampaignStates()["3001"].variation).toStrictEqual({ id: "5001", name: "Original" });
    expect(inMap(page)).toStrictEqual({ id: "5001", name: "Original", index: 0 });
    expect(inMap(await openPage(everybodyShort))).toStrictEqual({ id: "5001", name: "Original", index: 0 });
  });

  test("waits for the next page view when the campaign is decided", async () => {
    const page = await openPage(everybodyShort);

    expect(page.api.push({ type: "bucketVisitor", experimentId: "4001", variationId: "5001" })).toBe(true);

    expect(page.state.getCampaignStates()["3001"].variation).toStrictEqual({ id: "5002", name: "Short" });
    expect(inMap(page).id).toBe("5002");
    expect(inMap(await openPage(everybodyShort)).id).toBe("5001");
  });

  test("gives nothing to a visitor who never came to a page of the campaign", async () => {
    const command = { type: "bucketVisitor", experimentId: "4001", variationId: "5001" };
    const cart: PageConfig = [2001, "cart", "Cart", urlContains("/cart")];
    const project = { ...everybodyShort, pages: [cart] };
    const page = await openPage(project, { before: [command] });
    page.api.push(command as never);

    for (const { state } of [page, await openPage(project)]) {
      expect(state.getCampaignStates()).toStrictEqual({});
      expect(state.getExperimentStates()).toStrictEqual({});
      expect(state.getDecisionString({ campaignId: "3001" })).toBe(null);
      expect(state.getVariationMap()).toStrictEqual({});
    }
    for (const url of ["https://www.shop.test/cart", "https://www.shop.test/"]) {
      expect(inMap(await openPage(project, { url }))).toStrictEqual({ id: "5001", name: "Original", index: 0 });
    }
  });

  test.each([
    ["experiment", { experimentId: "4999", variationId: "5001" }],
    ["variation", { experimentId: "4001", variationId: "5999" }],
    ["place", { experimentId: "4001", variationIndex: 2 }],
    ["variation at all", { experimentId: "4001" }],
    ["variation but null", { experimentId: "4001", variationId: null, variationIndex: null }],
  ])("changes nothing without such a %s", async (_, command) => {
    expect(inMap(await openPage(everybodyShort, { before: [{ type: "bucketVisitor", ...command }] })).id).toBe("5002");
  });
});

describe("the visitor's cookie", () => {
  test("is written on the shortest domain that the browser takes", async () => {
    const writes = vi.spyOn(document, "cookie", "set");

    await openPage(project, { url: "https://www.shop.co.uk/" });

    // First without a look, then with one at each, that one before all.
    expect(writes.mock.calls.map(([cookie]) => /domain=(.*)$/.exec(cookie)?.[1])).toStrictEqual(["co.uk", "co.uk", "co.uk", "shop.co.uk"]);
  });
});
