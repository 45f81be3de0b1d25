/** Visitors of whom nothing may be kept: those who did not consent where they must, and those whose browser says that they do not. */

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Command } from "../../types/index";
import type { AudienceConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home } from "../support/project";
import { comeUnasked } from "../support/visitorIds";

const KEY = "experimentation:1000";
const free = { pages: [home], attributes: [[7001, "plan", 0]] as const, campaigns: [abTest()] };
const asking = { ...free, isConsentRequired: 1 as const };

const given: Command = { type: "consent", granted: true };
const refused: Command = { type: "consent", granted: false };

const visitorId = ({ api }: Awaited<ReturnType<typeof openPage>>): string => api.get("visitor").visitorId;
const kept = () => [document.cookie, localStorage.length, sessionStorage.length];
const NOTHING = ["", 0, 0];

const browserSays = (signal: object): void => Object.entries(signal).forEach(([name, value]) => vi.stubGlobal("navigator", signalled(name, value)));
const signalled = (name: string, value: unknown): Navigator =>
  new Proxy(navigator, { get: (target, key) => (key === name ? value : Reflect.get(target, key, target)) as unknown });

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a visitor who was not asked yet", () => {
  test("is in an experiment for the page view, and nothing is kept", async () => {
    const page = await openPage(asking, { url: "https://www.shop.test/?experimentation_x=5002" });
    page.api.push({ type: "user", attributes: { plan: "pro" } });
    page.api.push({ type: "bucketVisitor", experimentId: 4001, variationIndex: 0 });
    page.api.push({ type: "activate" });

    expect(page.state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(visitorId(page)).toMatch(/^\d{16,}$/);
    expect(kept()).toStrictEqual(NOTHING);
    expect(visitorId(await openPage(asking))).not.toBe(visitorId(page));
  });

  test.each(["book,1", "x,ok,1,y", "ok,11"])("does not consent by what else was kept: %s", async (texts) => {
    localStorage.setItem(KEY, `2|older|${texts}|`);

    expect(visitorId(await openPage(asking))).not.toBe("older");
    expect(document.cookie).toBe("");
  });

  test("is followed over a redirect by its address", async () => {
    const redirecting = { ...asking, campaigns: [everybodyGets([10, 0, "https://www.shop.test/other"])] };

    const { left } = await openPage(redirecting);

    expect(left).toHaveLength(1);
    expect(left[0]).toContain("/other?experimentation_redirect=4001%3A5002%3A1");
    expect(kept()).toStrictEqual(NOTHING);
    const landed = await openPage(redirecting, { url: left[0] });
    expect(landed.state.getRedirectInfo()).toMatchObject({ experimentId: "4001" });
    expect(kept()).toStrictEqual(NOTHING);
  });

  test("keeps id, variation and attributes from the moment of consent", async () => {
    const page = await openPage(asking);
    const id = visitorId(page);
    const variations = page.state.getVariationMap();
    page.api.push({ type: "user", attributes: { plan: "pro" } });

    expect(page.api.push(given)).toBe(true);

    expect(visitorId(page)).toBe(id);
    expect(document.cookie).toBe(`experimentation_id=${id}`);
    expect(localStorage.getItem(KEY)).toContain("a7001,=pro");
    expect(page.state.getVariationMap()).toStrictEqual(variations);
    const next = await openPage(asking);
    expect(visitorId(next)).toBe(id);
    expect(next.state.getVariationMap()).toStrictEqual(variations);
  });
});

