/** What is told to the server about visitors. The server's side: crates/events/src/batch.rs and e2e/stories/results.mjs. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ChangeKind, PageField } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home, manualPage, personalization } from "../support/project";
import { comeUnasked } from "../support/visitorIds";

interface Sent {
  id: string;
  type: string;
  [field: string]: unknown;
}

const PROJECT = { pages: [home, manualPage], campaigns: [everybodyGets()] };

/** What is kept of events that could not be sent, as JSON in lines. */
const unsent = (): string => decodeURIComponent(/[|,]u,([^|,]*)/.exec(localStorage.getItem("experimentation:1000") ?? "")?.[1] ?? "");

let batches: { project: string; visitor: string; sent: number; events: Sent[] }[];
let status = 202;

/** All events that the server got. */
const sent = (): Sent[] => batches.flatMap(({ events }) => events);

/** The same without what differs from run to run, and without marks that say no. */
const told = (): Record<string, unknown>[] =>
  sent().map(({ id: _id, time: _time, ...event }) => Object.fromEntries(Object.entries(event).filter(([, mark]) => mark !== false)));

/** The page of these tests is there before the snippet. */
const EXPOSURE = { type: "exposure", campaign: "3001", experiment: "4001", variation: "5002", page: "2001", flicker: true };

/** More time than a batch waits for. */
const pass = () => vi.advanceTimersByTimeAsync(1000);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
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

describe("a page that is left before it has loaded, which browsers may not say,", () => {
  const states = (state: DocumentReadyState) => vi.spyOn(document, "readyState", "get").mockReturnValue(state);

  afterEach(() => void vi.restoreAllMocks());

  test("has told of what it gave as soon as its document was there, and no sooner", async () => {
    states("loading");
    await openPage(PROJECT);
    expect(sent()).toEqual([]);

    states("interactive");
    document.dispatchEvent(new Event("DOMContentLoaded", { bubbles: true }));

    expect(told()).toEqual([EXPOSURE]);
  });

  test("waits all the same for a server that could not take what was told before", async () => {
    states("loading");
    status = 503;
    await openPage(PROJECT);
    await pass();
    expect(batches).toHaveLength(1);

    states("interactive");
    document.dispatchEvent(new Event("DOMContentLoaded", { bubbles: true }));

    expect(batches).toHaveLength(1);
  });

  test("has told of what the visitor did until then", async () => {
    states("interactive");
    const { api } = await openPage(PROJECT);
    await vi.advanceTimersByTimeAsync(5);
    api.push({ type: "event", eventName: "bought" });
    await vi.advanceTimersByTimeAsync(5);

    expect(told().map(({ name }) => name)).toEqual([undefined, "bought"]);
  });
});

