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
const UNSENT = "experimentation:1000:unsent";

let batches: { project: string; visitor: string; sent: number; events: Sent[] }[];
let status = 202;

/** All events that the server got. */
const sent = (): Sent[] => batches.flatMap(({ events }) => events);

/** The same without what differs from run to run. */
const told = (): Record<string, unknown>[] => sent().map(({ id: _id, time: _time, ...event }) => event);

const EXPOSURE = { type: "exposure", campaign: "3001", experiment: "4001", variation: "5002" };

/** As much time as a batch waits for. */
const pass = () => vi.advanceTimersByTimeAsync(1000);

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
test("a long property name does not spoil an event for the strict reader", async () => {
  const { api } = await openPage(PROJECT);
  api.push({ type: "event", eventName: "buy", tags: { ["x".repeat(65)]: 1 } } as any);
  await pass();
  for (const name of Object.keys((sent()[1] as any).properties)) expect(name.length).toBeLessThanOrEqual(64);
});
test("19.99 is not told as 20 cents", async () => {
  const { api } = await openPage(PROJECT);
  api.push({ type: "event", eventName: "buy", tags: { revenue: 19.99 } } as any);
  await pass();
  expect(sent()[1].revenue).not.toBe(20);
});
test("after an opt-out on another origin, which only the cookie tells, nothing more is sent", async () => {
  const { api } = await openPage(PROJECT);
  await pass();
  batches.length = 0;
  document.cookie = "experimentation_id=-; path=/; domain=shop.test";
  api.push({ type: "event", eventName: "buy" } as any);
  await pass();
  expect([batches, localStorage.getItem(UNSENT)]).toEqual([[], null]);
});
test("tags that cannot be numbers keep nothing from the site's listeners", async () => {
  const heard: unknown[] = [];
  const { api } = await openPage(PROJECT, { before: [{ type: "addListener", filter: { type: "analytics" }, handler: (event: any) => heard.push(event.name) }] });
  api.push({ type: "event", eventName: "buy", tags: { value: Symbol("x") } } as any);
  expect(heard).toEqual(["trackEvent"]);
});