describe("consent", () => {
  test("in the queue counts from the start, and costs two reads and one write, once", async () => {
    const reads = vi.spyOn(Storage.prototype, "getItem");
    const writes = vi.spyOn(Storage.prototype, "setItem");

    const id = visitorId(await openPage(asking, { before: [given] }));
    expect([reads.mock.calls.length, writes.mock.calls.length]).toStrictEqual([2, 1]);
    expect(document.cookie).toBe(`experimentation_id=${id}`);

    expect(visitorId(await openPage(asking, { before: [given] }))).toBe(id);
    expect([reads.mock.calls.length, writes.mock.calls.length]).toStrictEqual([3, 1]);
  });

  test("taken back and given once more counts from the next page on", async () => {
    const page = await openPage(asking, { before: [given] });
    page.api.push(refused);
    expect(kept()).toStrictEqual(NOTHING);

    page.api.push(given);

    const next = visitorId(await openPage(asking));
    expect(document.cookie).toBe(`experimentation_id=${next}`);
    expect(localStorage.getItem(KEY)).toContain(next);
  });

  test("given on one subdomain and then on another is one visitor's", async () => {
    const id = visitorId(await openPage(asking, { before: [given] }));
    localStorage.clear();

    const elsewhere = await openPage(asking, { url: "https://blog.shop.test/" });
    expect(visitorId(elsewhere)).not.toBe(id);
    elsewhere.api.push(given);

    expect(visitorId(elsewhere)).toBe(id);
    expect(document.cookie).toBe(`experimentation_id=${id}`);
  });

  test("keeps nothing that was given to an id that is gone, but what the site chose, and what the visitor did", async () => {
    const audience: AudienceConfig = [6001, "All", ["and"]];
    const everyone = { ...asking, audiences: [audience], groups: [[8001, [3020], 0]] as const };
    const id = comeUnasked(4001, 4020);
    const campaigns = [abTest({ audiences: [0], holdback: 10000 }), abTest({ id: 3010 }), abTest({ id: 3020 })];
    const page = await openPage({ ...everyone, campaigns });
    page.api.push({ type: "bucketVisitor", experimentId: 4010, variationIndex: 1 });
    page.api.push({ type: "user", attributes: { plan: "pro" } });
    page.api.push(given);

    expect(visitorId(page)).toBe(id);
    expect(page.state.getVariationMap()).toMatchObject({ "4001": { id: "5002" } });
    const kept = (localStorage.getItem(KEY) as string).split("|")[2].split(",").filter((_, at) => at % 2 === 0);
    expect(kept.filter((key) => /^[-acgu]/.test(key))).toStrictEqual(["-4010", "a7001"]);
    const next = await openPage({ ...everyone, campaigns: [abTest({ ends: [10000, 10000] })] });
    expect(next.state.getVariationMap()).toMatchObject({ "4001": { id: "5001" } });
  });

  test("leaves what an entry without consent has of the visitor as it is", async () => {
    const id = visitorId(await openPage({ ...free, campaigns: [abTest({ ends: [10000, 10000], holdback: 10000 })] }));
    const page = await openPage({ ...asking, campaigns: [abTest({ ends: [0, 10000] })] });
    page.api.push(given);

    expect(visitorId(page)).toBe(id);
    expect(localStorage.getItem(KEY)).toMatch(/-4001,5001\.0,c3001,4001\.1\./);
  });

  test("is not what a project that asked for no consent kept; what is told and given now stands when it comes", async () => {
    const before = await openPage({ ...free, campaigns: [abTest({ ends: [10000, 10000] }), abTest({ id: 3010 })] });
    before.api.push({ type: "user", attributes: { plan: "pro" } });
    const id = visitorId(before);

    const page = await openPage({ ...asking, campaigns: [abTest({ ends: [0, 10000] })] });
    expect(visitorId(page)).not.toBe(id);
    page.api.push({ type: "user", attributes: { plan: "gold" } });
    page.api.push(given);

    expect(visitorId(page)).toBe(id);
    expect(page.state.getVariationMap()).toMatchObject({ "4001": { id: "5002" }, "4010": {} });
    expect(localStorage.getItem(KEY)).toContain("a7001,=gold");
  });

  test("brings no visitor back who is switched off, before the next page view", async () => {
    const page = await openPage(asking, { before: [{ type: "disable" }] });

    page.api.push(given);

    expect(visitorId(page)).toBe("");
    const next = await openPage(asking);
    expect(document.cookie).toBe(`experimentation_id=${visitorId(next)}`);
  });

  test("after a refusal on the same page counts from the next page view on", async () => {
    const page = await openPage(asking, { before: [refused] });
    page.api.push(given);

    expect(page.state.getCampaignStates()).toStrictEqual({});
    const next = await openPage(asking);
    expect(document.cookie).toBe(`experimentation_id=${visitorId(next)}`);
  });

  test("is what was said last before the snippet, and a visitor who is known stays who they are", async () => {
    const id = visitorId(await openPage(asking, { before: [refused, given] }));

    expect(visitorId(await openPage(asking, { before: [refused, given] }))).toBe(id);
    expect((await openPage(asking, { before: [given, refused] })).state.getPageStates()).toStrictEqual({});
    expect(kept()).toStrictEqual(NOTHING);
  });

  test("does not outlive the cookie, which goes when it is taken back on another subdomain", async () => {
    const id = visitorId(await openPage(asking, { before: [given] }));
    document.cookie = "experimentation_id=; path=/; max-age=0; domain=shop.test";

    expect(visitorId(await openPage(asking))).not.toBe(id);
    expect(kept()).toStrictEqual(NOTHING);
  });

  test("is taken back in a page that is open here, too, before it stores anything", async () => {
    const page = await openPage(asking, { before: [given] });
    document.cookie = "experimentation_id=; path=/; max-age=0; domain=shop.test";

    page.api.push({ type: "user", attributes: { plan: "pro" } });

    expect(kept()).toStrictEqual(NOTHING);
    expect(visitorId(page)).toBe("");
  });

  test("is not kept of a visitor who opted out", async () => {
    await openPage(asking, { before: [{ type: "optOut" }, given] });

    expect(kept()).toStrictEqual(["experimentation_id=-", 0, 0]);
  });
});

