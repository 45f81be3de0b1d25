/** What the integrations leave in the queues of tools that have not come yet. What real tools make of it: e2e/stories/integrations/. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CampaignState, Command } from "../../types/index";
import { ChangeKind } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home, manualPage, personalization } from "../support/project";
import { comeUnasked } from "../support/visitorIds";

const GLOBALS = ["dataLayer", "analytics", "amplitude", "_paq", "plausible"];

const globals: Record<string, any> = window;

const forgetTools = (): void => GLOBALS.forEach((name) => Reflect.deleteProperty(window, name));

beforeEach(forgetTools);
afterEach(forgetTools);

const PROJECT = { pages: [home, manualPage], campaigns: [everybodyGets()], gtmDataLayer: "gtmLayer" };

/** What the callback was given, one line a time. */
const recorder = () => {
  const told: string[] = [];
  const callback = ({ id, variation, isInCampaignHoldback }: CampaignState) =>
    void told.push(`${id}:${variation?.id}${isInCampaignHoldback ? ":holdback" : ""}`);
  return { told, decisionCallbacks: [callback] };
};

describe("a decision", () => {
  test("stands in the queue of every tool, in its own words", async () => {
    globals.gtmLayer = [];
    await openPage(PROJECT);

    const [experiment, variation] = ["Hero text (4001)", "Short (5002)"];
    const experience = { exp_variant_string: "assay-4001-5002", experiment, variation };
    expect([...globals.dataLayer[0]]).toEqual(["event", "experience_impression", experience]);
    expect(globals.gtmLayer).toEqual([{ event: "experience_impression", ...experience }]);
    const segment = { experiment_id: "4001", experiment_name: "Hero text", variation_id: "5002", variation_name: "Short", nonInteraction: 1 };
    expect(globals.analytics).toEqual([["track", "Experiment Viewed", segment]]);
    expect(globals.amplitude._q).toEqual([{ name: "track", args: ["$exposure", { flag_key: experiment, variant: variation }] }]);
    expect(globals._paq).toEqual([["trackEvent", "Experiment", experiment, variation]]);
    expect([...globals.plausible.q[0]]).toEqual(["Experiment", { props: { experiment, variation }, interactive: false }]);
  });

  test("of a page that is made ready beforehand waits until the visitor opens it", async () => {
    Reflect.set(document, "prerendering", true);
    const { told, decisionCallbacks } = recorder();
    await openPage({ ...PROJECT, decisionCallbacks });
    expect(told).toEqual([]);

    Reflect.deleteProperty(document, "prerendering");
    document.dispatchEvent(new Event("prerenderingchange"));
    expect(told).toEqual(["3001:5002"]);
  });

  test("does not wait where an element of the page has the name of the property", async () => {
    const form = document.createElement("form");
    Reflect.set(document, "prerendering", form);
    const { told, decisionCallbacks } = recorder();
    await openPage({ ...PROJECT, decisionCallbacks });
    Reflect.deleteProperty(document, "prerendering");

    expect(told).toEqual(["3001:5002"]);
  });

  test("goes to the tool itself once that is there", async () => {
    const track = vi.fn();
    Object.assign(window, { analytics: { track }, amplitude: { track }, plausible: track });
    await openPage(PROJECT);

    expect(track.mock.calls.map(([name]) => name)).toEqual(["Experiment Viewed", "$exposure", "Experiment"]);
  });

  test("goes to one measurement id where the project says so", async () => {
    await openPage({ ...PROJECT, gtagTarget: "G-ABC" });

    expect(globals.dataLayer[0][2].send_to).toBe("G-ABC");
  });

  test("keeps its ids within a hundred characters, whatever the names", async () => {
    const named = abTest({ ends: [0, 10000] });
    await openPage({ ...PROJECT, campaigns: [[named[0], "x".repeat(200), ...named.slice(2)] as never] });

    const { experiment } = globals.dataLayer[0][2];
    expect([experiment.length, experiment.slice(-6)]).toEqual([100, "(4001)"]);
  });

  test("has the names of the project, whatever the page adds to all objects", async () => {
    Object.assign(Object.prototype, { shouldCleanString: true, holdback: true, isSent: true });
    try {
      await openPage(PROJECT);
    } finally {
      for (const name of ["shouldCleanString", "holdback", "isSent"]) {
        Reflect.deleteProperty(Object.prototype, name);
      }
    }

    expect(globals._paq).toEqual([["trackEvent", "Experiment", "Hero text (4001)", "Short (5002)"]]);
  });

  test("reaches the other tools, and the page, when one tool throws", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    const broken = () => {
      throw new Error("broken");
    };
    Object.assign(window, { dataLayer: { push: broken }, analytics: { track: broken } });
    const { told, decisionCallbacks } = recorder();
    await openPage({ ...PROJECT, decisionCallbacks: [broken, ...decisionCallbacks] });

    expect(globals._paq).toHaveLength(1);
    expect(told).toEqual(["3001:5002"]);
    expect(warned).toHaveBeenCalledTimes(3);
  });
});

