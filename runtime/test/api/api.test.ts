/** The global object, its queue, its commands and its events. */

import { describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig } from "../../src/project/config";
import type { Command, LifecycleEvent } from "../../types/index";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home, loyal, manualPage, personalization } from "../support/project";

const project = { pages: [home], campaigns: [abTest({ ends: [0, 10000] })] };

/** The commands that come before all others are found by their first letters: one more of these letters has to be one of them. */
type First = Extract<Command["type"], `${"a" | "c" | "d" | "o"}${string}`>;
const first = ["activate", "addListener", "consent", "cookieDomain", "disable", "optOut"] as const satisfies readonly First[];
const areAll: First extends (typeof first)[number] ? true : false = true;

test("the commands that come first have their letters for themselves", () => {
  expect(areAll && first.every((name) => /^[acdo]/.test(name))).toBe(true);
});

describe("the global", () => {
  test("replaces whatever was there, but for an API", async () => {
    const field = document.createElement("input");
    const { api } = await openPage(project, { before: Object.assign(document.createElement("form"), { get: field, push: field }) });
    expect(typeof api.get).toBe("function");

    const first = { get: () => "first", push: () => true };
    const { api: kept } = await openPage(project, { before: first });
    expect(kept).toBe(first);
  });

  test("has the same object under its aliases, and drains the arrays there", async () => {
    const handler = vi.fn();
    Reflect.set(window, "optimizely", [{ type: "addListener", handler }]);

    const { api } = await openPage({ ...project, globalAliases: ["optimizely"] });

    expect(Reflect.get(window, "optimizely")).toBe(api);
    expect(handler).toHaveBeenCalled();
    Reflect.deleteProperty(window, "optimizely");
  });

  test("gives nothing for an unknown name", async () => {
    const { api } = await openPage(project);

    expect(api.get("nope")).toBeUndefined();
  });

  test("works when its functions are detached", async () => {
    const { get, push } = (await openPage(project)).api;

    expect(push({ type: "activate" })).toBe(true);
    expect(get("state").getActiveExperimentIds()).toStrictEqual(["4001"]);
  });
});

