/**
 * Snowplow's own plugin for Optimizely's interface, as it comes from npm, with Snowplow's own tracker: it finds that interface
 * under that product's name, and every event has the visitor's experiments as contexts.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { COLLECTOR } from "../../site/analyticsSite.mjs";
import { setAnalyticsStage } from "../../site/analyticsStage.mjs";
import { abTest, home, loyal, personalization, project } from "../../site/projects.mjs";

const stage = setAnalyticsStage();

const SNOWPLOW = `
<script src="/npm/@snowplow/browser-tracker/dist/index.umd.min.js"></script>
<script src="/npm/@snowplow/browser-plugin-optimizely-x/dist/index.umd.min.js"></script>
<script>
  snowplow = snowplowBrowserTracking;
  snowplow.newTracker("shop", "${COLLECTOR}", { appId: "shop", eventMethod: "post", bufferSize: 1, plugins: [snowplowOptimizelyX.OptimizelyXPlugin()] });
  snowplow.trackPageView();
</script>`;

const SCHEMA = "iglu:com.optimizely.optimizelyx/summary/jsonschema/1-0-0";

const shop = (parts) => project({ pages: [home], snippet: { global_aliases: ["optimizely"] }, ...parts });

/** The plugin's contexts of each event that was sent. */
const summaries = (received) =>
  received
    .flatMap(({ body }) => JSON.parse(body).data)
    .map(({ cx }) => JSON.parse(Buffer.from(cx, "base64url").toString()).data)
    .map((contexts) => contexts.filter(({ schema }) => schema === SCHEMA).map(({ data }) => data));

const eventsSent = (count) => (received) => received.length === count;

test("every active experiment is a context of every event, with the visitor's id", () =>
  stage.visit(async (site) => {
    const audiences = [loyal];
    const campaigns = [abTest(), abTest({ id: "4002", holdback: 10000 }), personalization(), abTest({ id: "4003", audiences: "loyal" })];
    await site.publish(shop({ audiences, campaigns }));
    site.measure({ below: SNOWPLOW });
    await site.open();

    const visitorId = "visitor-1";
    assert.deepEqual(summaries(await site.arrived(eventsSent(1))), [
      [
        { experimentId: 24001, variationName: "Original", variation: 314001, visitorId },
        { experimentId: 24002, variationName: "Original", variation: 314002, visitorId },
        { experimentId: 224006, variationName: "Default banner", variation: 324006, visitorId },
      ],
    ]);
  }));

test("names that are kept out of the snippet are null", () =>
  stage.visit(async (site) => {
    await site.publish(shop({ campaigns: [abTest()], snippet: { global_aliases: ["optimizely"], exclude_names: true } }));
    site.measure({ below: SNOWPLOW });
    await site.open();

    assert.deepEqual(summaries(await site.arrived(eventsSent(1))), [
      [{ experimentId: 24001, variationName: null, variation: 314001, visitorId: "visitor-1" }],
    ]);
  }));

test("events after a further activation have the experiments of then", () =>
  stage.visit(async (site) => {
    await site.publish(shop({ pages: [{ ...home, activation: { type: "manual" } }], campaigns: [abTest()] }));
    site.measure({ below: SNOWPLOW });
    await site.open();
    await site.arrived(eventsSent(1));
    await site.page.evaluate(() => {
      window.optimizely.push({ type: "page", pageName: "home" });
      window.snowplow.trackPageView();
    });

    assert.deepEqual(
      summaries(await site.arrived(eventsSent(2))).map((contexts) => contexts.map(({ experimentId }) => experimentId)),
      [[], [24001]],
    );
  }));

test("a tracker that is there before the snippet finds it with the first event after that", () =>
  stage.visit(async (site) => {
    await site.publish(shop({ campaigns: [abTest()] }));
    site.measure({ above: `<script>window.optimizely = []</script>${SNOWPLOW.replace("snowplow.trackPageView()", "")}` });
    await site.open();
    await site.page.evaluate(() => window.snowplow.trackPageView());

    assert.equal(summaries(await site.arrived(eventsSent(1)))[0].length, 1);
  }));