describe("a campaign", () => {
  test("is told once for each time it is decided", async () => {
    const { told, decisionCallbacks } = recorder();
    const { api } = await openPage({ ...PROJECT, decisionCallbacks });
    api.push({ type: "page", pageName: "manual" });
    expect(told).toEqual(["3001:5002"]);

    api.push({ type: "activate" });
    expect(told).toEqual(["3001:5002", "3001:5002"]);

    api.push({ type: "page", pageName: "home", isActive: false });
    api.push({ type: "page", pageName: "home" });
    expect(told).toHaveLength(3);
  });

  test("is told by holdback for a personalization, and for an A/B test not at all", async () => {
    const { told, decisionCallbacks } = recorder();
    const campaigns = [abTest({ holdback: 10000 }), personalization({ holdback: 10000, priorities: [[1]] })];
    await openPage({ ...PROJECT, campaigns, decisionCallbacks });

    expect(told).toEqual(["3101:5102:holdback"]);
    expect(globals.dataLayer).toHaveLength(1);
    expect(globals.dataLayer[0][2]).toMatchObject({ exp_variant_string: "assay-4102-holdback", variation: "holdback" });
  });

  test("without a variation is not told", async () => {
    const { told, decisionCallbacks } = recorder();
    await openPage({ ...PROJECT, campaigns: [abTest({ ends: [0, 0] })], decisionCallbacks });

    expect(told).toEqual([]);
    expect(globals.dataLayer).toBeUndefined();
  });

  test("is told at the end of the document, once the site's own code has told its tools of the page view", async () => {
    const finish = readingDocument();
    const { told, decisionCallbacks } = recorder();
    await openPage({ ...PROJECT, decisionCallbacks });
    expect(told).toEqual([]);

    finish();
    expect(told).toEqual(["3001:5002"]);
  });

  test("is not told when the visitor is switched off by then", async () => {
    const finish = readingDocument();
    const { told, decisionCallbacks } = recorder();
    const { api } = await openPage({ ...PROJECT, decisionCallbacks });
    api.push({ type: "disable" });

    finish();
    expect(told).toEqual([]);
  });
});

describe("a visitor of whom nothing may be told", () => {
  const asking = { ...PROJECT, isConsentRequired: 1 as const };
  const given: Command = { type: "consent", granted: true };

  test("is told of from the moment of consent, once, with what stands by then", async () => {
    const { told, decisionCallbacks } = recorder();
    const { api } = await openPage({ ...asking, decisionCallbacks });
    expect([told, queues()]).toEqual([[], []]);

    api.push(given);
    api.push(given);
    expect(told).toEqual(["3001:5002"]);
    expect(queues()).toEqual(GLOBALS);
  });

  test("is not told of what an id got that is gone with the consent, before it is decided anew", async () => {
    comeUnasked(4001);
    const { told, decisionCallbacks } = recorder();
    const { api } = await openPage({ ...asking, campaigns: [abTest()], decisionCallbacks });
    api.push(given);
    expect([told, queues()]).toEqual([[], []]);

    api.push({ type: "activate" });
    expect(told).toEqual(["3001:5001"]);
  });

  test("is told of at the end of the document when they consent before that", async () => {
    const finish = readingDocument();
    const { told, decisionCallbacks } = recorder();
    const { api } = await openPage({ ...asking, decisionCallbacks });
    api.push(given);
    expect(told).toEqual([]);

    finish();
    expect(told).toEqual(["3001:5002"]);
  });

  test("comes from where they came from before the redirect, once they consent", async () => {
    const landed = "https://www.shop.test/green?experimentation_redirect=4001%3A5002%3A1%3Ahttps%253A%252F%252Fpartner.test%252F%3A5002";
    const campaigns = [everybodyGets([ChangeKind.Redirect, 0, "/green", 0])];
    const { api } = await openPage({ ...asking, campaigns }, { url: landed });
    expect(queues()).toEqual([]);

    api.push(given);
    expect([...globals.dataLayer[0]]).toEqual(["set", "page_referrer", "https://partner.test/"]);
    expect(globals.dataLayer[1][0]).toBe("event");
  });

  test.each([
    ["does not consent", asking, { type: "consent", granted: false }],
    ["opts out", asking, { type: "optOut" }],
    ["is not tracked", asking, { type: "disable", scope: "tracking" }],
  ] as const)("stays so who %s, whatever comes later", async (_, project, command) => {
    const { api } = await openPage(project);
    api.push(command);
    api.push(given);
    api.push({ type: "activate" });

    expect(queues()).toEqual([]);
  });

  test("is one whose browser sends Global Privacy Control", async () => {
    Object.defineProperty(navigator, "globalPrivacyControl", { value: true, configurable: true });
    await openPage(PROJECT);
    Reflect.deleteProperty(navigator, "globalPrivacyControl");

    expect(queues()).toEqual([]);
  });

  test("is one whom the page does not want tracked, from the command on", async () => {
    const { told, decisionCallbacks } = recorder();
    const { api, state } = await openPage({ ...PROJECT, decisionCallbacks });
    api.push({ type: "disable", scope: "tracking" });
    api.push({ type: "activate" });

    expect(told).toEqual(["3001:5002"]);
    expect(state.getActiveExperimentIds()).toEqual(["4001"]);
    await openPage({ ...PROJECT, decisionCallbacks }, { before: [{ type: "disable", scope: "tracking" }] });
    expect(told).toHaveLength(1);
  });
});

describe("the member's code", () => {
  test("ends what is told with the campaign it is told of", async () => {
    const { told, decisionCallbacks } = recorder();
    const silence = () => void window.experimentation.push({ type: "disable", scope: "tracking" });
    await openPage({ ...PROJECT, campaigns: [abTest(), personalization({ priorities: [[1]] })], decisionCallbacks: [...decisionCallbacks, silence] });

    expect(told).toHaveLength(1);
    expect(globals.dataLayer).toHaveLength(1);
  });
});

/** Those of the tools' globals that were made. */
const queues = (): string[] => GLOBALS.filter((name) => name in window);

/** The browser has not read the document to its end yet. */
const readingDocument = () => {
  const state = vi.spyOn(document, "readyState", "get").mockReturnValue("loading");
  return () => {
    state.mockReturnValue("interactive");
    document.dispatchEvent(new Event("DOMContentLoaded"));
  };
};
