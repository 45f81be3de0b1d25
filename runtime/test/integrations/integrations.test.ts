/** What the integrations leave in the queues of tools that have not come yet. What real tools make of it: e2e/stories/integrations/. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CampaignState } from "../../types/index";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home, manualPage, personalization } from "../support/project";

const GLOBALS = ["dataLayer", "analytics", "amplitude", "_paq", "plausible"];

const given: Record<string, any> = window;

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
    given.gtmLayer = [];
    await openPage(PROJECT);

    const [experiment, variation] = ["Hero text (4001)", "Short (5002)"];
    const experience = { exp_variant_string: "assay-4001-5002", experiment, variation };
    expect([...given.dataLayer[0]]).toEqual(["event", "experience_impression", experience]);
    expect(given.gtmLayer).toEqual([{ event: "experience_impression", ...experience }]);
    const segment = { experiment_id: "4001", experiment_name: "Hero text", variation_id: "5002", variation_name: "Short", nonInteraction: 1 };
    expect(given.analytics).toEqual([["track", "Experiment Viewed", segment]]);
    expect(given.amplitude._q).toEqual([{ name: "track", args: ["$exposure", { flag_key: experiment, variant: variation }] }]);
    expect(given._paq).toEqual([["trackEvent", "Experiment", experiment, variation]]);
    expect([...given.plausible.q[0]]).toEqual(["Experiment", { props: { experiment, variation }, interactive: false }]);
  });

  test("goes to the tool itself once that is there", async () => {
    const track = vi.fn();
    Object.assign(window, { analytics: { track }, amplitude: { track }, plausible: track });
    await openPage(PROJECT);

    expect(track.mock.calls.map(([name]) => name)).toEqual(["Experiment Viewed", "$exposure", "Experiment"]);
  });

  test("goes to one measurement id where the project says so", async () => {
    await openPage({ ...PROJECT, gtagTarget: "G-ABC" });

    expect(given.dataLayer[0][2].send_to).toBe("G-ABC");
  });

  test("keeps its ids within a hundred characters, whatever the names", async () => {
    const named = abTest({ ends: [0, 10000] });
    await openPage({ ...PROJECT, campaigns: [[named[0], "x".repeat(200), ...named.slice(2)] as never] });

    const { experiment } = given.dataLayer[0][2];
    expect([experiment.length, experiment.slice(-6)]).toEqual([100, "(4001)"]);
  });

  test("reaches the other tools, and the page, when one tool throws", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    const broken = () => {
      throw new Error("broken");
    };
    Object.assign(window, { dataLayer: { push: broken }, analytics: { track: broken } });
    const { told, decisionCallbacks } = recorder();
    await openPage({ ...PROJECT, decisionCallbacks: [broken, ...decisionCallbacks] });

    expect(given._paq).toHaveLength(1);
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
    expect(given.dataLayer).toHaveLength(1);
    expect(given.dataLayer[0][2]).toMatchObject({ exp_variant_string: "assay-4102-holdback", variation: "holdback" });
  });

  test("without a variation is not told", async () => {
    const { told, decisionCallbacks } = recorder();
    await openPage({ ...PROJECT, campaigns: [abTest({ ends: [0, 0] })], decisionCallbacks });

    expect(told).toEqual([]);
    expect(given.dataLayer).toBeUndefined();
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

/** The browser has not read the document to its end yet. */
const readingDocument = () => {
  const state = vi.spyOn(document, "readyState", "get").mockReturnValue("loading");
  return () => {
    state.mockReturnValue("interactive");
    document.dispatchEvent(new Event("DOMContentLoaded"));
  };
};
