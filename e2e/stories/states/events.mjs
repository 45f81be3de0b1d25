/** What listeners of the page hear, in which order, and what the state module says meanwhile. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, home, loyal, nobody, personalization, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const SHOP = project({
  audiences: [loyal, nobody],
  pages: [home],
  campaigns: [
    abTest(),
    abTest({ id: "4002", name: "AB no traffic", holdback: 10000 }),
    abTest({ id: "4009", name: "AB nobody", audiences: "nobody" }),
    personalization(),
    personalization({ id: "4007", name: "PZ held back", holdback: 10000 }),
  ],
});

/** Listens from before the snippet on. */
const LISTENING = RoutedSite.page({
  before: `
    window.heard = [];
    window.experimentation = [{ type: "addListener", handler(event) {
      window.heard.push({ ...event, active: window.experimentation.get("state").getActiveExperimentIds().length });
    } }];`,
});

const listening = (story) =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write("/", LISTENING);
    await site.open();
    await story(site, await site.page.evaluate(() => window.heard));
  });

test("the snippet is there first, then its pages, then its campaigns, and the activation ends", () =>
  listening(async (_, heard) => {
    const decided = Array(5).fill("campaignDecided");
    assert.deepEqual(
      heard.map(({ name }) => name),
      ["initialized", "pageActivated", ...decided, "activated"],
    );
    assert.ok(heard.every(({ type }) => type === "lifecycle"));
  }));

test("each campaign is told with its decision, also who is in none and who is held back", () =>
  listening(async (_, heard) => {
    const decisions = heard.filter(({ name }) => name === "campaignDecided").map(({ data }) => data);
    const of = (campaignId, experimentId, variationId, isCampaignHoldback, name) => ({
      campaign: { id: campaignId, name },
      decision: { campaignId, experimentId, variationId, isCampaignHoldback },
      audiences: [],
    });
    assert.deepEqual(decisions, [
      of("4001", "24001", "314001", false, "AB"),
      of("4002", "24002", "314002", true, "AB no traffic"),
      of("4009", null, null, false, "AB nobody"),
      of("4006", "224006", "324006", false, "PZ"),
      of("4007", "224007", "324007", true, "PZ held back"),
    ]);
  }));

test("the state module knows all decisions as soon as one is told", () =>
  listening(async (_, heard) => {
    const active = heard.filter(({ name }) => name === "campaignDecided").map((event) => event.active);
    assert.deepEqual(active, [4, 4, 4, 4, 4]);
  }));

test("the site's own events are passed on, and so is the wish to hold and send them", () =>
  listening(async (site, before) => {
    const known = await site.push(
      { type: "event", eventName: "bought", tags: { revenue: 1290 } },
      { type: "holdEvents" },
      { type: "sendEvents" },
      { type: "page", pageName: "home", isActive: false },
      { type: "page", pageName: "home" },
      { type: "nothing of ours" },
    );

    assert.deepEqual(known, [true, true, true, true, true, false]);
    const heard = await site.page.evaluate((from) => window.heard.slice(from), before.length);
    assert.deepEqual(
      heard.slice(0, 3).map(({ type, name, data }) => ({ type, name, data })),
      [
        { type: "analytics", name: "trackEvent", data: { eventName: "bought", tags: { revenue: 1290 } } },
        { type: "analytics", name: "holdEvents", data: {} },
        { type: "analytics", name: "sendEvents", data: {} },
      ],
    );
    assert.deepEqual(
      heard.slice(3, 5).map(({ name }) => name),
      ["pageDeactivated", "pageActivated"],
    );
  }));

test("a listener that throws disturbs no other", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write(
      "/",
      RoutedSite.page({
        before: `
          window.heard = [];
          window.experimentation = [
            { type: "addListener", handler() { throw new Error("the site's own fault") } },
            { type: "addListener", filter: { name: "activated" }, handler({ name }) { window.heard.push(name) }, token: "mine" },
          ];`,
      }),
    );
    await site.open();
    assert.deepEqual(await site.page.evaluate(() => window.heard), ["activated"]);

    await site.push({ type: "removeListener", token: "mine" }, { type: "activate" });

    assert.deepEqual(await site.page.evaluate(() => window.heard), ["activated"]);
  }));
