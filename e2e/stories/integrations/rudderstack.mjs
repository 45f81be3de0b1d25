/**
 * RudderStack's SDK as it comes from npm, in the last version that brings its device-mode integrations along. The one for another
 * product's interface, a descendant of Segment's, reads ours under that product's name and sends each decision as an event.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { COLLECTOR, PARTNER } from "../../site/analyticsSite.mjs";
import { setAnalyticsStage } from "../../site/analyticsStage.mjs";
import { abTest, everywhere, home, loyal, personalization, project, redirectTo } from "../../site/projects.mjs";

const stage = setAnalyticsStage();

const CONFIG = `${COLLECTOR}/sourceConfig/`;

const RUDDERSTACK = `
<script src="/npm/rudder-sdk-js/index.js"></script>
<script>rudderanalytics.load("key", "${COLLECTOR}", { configUrl: "${CONFIG}", logLevel: "ERROR" });</script>`;

const OPTIONS = { sendExperimentTrack: true, trackCategorizedPages: true, trackNamedPages: true, revenueOnlyOnOrderCompleted: true };

const shop = (parts) => project({ pages: [home], snippet: { global_aliases: ["optimizely"] }, ...parts });

const visit = (story) =>
  stage.visit((site) => {
    const destination = { enabled: true, config: OPTIONS, destinationDefinition: { name: "OPTIMIZELY", displayName: "Optimizely Web" } };
    site.write(CONFIG, JSON.stringify({ source: { id: "shop", destinations: [destination] } }));
    site.measure({ below: RUDDERSTACK });
    return story(site);
  });

/** By campaign: requests overtake each other. */
const views = (received) =>
  received
    .map(({ body }) => JSON.parse(body))
    .filter(({ event }) => event === "Experiment Viewed")
    .sort((one, other) => one.properties.campaignId - other.properties.campaignId);

const viewsSent = (count) => (received) => views(received).length === count;

const ORIGINAL = {
  campaignName: "AB",
  campaignId: "4001",
  experimentId: "24001",
  experimentName: "AB",
  variationName: "Original",
  variationId: "314001",
  audienceId: "",
  audienceName: "",
  isInCampaignHoldback: false,
};

test("every active campaign is an event, with the audiences the visitor is in", () =>
  visit(async (site) => {
    await site.publish(shop({ audiences: [loyal], campaigns: [abTest(), personalization({ holdback: 10000 })] }));
    await site.open("/?loyal=1");

    assert.deepEqual(
      views(await site.arrived(viewsSent(2))).map(({ properties }) => properties),
      [
        ORIGINAL,
        {
          campaignName: "PZ",
          campaignId: "4006",
          experimentId: "214006",
          experimentName: "Loyal",
          variationName: "Loyal banner",
          variationId: "314006",
          audienceId: "6001",
          audienceName: "Loyal visitors",
          isInCampaignHoldback: true,
        },
      ],
    );
  }));

test("a campaign that is decided later is an event then", () =>
  visit(async (site) => {
    await site.publish(shop({ pages: [{ ...home, activation: { type: "manual" } }], campaigns: [abTest()] }));
    await site.open();
    await site.page.waitForFunction(() => window.rudderanalytics.initialized);
    await site.page.evaluate(() => window.optimizely.push({ type: "page", pageName: "home" }));

    assert.deepEqual(
      views(await site.arrived(viewsSent(1))).map(({ properties }) => properties),
      [ORIGINAL],
    );
  }));

test("on a redirect's landing page the event has the referrer from before it", () =>
  visit(async (site) => {
    await site.publish(shop({ campaigns: [abTest(redirectTo("/landing"))] }));
    await site.comeFromPartner("/", "/landing");

    const [{ properties, context }] = views(await site.arrived(viewsSent(1)));
    assert.deepEqual(
      [properties.variationName, properties.referrer, context.page.referrer],
      ["Green", PARTNER, PARTNER],
    );
  }));

test("the events of the SDK are commands of ours that listeners hear of", () =>
  visit(async (site) => {
    await site.publish(shop({ pages: [everywhere()], campaigns: [abTest({ pages: ["everywhere"] })] }));
    await site.open();
    await site.arrived(viewsSent(1));
    const heard = await site.page.evaluate(
      () =>
        new Promise((told) => {
          const handler = ({ data }) => data.eventName === "Order Completed" && told(data);
          window.optimizely.push({ type: "addListener", filter: { type: "analytics", name: "trackEvent" }, handler });
          window.rudderanalytics.track("Order Completed", { revenue: 12.5 });
        }),
    );

    assert.deepEqual([heard.eventName, heard.tags.revenue], ["Order Completed", 1250]);
  }));
