/**
 * Our integrations, each with its tool: what the tool sends over the wire to a collector of the story's own. Which tools are their own
 * libraries, and which are stood in for: site/analyticsTools.mjs.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { PARTNER } from "../../site/analyticsSite.mjs";
import { setAnalyticsStage } from "../../site/analyticsStage.mjs";
import { TOOLS, TOOLS_WITHOUT_LOADER } from "../../site/analyticsTools.mjs";
import { abTest, home, pageAt, project, redirectTo } from "../../site/projects.mjs";

const stage = setAnalyticsStage();

const GREEN = { weights: [0, 10000, 0] };

const visit = (tool, story) =>
  stage.visit((site) => {
    for (const [address, answer] of Object.entries(tool.answers)) site.write(address, JSON.stringify(answer));
    for (const [path, text] of Object.entries(tool.files ?? {})) site.write(path, text);
    site.measure({ below: tool.html });
    return story(site);
  });

const shop = (tool, parts) => project({ pages: [home], integrations: [{ type: tool.type }], ...parts });

const named = (wanted) => (sent) => sent.filter(({ name }) => name === wanted);

/** Waits until the tool has sent so many events of a name. */
const sentOf = async (site, tool, name, count) => {
  await site.arrived((received) => named(name)(tool.sent(received)).length >= count);
};

/**
 * What the tool has said of decisions, once there are so many, and one more event of the site's own: what would be told too often is
 * there before that.
 */
const decisionsOf = async (site, tool, count) => {
  await sentOf(site, tool, tool.decision.name, count);
  const markers = named("marker")(tool.sent(site.received)).length;
  await site.page.evaluate(tool.marker);
  await sentOf(site, tool, "marker", markers + 1);
  return named(tool.decision.name)(tool.sent(site.received)).map(({ name, properties }) => ({ name, properties }));
};

for (const tool of [...TOOLS, ...TOOLS_WITHOUT_LOADER]) {
  test(`${tool.name}: a landing page tells its decision once, and the page view with the referrer from before the redirect`, () =>
    visit(tool, async (site) => {
      await site.publish(shop(tool, { campaigns: [abTest(redirectTo("/landing"))] }));
      await site.comeFromPartner("/", "/landing");

      assert.deepEqual(await decisionsOf(site, tool, 1), [tool.decision]);
      await sentOf(site, tool, tool.pageView, 1);
      const sent = tool.sent(site.received);
      assert.deepEqual(
        named(tool.pageView)(sent).map(({ referrer }) => referrer),
        [PARTNER],
      );
      assert.deepEqual([...new Set(sent.map(({ referrer }) => referrer).filter(Boolean))], [PARTNER]);
    }));

  test(`${tool.name}: a tool that was there before is told of each route of a single-page app, and of no more`, () =>
    visit(tool, async (site) => {
      const green = pageAt("/green", { activation: { type: "url_changed" }, deactivation: true });
      await site.publish(shop(tool, { pages: [green], campaigns: [abTest(GREEN)] }));
      await site.open();
      await sentOf(site, tool, tool.pageView, 1);
      const route = (path) => site.page.evaluate((to) => history.pushState(null, "", to), path);

      await route("/green");
      await site.page.evaluate(() => window.experimentation.push({ type: "page", pageName: "home" }));
      assert.deepEqual(await decisionsOf(site, tool, 1), [tool.decision]);

      await route("/");
      await route("/green");
      assert.deepEqual(await decisionsOf(site, tool, 2), [tool.decision, tool.decision]);
    }));

  test(`${tool.name}: nothing is told before the visitor consents, and the decision then`, () =>
    visit(tool, async (site) => {
      await site.publish(shop(tool, { snippet: { consent: "required" }, campaigns: [abTest(GREEN)] }));
      await site.open();
      await sentOf(site, tool, tool.pageView, 1);
      assert.deepEqual(await decisionsOf(site, tool, 0), []);

      await site.page.evaluate(() => window.experimentation.push({ type: "consent", granted: true }));
      assert.deepEqual(await decisionsOf(site, tool, 1), [tool.decision]);
    }));
}