describe("an exposure", () => {
  test("is told once a day, whatever the visitor does", async () => {
    const { api } = await openPage(PROJECT);
    api.push({ type: "activate" });
    await pass();
    await openPage(PROJECT);
    await pass();

    expect(told()).toEqual([EXPOSURE]);
    expect(batches[0].project).toBe("1000");
    expect(document.cookie).toContain(batches[0].visitor);
  });

  test("of another tab at the same moment has the same id, so that it counts once", async () => {
    await openPage(PROJECT);
    localStorage.setItem("experimentation:1000", (localStorage.getItem("experimentation:1000") as string).replace(/x4001,[^,|]*/, "x4001,"));
    await pass();
    await openPage(PROJECT);
    await pass();

    const [first, second] = sent();
    expect(first.id).toBe(second.id);
  });

  test("of a visitor held back from a personalization says so", async () => {
    await openPage({ ...PROJECT, campaigns: [personalization({ holdback: 10000 })] });
    await pass();

    expect(told()).toEqual([{ type: "exposure", campaign: "3101", experiment: expect.any(String), variation: expect.any(String), holdback: true, page: "2001", flicker: true }]);
  });

  test("says on which of the campaign's pages it is", async () => {
    await openPage({ ...PROJECT, pages: [manualPage, home], campaigns: [abTest({ pages: [0, 1], ends: [0, 10000] })] });
    await pass();

    expect(told()).toEqual([EXPOSURE]);
  });

  test("on a page that could not be seen before the snippet does not speak of flicker", async () => {
    const { body } = document;
    const page = openPage(PROJECT);
    body.remove();
    await page;
    document.documentElement.append(body);
    await pass();

    expect(told()).toEqual([{ ...EXPOSURE, flicker: undefined }]);
  });

  test("of a variation that the address asks for says so, each time", async () => {
    await openPage(PROJECT, { url: "https://www.shop.test/?experimentation_x=5001" });
    await pass();

    expect(told()).toEqual([{ ...EXPOSURE, variation: "5001", forced: true }]);
  });

  test("comes before what the page told at once, however long the variation's code takes", async () => {
    const takeLong = () => void vi.setSystemTime(Date.now() + 500);
    const campaigns = [everybodyGets([ChangeKind.Javascript, 0, takeLong])];
    const tellOfDecision = () => window.experimentation.push({ type: "event", eventName: "decided" });
    await openPage(
      { ...PROJECT, campaigns },
      {
        before: [
          { type: "addListener", filter: { name: "campaignDecided" }, handler: tellOfDecision },
          { type: "addListener", filter: { name: "trackEvent" }, handler: takeLong },
          { type: "event", eventName: "early" },
        ],
      },
    );
    await pass();

    const [exposure] = sent().filter(({ type }) => type === "exposure");
    const events = sent().filter(({ type }) => type === "event");
    expect(events.map(({ name }) => name)).toEqual(["early", "decided"]);
    expect(events.filter(({ time }) => Number(time) < Number(exposure.time))).toEqual([]);
  });

  test("comes before what the variation's code told, although that turned another page active", async () => {
    const code = () => {
      window.experimentation.push({ type: "event", eventName: "early" });
      vi.setSystemTime(Date.now() + 500);
      window.experimentation.push({ type: "page", pageName: manualPage[PageField.Key] });
    };
    await openPage({ ...PROJECT, campaigns: [everybodyGets([ChangeKind.Javascript, 0, code])] });
    await pass();

    const [exposure] = sent().filter(({ type }) => type === "exposure");
    const [event] = sent().filter(({ type }) => type === "event");
    expect(Number(event.time)).toBeGreaterThanOrEqual(Number(exposure.time));
  });

  test("on a page that becomes active later comes after what was told before", async () => {
    const campaigns = [abTest({ pages: 1, ends: [0, 10000] })];
    const { api } = await openPage({ ...PROJECT, campaigns }, { before: [{ type: "event", eventName: "early" }] });
    vi.setSystemTime(Date.now() + 500);
    api.push({ type: "page", pageName: manualPage[PageField.Key] });
    await pass();

    const [event, exposure] = sent();
    expect(Number(exposure.time) - Number(event.time)).toBeGreaterThanOrEqual(500);
  });

  test("of a visitor who leaves at once is sent on the way out", async () => {
    await openPage(PROJECT);
    window.dispatchEvent(new Event("pagehide"));

    expect(told()).toEqual([EXPOSURE]);
    await pass();
    expect(sent()).toHaveLength(1);
  });
});

describe("an event", () => {
  test("has what is plain of the tags as texts", async () => {
    const { api } = await openPage({ pages: [home], campaigns: [everybodyGets()] });
    const tags = { revenue: "1999", value: 2.5, plan: 'a "b"\\\n\u0001é😀', items: 3, first: true, list: [1], none: null, bad: NaN };
    api.push({ type: "event", eventName: "purchase", tags });
    await pass();

    // Line breaks and the like are spaces.
    const plain = { revenue: "1999", value: "2.5", plan: 'a "b"\\  é😀', items: "3", first: "true", bad: "NaN" };
    expect(told()[1]).toEqual({ type: "event", name: "purchase", tags: plain });
  });

  test("is sent at once from a page that may be gone in a moment", async () => {
    const { api } = await openPage(PROJECT);
    await pass();
    batches.length = 0;
    const tellOfReading = () => {
      api.push({ type: "event", eventName: "seen", tags: { value: 3 } });
      api.push({ type: "event", eventName: "left" });
    };
    document.addEventListener("visibilitychange", tellOfReading, { once: true });

    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));

    expect(batches.map(({ events }) => events.map(({ name }) => name))).toEqual([["seen"], ["left"]]);
  });

  test("of a page that is left takes nothing along that waits for the server to come back", async () => {
    status = 503;
    const { api } = await openPage(PROJECT);
    await pass();
    const waiting = unsent();
    expect(waiting).toContain("exposure");

    window.dispatchEvent(new Event("pagehide"));
    api.push({ type: "event", eventName: "left" });
    await Promise.resolve();

    expect(unsent()).toBe(waiting);
    expect(batches[batches.length - 1].events.map(({ name }) => name)).toEqual(["left"]);
  });

  test("of a page that is only hidden waits for others, as any", async () => {
    status = 503;
    const { api } = await openPage(PROJECT);
    await pass();
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    await vi.advanceTimersByTimeAsync(1);
    batches.length = 0;

    for (let seconds = 0; seconds < 20; seconds++) {
      api.push({ type: "event", eventName: "still here" });
      await pass();
    }

    expect(batches).toEqual([]);
  });

  test("without tags is one as well, and each has an id of its own", async () => {
    const { api } = await openPage(PROJECT);
    for (let times = 0; times < 25; times++) {
      api.push({ type: "event", eventName: "seen" });
    }
    await pass();

    const ids = sent().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([26, 26]);
    expect(batches).toHaveLength(1);
  });

  test("is a click on what the project counts, where it counts it", async () => {
    const toldEvents: [string, number, string?][] = [["buy", 1, ".buy"], ["later", 2, ".buy"], ["broken", 0, "!"]];
    await openPage({ ...PROJECT, toldEvents }, { body: '<p class="buy"><b>Buy</b></p>' });
    document.querySelector("b")?.click();
    document.body.click();
    await pass();

    expect(told().slice(1)).toEqual([{ type: "event", name: "buy", tags: {} }]);
  });

  test("is a page that becomes active, after the exposure there", async () => {
    const toldEvents: [string, number, string?][] = [["home", 1], ["manual", 2]];
    const { api } = await openPage({ ...PROJECT, toldEvents });
    api.push({ type: "page", pageName: "manual" });
    await pass();

    expect(told().map(({ type, name }) => name ?? type)).toEqual(["exposure", "home", "manual"]);
  });
});

