/** What integrations written for Optimizely's interface read, where the project has an alias for the global. */

import { expect, test, vi } from "vitest";
import { openPage } from "../support/openPage";
import { abTest, home, loyal, personalization } from "../support/project";

const project = {
  globalAliases: ["optimizely"],
  pages: [home],
  audiences: [loyal],
  events: [
    [7101, "purchase", "Purchase", "purchase"],
    [7102, "save", 0, "save"],
  ] as const,
  campaigns: [abTest({ ends: [0, 10000] }), abTest({ id: 3010, audiences: ["or", 0] }), personalization({ first: ["and", 0] })],
};

interface Global {
  initialized?: boolean;
  get(name: string): Record<string, never> & {
    events: Record<string, { apiName: string }>;
    accountId: string;
    location: object;
    randomId: string;
    sessionId: string;
    visitorId: string;
  };
}

const optimizely = (): Global => Reflect.get(window, "optimizely") as Global;

test("events can be passed on by name, as mParticle's kit does", async () => {
  await openPage(project);
  const known: Record<string, string> = {};
  const { events } = optimizely().get("data");
  for (const id in events) {
    known[events[id].apiName] = id;
  }

  expect(known).toStrictEqual({ purchase: "7101", save: "7102" });
  expect(optimizely().get("data").accountId).toBe("1000");
  expect(optimizely().initialized).toBe(true);
});

test("campaigns have a policy and settings, and experiments their audiences, as RudderStack's and Segment's read them", async () => {
  const { api } = await openPage(project);

  const { campaigns = {} } = api.get("data");
  expect(campaigns["3001"]).toMatchObject({ policy: "single_experiment", integrationSettings: {} });
  expect(campaigns["3001"].experiments[0]).toMatchObject({ audienceIds: null, audienceName: null });
  expect(campaigns["3010"].experiments[0]).toMatchObject({ audienceIds: ["or", "6001"], audienceName: "Loyal" });
  expect(campaigns["3101"]).toMatchObject({ policy: "equal_priority" });
  expect(campaigns["3101"].experiments[0]).toMatchObject({ audienceIds: ["and", "6001"], audienceName: "Loyal" });
});

test("the ids in a campaign's event can be looked up in its data", async () => {
  const handler = vi.fn();
  await openPage(project, { before: [{ type: "addListener", filter: { type: "lifecycle", name: "campaignDecided" }, handler }] });

  const [{ data }] = handler.mock.calls[0] as [
    { data: { campaign: { experiments: { id: string; variations: { id: string; name: string }[] }[] }; decision: Record<string, string> } },
  ];
  const experiment = data.campaign.experiments.find(({ id }) => id === data.decision.experimentId);
  expect(experiment?.variations.find(({ id }) => id === data.decision.variationId)?.name).toBe("Short");
});

test("the visitor has a place, an id and a session, which goes on over page views", async () => {
  const before = [{ type: "location", country: "NL", city: "Den Haag" }];
  await openPage(project, { before });
  const { visitorId, location } = optimizely().get("visitor");
  expect(location).toStrictEqual({ country: "NL", region: "", city: "DENHAAG", continent: "", dma: "" });
  expect(optimizely().get("visitor_id")).toStrictEqual({ randomId: visitorId });
  const { sessionId } = optimizely().get("session");
  expect(sessionId).toContain(visitorId);

  await openPage(project);
  expect(optimizely().get("session")).toStrictEqual({ sessionId });

  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 31 * 60 * 1000);
  await openPage(project);
  expect(optimizely().get("session").sessionId).not.toBe(sessionId);
});

test("switched off, there is neither an id nor a session", async () => {
  const { api } = await openPage(project);
  api.push({ type: "disable" });

  expect(optimizely().get("visitor_id")).toStrictEqual({ randomId: "" });
  expect(optimizely().get("session")).toStrictEqual({ sessionId: "" });
});

test("a queue under both names is worked off once", async () => {
  const names: unknown[] = [];
  const handler = (event: { name: string }) => names.push(event.name);
  const queue = [
    { type: "addListener", filter: { type: "analytics" }, handler },
    { type: "event", eventName: "purchase" },
  ];
  Reflect.set(window, "optimizely", queue);

  await openPage(project, { before: queue });

  expect(names).toStrictEqual(["trackEvent"]);
});
