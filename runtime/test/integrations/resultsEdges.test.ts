/** What must not be told, or must be told twice. The ordinary course: results.test.ts. */

import { ChangeKind } from "../../src/project/config";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home, manualPage } from "../support/project";

interface Sent {
  id: string;
  type: string;
  [field: string]: unknown;
}

const PROJECT = { pages: [home, manualPage], campaigns: [everybodyGets()] };

let batches: { project: string; visitor: string; sent: number; events: Sent[] }[];
let status = 202;

/** All events that the server got. */
const sent = (): Sent[] => batches.flatMap(({ events }) => events);

/** The same without what differs from run to run. */
const told = (): Record<string, unknown>[] =>
  sent().map(({ id: _id, time: _time, ...event }) => Object.fromEntries(Object.entries(event).filter(([, mark]) => mark !== false)));

/** The page of these tests is there before the snippet. */
const EXPOSURE = { type: "exposure", campaign: "3001", experiment: "4001", variation: "5002", page: "2001", flicker: true };

/** As much time as a batch waits for. */
const pass = () => vi.advanceTimersByTimeAsync(1000);

/** As much time as a page waits for after the server could not take something. */
const passRefusal = () => vi.advanceTimersByTimeAsync(30_000);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  batches = [];
  status = 202;
  const take = (body: string) => void batches.push(JSON.parse(body));
  vi.stubGlobal("fetch", async (_address: string, { body }: { body: string }) => (take(body), { status }));
  navigator.sendBeacon = (_address, body) => (take(body as string), true);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});


test("landing page tells again with the same id", async () => {
  const campaigns = [everybodyGets([ChangeKind.Redirect, 0, "https://www.shop.test/new"])];
  const { left } = await openPage({ ...PROJECT, campaigns });
  await openPage({ ...PROJECT, campaigns }, { url: left[0], referrer: "https://www.shop.test/" });
  await pass();
  expect(sent().length).toBe(2);
});
test("held back from an A/B test is marked", async () => {
  await openPage({ ...PROJECT, campaigns: [abTest({ ends: [0, 10000], holdback: 10000 })] });
  await pass();
  expect(told()).toEqual([{ ...EXPOSURE, holdback: true }]);
});
test("shipped winner is no exposure", async () => {
  const campaign: any = everybodyGets();
  campaign[3][0][7] = 2;
  await openPage({ ...PROJECT, campaigns: [campaign] });
  await pass();
  expect(told()).toEqual([]);
});
test("campaign that is not on this page is no exposure", async () => {
  const campaign: any = everybodyGets();
  campaign[2] = 1; // the manual page, which is never active
  const { api } = await openPage({ ...PROJECT, campaigns: [campaign] }, { before: [{ type: "bucketVisitor", experimentId: "4001", variationId: "5002" }] });
  await pass();
  expect(api.get("state").getCampaignStates({ isActive: true })).toEqual({});
  expect(told()).toEqual([]);
});
test("after an opt-out on another origin, which only the cookie tells, nothing more is sent", async () => {
  const { api } = await openPage(PROJECT);
  await pass();
  batches.length = 0;
  document.cookie = "experimentation_id=-; path=/; domain=shop.test";
  api.push({ type: "event", eventName: "buy" } as any);
  await pass();
  expect([batches, /[|,]u,/.test(localStorage.getItem("experimentation:1000") ?? "")]).toEqual([[], false]);
});
test("tags that cannot be numbers keep nothing from the site's listeners", async () => {
  const heard: unknown[] = [];
  const { api } = await openPage(PROJECT, { before: [{ type: "addListener", filter: { type: "analytics" }, handler: (event: any) => heard.push(event.name) }] });
  api.push({ type: "event", eventName: "buy", tags: { value: Symbol("x") } } as any);
  expect(heard).toEqual(["trackEvent"]);
});