describe("push", () => {
  test.each([
    "activate",
    "page",
    "tags",
    "user",
    "bucketVisitor",
    "event",
    "holdEvents",
    "sendEvents",
    "addListener",
    "removeListener",
    "disable",
    "optOut",
  ])("knows %s", async (type) => {
    const { api } = await openPage(project);

    expect(api.push({ type } as never)).toBe(true);
  });

  test.each([[undefined], [null], ["activate"], [["activate"]], [{ type: "nope" }], [{}], [42]])("does not know %j", async (command) => {
    const { api } = await openPage(project);

    expect(api.push(command as never)).toBe(false);
  });

  test("logs what goes wrong and does not throw", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const { api } = await openPage(project);
    const broken = {
      type: "tags" as const,
      get tags(): never {
        throw new Error("mine");
      },
    };

    expect(api.push(broken)).toBe(true);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe("events", () => {
  const listen = async (configured: Parameters<typeof openPage>[0]) => {
    const events: LifecycleEvent[] = [];
    const handler = (event: LifecycleEvent) => void events.push(event);
    const page = await openPage(configured, { before: [{ type: "tags", tags: {} }, { type: "addListener", filter: { type: "lifecycle" }, handler }] });
    return { ...page, events };
  };

  test("tell of one activation where the page asked for one before the snippet ran", async () => {
    const names: string[] = [];
    const listener = { type: "addListener", handler: ({ name }: LifecycleEvent) => void names.push(name) };

    await openPage({ pages: [home], campaigns: [] }, { before: [{ type: "activate" }, listener] });

    expect(names).toStrictEqual(["initialized", "pageActivated", "activated"]);
  });

  test("come in order, also for visitors who are held back or in nothing", async () => {
    const campaigns = [
      abTest({ ends: [0, 10000] }),
      abTest({ id: 3010, ends: [0, 10000], holdback: 10000 }),
      abTest({ id: 3020, audiences: ["or", 0] }),
      personalization({ priorities: [[1]] }),
    ];

    const { events } = await listen({ pages: [home, manualPage], audiences: [loyal], campaigns });

    expect(events.map(({ name }) => name)).toStrictEqual([
      "initialized",
      "pageActivated",
      "campaignDecided",
      "campaignDecided",
      "campaignDecided",
      "campaignDecided",
      "activated",
    ]);
    expect(events.map((event) => event.name === "campaignDecided" && event.data.decision).filter((decision) => decision)).toStrictEqual([
      { campaignId: "3001", experimentId: "4001", variationId: "5002", isCampaignHoldback: false },
      { campaignId: "3010", experimentId: "4010", variationId: "5011", isCampaignHoldback: true },
      { campaignId: "3020", experimentId: null, variationId: null, isCampaignHoldback: false },
      { campaignId: "3101", experimentId: "4102", variationId: "5102", isCampaignHoldback: false },
    ]);
  });

  test("carry the page and the campaign", async () => {
    const { events, state } = await listen(project);

    expect(events[1]).toStrictEqual({ type: "lifecycle", name: "pageActivated", data: { page: state.getPageStates()["2001"] } });
    expect(events[2]).toMatchObject({ type: "lifecycle", data: { campaign: { id: "3001", name: "Hero text" }, audiences: [] } });
    expect(events[3]).toMatchObject({ data: { activationId: state.getActivationId() } });
  });

  test("find the state as they say it is", async () => {
    const seen: string[][] = [];
    const handler = () => void seen.push(window.experimentation.get("state").getActiveExperimentIds());

    await openPage(project, { before: [{ type: "addListener", filter: { name: "campaignDecided" }, handler }] });

    expect(seen).toStrictEqual([["4001"]]);
  });

  test("reach the other listeners when one throws", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const other = vi.fn();
    const fail = () => {
      throw new Error("mine");
    };

    await openPage(project, { before: [fail, other].map((handler) => ({ type: "addListener", handler })) });

    expect(other.mock.calls.map(([event]) => (event as LifecycleEvent).name).filter((name) => name !== "failed")).toStrictEqual([
      "initialized",
      "pageActivated",
      "campaignDecided",
      "activated",
    ]);
  });

  test("tell what failed, and no end of it when that handler fails, too", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const failures: unknown[] = [];
    const handler = ({ data }: LifecycleEvent) => {
      failures.push(data);
      throw new Error("handler");
    };
    const mine = new Error("mine");
    const code = () => {
      throw mine;
    };

    await openPage(
      { pages: [home], campaigns: [everybodyGets([ChangeKind.Javascript, 0, code], [ChangeKind.Text, ":::", "x"])] },
      { before: [{ type: "addListener", filter: { name: "failed" }, handler }] },
    );

    expect(failures).toStrictEqual([{ error: mine }, { error: expect.any(DOMException) as unknown }]);
  });

  test("go on for a listener without a token when one without a token is to be removed", async () => {
    const handler = vi.fn();
    const { api } = await openPage(project);
    api.push({ type: "addListener", filter: { name: "activated" }, handler });

    api.push({ type: "removeListener" } as never);
    api.push({ type: "activate" });

    expect(handler).toHaveBeenCalledTimes(1);
  });

  test("may ask for another activation, but not for ever", async () => {
    const handler = vi.fn(() => void api.push({ type: "activate" }));
    const { api, state } = await openPage({ pages: [home], campaigns: [abTest()] });
    api.push({ type: "addListener", filter: { name: "activated" }, handler });

    api.push({ type: "activate" });

    expect(handler).toHaveBeenCalledTimes(3);
    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });

  test("stop when the listener is removed", async () => {
    const handler = vi.fn();
    const { api } = await openPage(project);
    api.push({ type: "addListener", filter: { name: "activated" }, handler, token: "mine" });
    api.push({ type: "activate" });

    api.push({ type: "removeListener", token: "mine" });
    api.push({ type: "activate" });

    expect(handler).toHaveBeenCalledTimes(1);
  });
});

test("a campaign whose changes are in force is told of once, when the page shows them", async () => {
  const seen: unknown[] = [];
  const handler = (event: LifecycleEvent) => void seen.push([event.name, event.data, document.querySelector("h1")?.textContent]);
  const change: ChangeConfig = [ChangeKind.Text, "h1", "New"];
  const held = abTest({ id: 3010, ends: [0, 10000], holdback: 10000, changes: [0, [change]] });
  const campaigns = [everybodyGets(change), held, abTest({ id: 3020 })];

  const { api } = await openPage(
    { ...project, pages: [home, manualPage], campaigns },
    { before: [{ type: "addListener", filter: { type: "action" }, handler }] },
  );
  api.push({ type: "page", pageName: "manual" });

  const decision = { campaignId: "3001", experimentId: "4001", variationId: "5002", isCampaignHoldback: false };
  expect(seen).toStrictEqual([["applied", { campaign: { id: "3001", name: "Hero text" }, decision, audiences: [] }, "New"]]);
});

test("the site's own events reach those who listen to analytics", async () => {
  const events: LifecycleEvent[] = [];
  const handler = (event: LifecycleEvent) => void events.push(event);
  const { api } = await openPage(project);
  api.push({ type: "addListener", filter: { type: "analytics" }, handler });

  api.push({ type: "event", eventName: "bought", tags: { revenue: 990 } });
  api.push({ type: "page", pageName: "home", isActive: false });
  api.push({ type: "holdEvents" });
  api.push({ type: "sendEvents" });

  expect(events).toStrictEqual([
    { type: "analytics", name: "trackEvent", data: { eventName: "bought", tags: { revenue: 990 } } },
    { type: "analytics", name: "holdEvents", data: {} },
    { type: "analytics", name: "sendEvents", data: {} },
  ]);
});

test("a handler that switches the snippet off hears of no other campaign", async () => {
  const handler = vi.fn(() => void window.experimentation.push({ type: "disable" }));
  const warn = vi.spyOn(console, "warn");
  const campaigns = [abTest(), abTest({ id: 3010 })];

  await openPage({ ...project, campaigns }, { before: [{ type: "addListener", filter: { name: "campaignDecided" }, handler }] });

  expect(handler).toHaveBeenCalledTimes(1);
  expect(warn).not.toHaveBeenCalled();
});

describe("switched off", () => {
  test.each([
    ["by a waiting command", { before: [{ type: "disable" }] }],
    ["by the address", { url: "https://www.shop.test/?experimentation_disable=true" }],
  ])("%s, it stores nothing and answers with empty states", async (_, options) => {
    const { api, state } = await openPage(project, options);

    expect(state.getPageStates()).toStrictEqual({});
    expect(state.getCampaignStates()).toStrictEqual({});
    expect(state.getExperimentStates()).toStrictEqual({});
    expect(state.getVariationMap()).toStrictEqual({});
    expect(state.getActiveExperimentIds()).toStrictEqual([]);
    expect(state.getRedirectInfo()).toBeNull();
    expect(state.getDecisionString({ campaignId: "3001" })).toBeNull();
    expect(api.push({ type: "activate" })).toBe(true);
    expect(state.getPageStates()).toStrictEqual({});
    expect(localStorage).toHaveLength(0);
    expect(document.cookie).toBe("");
  });

  test("for tracking alone, it decides all the same", async () => {
    const { state } = await openPage(project, { before: [{ type: "disable", scope: "tracking" }] });

    expect(state.getActiveExperimentIds()).toStrictEqual(["4001"]);
  });
});

test("the member's own code runs before everything is decided", async () => {
  const order: string[] = [];
  const before = [{ type: "addListener", handler: ({ name }: LifecycleEvent) => order.push(name) }];

  await openPage({ ...project, projectJavascript: () => void order.push("code") }, { before });

  expect(order.slice(0, 2)).toStrictEqual(["code", "initialized"]);
});