describe("what could not be sent", () => {
  test.each([429, 500, 503])("with %i is sent from the next page, with the same ids", async (refusal) => {
    status = refusal;
    await openPage(PROJECT);
    await pass();
    const [first] = sent();
    status = 202;
    await openPage(PROJECT);
    await pass();

    expect(sent()).toEqual([first, first]);
    expect(unsent()).toBe("");
  });

  test("because the network is gone, or something forbids it, is kept as well", async () => {
    const { fetch } = window;
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    await openPage(PROJECT);
    await pass();
    vi.stubGlobal("fetch", () => {
      throw new Error("blocked");
    });
    await openPage(PROJECT);
    await pass();
    // Code that stands between, such as a consent manager's, may say nothing.
    vi.stubGlobal("fetch", () => Promise.reject());
    await openPage(PROJECT);
    await pass();
    vi.stubGlobal("fetch", fetch);
    await openPage(PROJECT);
    await pass();

    expect(told()).toEqual([EXPOSURE]);
  });

  test("is sent from the same page half a minute later, after what happened next", async () => {
    status = 503;
    const { api } = await openPage(PROJECT);
    await pass();
    batches = [];
    status = 202;
    for (let seconds = 0; seconds < 29; seconds++) {
      api.push({ type: "event", eventName: "e" + seconds });
      await pass();
    }
    expect(batches).toEqual([]);

    // Whatever happens on the page.
    await vi.advanceTimersByTimeAsync(2000);
    expect(batches.map(({ events }) => [events.length, events[0].name, events[0].type])).toEqual([
      [29, "e0", "event"],
      [1, undefined, "exposure"],
    ]);
    expect(unsent()).toBe("");

    // The server takes events again: the next one waits no longer than before.
    batches = [];
    api.push({ type: "event", eventName: "later" });
    await pass();
    expect(batches.map(({ events }) => events.map(({ name }) => name))).toEqual([["later"]]);
  });

  test("waits for the next page, while what happened since is tried as the page is left", async () => {
    status = 429;
    const { api } = await openPage(PROJECT);
    await pass();
    api.push({ type: "event", eventName: "seen" });
    window.dispatchEvent(new Event("pagehide"));
    expect(batches.map(({ events }) => events.map(({ type }) => type))).toEqual([["exposure"], ["event"]]);

    status = 202;
    batches = [];
    await openPage(PROJECT);
    await pass();
    expect(batches.map(({ events }) => events.map(({ type }) => type))).toEqual([["exposure"]]);
  });

  test("is kept within bounds, whole, and that of another visitor is dropped", async () => {
    status = 503;
    const { api } = await openPage(PROJECT);
    const tags = { note: ",\n,{|".repeat(9) };
    for (let times = 0; times < 150; times++) {
      api.push({ type: "event", eventName: "e" + times, tags });
      await pass();
    }
    await vi.advanceTimersByTimeAsync(30_000);
    expect(unsent().length).toBeLessThanOrEqual(10_000);
    const kept = unsent().split("\n,").slice(1).map((text) => JSON.parse(text) as Sent);
    expect([kept.length > 40, kept[kept.length - 1].name]).toEqual([true, "e149"]);

    status = 202;
    batches = [];
    const visitor = api.get("visitor").visitorId as string;
    const entry = localStorage.getItem("experimentation:1000") as string;
    localStorage.setItem("experimentation:1000", entry.replace(visitor, "somebody"));
    await openPage(PROJECT);
    await pass();
    expect(told()).toEqual([EXPOSURE]);
  });

  test("because of what an event says keeps nothing else from the server", async () => {
    const { fetch } = window;
    // A firewall, which lets a page of another origin hear nothing.
    vi.stubGlobal("fetch", (address: string, request: RequestInit) =>
      String(request.body).includes("<script>") ? Promise.reject(new TypeError("refused")) : fetch(address, request),
    );
    const { api } = await openPage(PROJECT);
    api.push({ type: "event", eventName: "<script>" });
    await pass();
    const next = await openPage(PROJECT);
    await pass();
    next.api.push({ type: "event", eventName: "later" });
    await vi.advanceTimersByTimeAsync(31_000);

    expect(batches.map(({ events }) => events.map(({ name }) => name))).toEqual([["later"]]);
    expect(unsent()).toMatch(/<script>.*$/);
  });

  test("because the server does not want it is dropped", async () => {
    status = 403;
    await openPage(PROJECT);
    await pass();

    expect(unsent()).toBe("");
  });
});