test("a name of any length is cut to what the server takes", async () => {
  const { api } = await openPage(PROJECT);
  api.push({ type: "event", eventName: "x".repeat(100_000) });
  await pass();
  expect(sent()[1].name).toBe("x".repeat(64));
});
test("half a letter, of which a text was cut, does not spoil the batch for the strict reader", async () => {
  const { api } = await openPage(PROJECT);
  api.push({ type: "event", eventName: "a".repeat(63) + "😀", tags: { note: "b".repeat(449) + "😀" } });
  await pass();
  expect(sent()[1]).toMatchObject({ name: "a".repeat(63) + " ", tags: { note: "b".repeat(449) + " " } });
});
test("a thousand tags, and long ones, leave room for other events", async () => {
  const { api } = await openPage(PROJECT);
  const tags = Object.fromEntries(Array.from({ length: 1000 }, (_, tag) => ["tag" + tag, "x".repeat(1000)]));
  api.push({ type: "event", eventName: "buy", tags });
  await pass();
  expect(JSON.stringify(sent()[1]).length).toBeLessThan(15_000);
});
test("events of a visitor whose id has a line break are sent from the next page", async () => {
  document.cookie = "experimentation_id=" + encodeURIComponent("somebody\n,else|,") + "; path=/; domain=shop.test";
  status = 503;
  await openPage(PROJECT);
  await pass();
  status = 202;
  batches = [];
  await openPage(PROJECT);
  await pass();
  expect(batches.map(({ visitor }) => visitor)).toEqual(["somebody ,else|,"]);
  expect(told()).toEqual([EXPOSURE]);
});
test("a click counts although the page keeps it from everything below the window", async () => {
  const toldEvents: [string, number, string?][] = [["buy", 0, "p"]];
  await openPage({ ...PROJECT, toldEvents }, { body: "<p>Buy</p>" });
  const stop = (event: Event) => event.stopImmediatePropagation();
  window.addEventListener("click", stop, true);
  document.querySelector("p")?.click();
  window.dispatchEvent(new Event("click"));
  window.removeEventListener("click", stop, true);
  await pass();
  expect(told().slice(1)).toEqual([{ type: "event", name: "buy", tags: {} }]);
});
test("elements that are called as what we ask the document for change nothing", async () => {
  const names = ["addEventListener", "visibilityState"];
  for (const name of names) {
    Reflect.set(document, name, document.createElement("img"));
  }
  await openPage(PROJECT);
  window.dispatchEvent(new Event("pagehide"));
  for (const name of names) {
    Reflect.deleteProperty(document, name);
  }
  expect(told()).toEqual([EXPOSURE]);
});
test("a page that is left while the network is gone keeps what waits, since a beacon would not tell", async () => {
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await openPage(PROJECT);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(sent()).toEqual([]);
  isOnline.mockReturnValue(true);
  await openPage(PROJECT);
  await pass();
  expect(told()).toEqual([EXPOSURE]);
});
test.each([
  ["refused", () => false],
  ["gone", undefined],
  ["broken by the page", () => { throw new Error("blocked"); }],
])("a beacon that is %s sends from the next page", async (_, beacon) => {
  const { sendBeacon } = navigator;
  Reflect.set(navigator, "sendBeacon", beacon);
  await openPage(PROJECT);
  window.dispatchEvent(new Event("pagehide"));
  Reflect.set(navigator, "sendBeacon", sendBeacon);
  await openPage(PROJECT);
  await pass();
  expect(told()).toEqual([EXPOSURE]);
});
test("events that another tab could not send meanwhile are not lost", async () => {
  status = 503;
  const { api } = await openPage(PROJECT);
  await pass();
  const other = encodeURIComponent('\n,{"id":"other"}');
  const entry = localStorage.getItem("experimentation:1000") as string;
  localStorage.setItem("experimentation:1000", entry.replace(/([|,]u,)([^,|]*)/, "$1" + other));
  status = 202;
  batches = [];
  api.push({ type: "event", eventName: "seen" });
  await passRefusal();
  await pass();
  expect(sent().map(({ id, name }) => name ?? id)).toEqual(["seen", "other"]);
});
test("a server that is full is asked once in half a minute, however often the page is left and seen again", async () => {
  status = 503;
  const { api } = await openPage(PROJECT);
  await pass();
  for (let times = 0; times < 4; times++) {
    batches = [];
    api.push({ type: "event", eventName: "before" });
    window.dispatchEvent(new Event("pagehide"));
    await vi.advanceTimersByTimeAsync(1);
    api.push({ type: "event", eventName: "after" });
    await passRefusal();
    // What was tried as the page was left, and then what the server has not heard of yet.
    expect(batches.map(({ events }) => events.length)).toEqual([1, 1]);
  }
});
test("events that a full server refused are sent half a minute later, although the visitor has been in another tab", async () => {
  status = 503;
  await openPage(PROJECT);
  await pass();
  status = 202;
  batches = [];
  document.dispatchEvent(new Event("visibilitychange"));
  await passRefusal();
  expect(told()).toEqual([EXPOSURE]);
});
test("a body that browsers would not let outlive the page is sent while it lives", async () => {
  status = 503;
  const { api } = await openPage(PROJECT);
  for (let times = 0; times < 50; times++) {
    api.push({ type: "event", eventName: "seen", tags: { note: "é".repeat(440) } });
  }
  await pass();
  status = 202;
  const kept: unknown[] = [];
  const { fetch } = window;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => (kept.push(init.keepalive), fetch(address, init)));
  const { api: next } = await openPage(PROJECT);
  next.push({ type: "event", eventName: "long", tags: Object.fromEntries(Array.from({ length: 30 }, (_, at) => ["n".repeat(400) + at, "é".repeat(440)])) });
  next.push({ type: "event", eventName: "short" });
  await pass();
  await pass();
  expect(kept).toEqual([false, true, true]);
});
test("events that could not be sent leave room, so that a link that is clicked next does not end the request", async () => {
  status = 503;
  const { api } = await openPage(PROJECT);
  for (let times = 0; times < 100; times++) {
    api.push({ type: "event", eventName: "e" + times, tags: { note: "x".repeat(300) } });
    await pass();
  }
  status = 202;
  batches = [];
  const bodies: RequestInit[] = [];
  const { fetch } = window;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => (bodies.push(init), fetch(address, init)));
  const { api: next } = await openPage(PROJECT);
  for (let times = 0; times < 20; times++) {
    next.push({ type: "event", eventName: "more", tags: { note: "x".repeat(300) } });
  }
  await pass();
  await pass();
  expect([sent().length > 40, bodies.map(({ keepalive }) => keepalive)]).toEqual([true, [true, true]]);
});
test("where nothing can be stored, what could not be sent waits in the page", async () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  status = 503;
  const { api } = await openPage(PROJECT);
  await pass();
  status = 202;
  batches = [];
  api.push({ type: "event", eventName: "seen" });
  await passRefusal();
  await pass();
  expect(told().map(({ type }) => type)).toEqual(["event", "exposure"]);
});
test.each([
  ["cookies and storage are refused", true, true, []],
  ["cookies are refused", true, false, ["exposure"]],
  ["storage is refused", false, true, ["exposure"]],
] as const)("an id that the next page view would not have is not told of: %s", async (_, withoutCookies, withoutStorage, types) => {
  if (withoutCookies) {
    vi.spyOn(document, "cookie", "get").mockReturnValue("");
  }
  if (withoutStorage) {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("refused", "SecurityError");
    });
  }
  await openPage(PROJECT);
  window.dispatchEvent(new Event("pagehide"));
  await pass();
  expect(told().map(({ type }) => type)).toEqual(types);
});
test("a visitor to whom the project's source gives no id is no other", async () => {
  vi.spyOn(document, "cookie", "get").mockReturnValue("");
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("refused", "SecurityError");
  });
  await openPage({ ...PROJECT, visitorIdSource: ["javascript", "customer.id"] });
  window.dispatchEvent(new Event("pagehide"));
  await pass();
  expect(told()).toEqual([]);
});
test("a page that comes back another day tells of that day, too", async () => {
  await openPage(PROJECT);
  await pass();
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 24 * 60 * 60 * 1000);
  document.dispatchEvent(new Event("visibilitychange"));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(told()).toEqual([EXPOSURE, EXPOSURE]);
  expect(new Set(sent().map(({ id }) => id)).size).toBe(2);
});