describe("a visitor who does not consent", () => {
  test("is forgotten, and in nothing", async () => {
    const page = await openPage(asking, { before: [given], url: "https://www.shop.test/?experimentation_x=5002" });
    expect(kept().map(Boolean)).toStrictEqual([true, true, true]);

    page.api.push(refused);

    expect(kept()).toStrictEqual(NOTHING);
    expect(visitorId(page)).toBe("");
    expect(page.state.getCampaignStates()).toStrictEqual({});
  });

  test("is in nothing from the start when it is known by then", async () => {
    const page = await openPage(asking, { before: [refused] });

    expect(page.state.getPageStates()).toStrictEqual({});
    expect(kept()).toStrictEqual(NOTHING);
  });

  test("stays opted out", async () => {
    const page = await openPage(asking);
    page.api.push({ type: "optOut" });
    page.api.push(refused);

    expect(document.cookie).toBe("experimentation_id=-");
    const next = await openPage(asking, { before: [given] });
    expect(next.state.getCampaignStates()).toStrictEqual({});
    expect(kept()).toStrictEqual(["experimentation_id=-", 0, 0]);
  });

  test("is anything but `granted: true`", async () => {
    const page = await openPage(asking);

    page.api.push({ type: "consent", granted: "yes" } as unknown as Command);

    expect(page.state.getPageStates()).toStrictEqual({});
  });
});

describe("a browser's signal", () => {
  test.each([
    ["Global Privacy Control", { globalPrivacyControl: true }],
    ["Do Not Track", { doNotTrack: "1" }],
  ])("%s keeps everything out of storage", async (_, signal) => {
    browserSays(signal);

    const page = await openPage(free);

    expect(page.state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(kept()).toStrictEqual(NOTHING);
  });

  test("that is switched on later has what was kept taken away", async () => {
    await openPage(free);
    expect(kept()).not.toStrictEqual(NOTHING);
    browserSays({ globalPrivacyControl: true });

    const page = await openPage(free);

    expect(page.state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(kept()).toStrictEqual(NOTHING);
  });

  test("leaves the mark of an opt-out where it is", async () => {
    (await openPage(free)).api.push({ type: "optOut" });
    browserSays({ globalPrivacyControl: true });

    const page = await openPage(free);

    expect(page.state.getCampaignStates()).toStrictEqual({});
    expect(document.cookie).toBe("experimentation_id=-");
  });

  test("counts less than consent", async () => {
    browserSays({ globalPrivacyControl: true });

    const id = visitorId(await openPage(asking, { before: [given] }));

    expect(visitorId(await openPage(asking))).toBe(id);
  });

  test.each([{ globalPrivacyControl: false }, { doNotTrack: "0" }, { doNotTrack: null }])("%j says nothing", async (signal) => {
    browserSays(signal);

    await openPage(free);

    expect(kept().map(Boolean)).toStrictEqual([true, true, false]);
  });
});

test("where no consent is asked for there is no such command", async () => {
  const page = await openPage(free);

  expect(page.api.push(refused)).toBe(false);
});