test("amplitude: the visitor's properties have the referrer from before a redirect to another site", () => {
  const amplitude = TOOLS.find(({ type }) => type === "amplitude");
  const landing = "http://www.outlet.test/landing";
  return visit(amplitude, async (site) => {
    await site.publish(shop(amplitude, { campaigns: [abTest(redirectTo(landing))] }));
    await site.comeFromPartner("/", landing);

    await sentOf(site, amplitude, "$identify", 1);
    const [{ user_properties: user }] = site.received.flatMap(({ body }) => JSON.parse(body).events).filter(isIdentify);
    const { hostname } = new URL(PARTNER);
    assert.deepEqual([user.$set.referrer, user.$set.referring_domain], [PARTNER, hostname]);
    assert.deepEqual([user.$setOnce.initial_referrer, user.$setOnce.initial_referring_domain], [PARTNER, hostname]);
  });
});

const isIdentify = ({ event_type: type }) => type === "$identify";

/** Commands that wait for a snippet, and none that comes. */
const WITHOUT_SNIPPET = {
  "nothing at all": "",
  "commands that wait": `<script>(window.experimentation = window.experimentation || []).push({ type: "activate" })</script>`,
};

for (const [left, above] of Object.entries(WITHOUT_SNIPPET)) {
  test(`plausible: where the snippet does not load and leaves ${left}, the page view is sent`, () => {
    const plausible = TOOLS.find(({ type }) => type === "plausible");
    return visit(plausible, async (site) => {
      site.write("/", `<!doctype html><title>Shop</title>${above}${plausible.html}`);
      await site.open();

      await sentOf(site, plausible, plausible.pageView, 1);
    });
  });
}

/** Every tool, and code of the member's after them. */
const EVERYTHING = project({
  pages: [home],
  campaigns: [abTest({ ...GREEN, changes: [undefined, [{ type: "text", selector: "h1", value: "Green" }]] })],
  integrations: [...TOOLS.map(({ type }) => ({ type })), { type: "callback", code: "told.push(decision.variation.name)" }],
});

const CALLBACK = "<script>told = []</script>";

/** The page as the visitor has it, and what the member's code was told. */
const outcome = (site) => site.page.evaluate(() => [document.querySelector("h1").textContent, window.told]);

test("tools that never come keep no page waiting", () =>
  stage.visit(async (site) => {
    await site.publish(EVERYTHING);
    site.measure({ below: CALLBACK + TOOLS.map(({ html }) => html).join("") });
    site.hasLibraries = false;
    await site.open();

    assert.deepEqual(await outcome(site), ["Green", ["Green"]]);
    assert.deepEqual(site.received, []);
  }));

test("tools that throw, or are no tools at all, are logged, and harm neither the page nor the member's own code", () =>
  stage.visit(async (site) => {
    await site.publish(EVERYTHING);
    const above = `<script>
      const broken = () => { throw new Error("broken") };
      dataLayer = { push: broken };
      analytics = { track: broken };
      amplitude = 1;
      Object.defineProperty(window, "_paq", { get: broken });
      plausible = "plausible";
    </script>`;
    site.measure({ above: CALLBACK + above });
    await site.open();

    assert.deepEqual(await outcome(site), ["Green", ["Green"]]);
    assert.equal(site.warnings.length, TOOLS.length);
  }));

test("code that was written for Optimizely's campaigns runs in a callback, and waits for its tool", () =>
  stage.visit(async (site) => {
    const code = `
      const campaignId = decision.id;
      const text = optimizely.get("state").getDecisionString({ campaignId, shouldCleanString: true, maxLength: 50 });
      optimizely.get("utils").waitUntil(() => window.hj).then(() => window.hj("event", text));`;
    const parts = { snippet: { global_aliases: ["optimizely"] }, integrations: [{ type: "callback", code }] };
    await site.publish(project({ pages: [home], campaigns: [abTest(GREEN)], ...parts }));
    site.measure({});
    await site.open();

    const told = await site.page.evaluate(() => new Promise((tell) => (window.hj = (...call) => tell(call))));
    assert.deepEqual(told, ["event", "AB(24001):Green(324001)"]);
  }));