describe("nothing is told", () => {
  test("before the visitor consents, and then what stands", async () => {
    const { api } = await openPage({ ...PROJECT, isConsentRequired: 1 });
    api.push({ type: "event", eventName: "early" });
    await pass();
    expect(sent()).toEqual([]);

    api.push({ type: "consent", granted: true } as never);
    await pass();
    expect(told()).toEqual([EXPOSURE]);
  });

  test("of what was given to an id that is gone: not with the consent, nor later, before it is given anew", async () => {
    comeUnasked(4001);
    const { api } = await openPage({ ...PROJECT, campaigns: [abTest()], isConsentRequired: 1 });
    api.push({ type: "consent", granted: true } as never);
    api.push({ type: "event", eventName: "seen" });
    api.push({ type: "page", pageName: "manual" });
    document.dispatchEvent(new Event("visibilitychange"));
    await pass();
    expect(told()).toEqual([{ type: "event", name: "seen", tags: {} }]);

    api.push({ type: "activate" });
    await pass();
    expect(told().slice(1)).toEqual([{ ...EXPOSURE, variation: "5001" }]);
  });

  test("but with the consent, where the visitor is given the same by their own id", async () => {
    await openPage(PROJECT);
    await pass();
    localStorage.clear();
    batches = [];
    const { api } = await openPage({ ...PROJECT, isConsentRequired: 1, campaigns: [abTest({ ends: [0, 10000] })] });
    api.push({ type: "consent", granted: true } as never);
    await pass();
    expect(told()).toEqual([EXPOSURE]);
    expect(localStorage.getItem("experimentation:1000")).toContain("-4001,5002.1");
  });

  test("after a refusal: neither what waits nor what was kept", async () => {
    status = 503;
    const { api } = await openPage(PROJECT);
    await pass();
    api.push({ type: "event", eventName: "late" });
    api.push({ type: "optOut", isOptOut: true });
    await pass();
    window.dispatchEvent(new Event("pagehide"));

    expect(sent()).toHaveLength(1);
    expect(unsent()).toBe("");
  });

  test("of a page that the visitor has not opened yet", async () => {
    Reflect.set(document, "prerendering", true);
    const { api } = await openPage(PROJECT);
    api.push({ type: "event", eventName: "seen" });
    await pass();
    expect(sent()).toEqual([]);

    Reflect.deleteProperty(document, "prerendering");
    document.dispatchEvent(new Event("prerenderingchange"));
    await pass();
    expect(told().map(({ type }) => type).sort()).toEqual(["event", "exposure"]);
  });
});

test("libraries that change how JSON is written change nothing", async () => {
  Object.assign(Array.prototype, { toJSON: () => "array" });
  Object.assign(String.prototype, { toJSON: () => "text" });
  try {
    const { api } = await openPage(PROJECT);
    api.push({ type: "event", eventName: "seen", tags: { a: "b" } });
    await pass();
  } finally {
    Reflect.deleteProperty(Array.prototype, "toJSON");
    Reflect.deleteProperty(String.prototype, "toJSON");
  }

  expect(told()[1]).toMatchObject({ name: "seen", tags: { a: "b" } });
});
