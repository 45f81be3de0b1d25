/** Visitors who still have to consent, or whose browser says that they do not: they are in experiments, and nothing is kept of them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, pageAt, project, redirectTo } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const shop = (snippet) => project({ snippet, pages: [everywhere({ key: "home" })], campaigns: [abTest({ weights: [0, 10000, 0] })] });
const ASKING = shop({ consent: "required" });
const FREE = shop({});
const IN_GREEN = stateOf(FREE, { activePages: { 1004: {} }, campaigns: { 4001: { experiment: "24001", variation: "324001" } } });
const SILENCE = { ...stateOf(FREE, {}), getPageStates: {} };

const GIVEN = { type: "consent", granted: true };
const REFUSED = { type: "consent", granted: false };

/** All cookies of the browser, and what the page's origin stores. */
const kept = async (site) => {
  const stored = await site.page.evaluate(async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]);
  return [(await site.page.context().cookies()).map(({ name }) => name), ...stored];
};
const NOTHING = [[], 0, 0, 0];
const visitorId = (site) => site.page.evaluate(() => window.experimentation.get("visitor").visitorId);

const inShop = (document, story) =>
  stage.visit(async (site) => {
    await site.publish(document);
    await story(site);
  }, null);

test("before consent nothing is kept, also of commands, forced variations and new activations", () =>
  inShop(ASKING, async (site) => {
    await site.open("/?experimentation_x=324001");
    await site.push({ type: "user", attributes: { plan: "pro" } }, { type: "activate" }, { type: "page", pageName: "home" });

    assert.deepEqual(await site.state(), IN_GREEN);
    assert.deepEqual(await kept(site), NOTHING);
  }));

test("before consent a redirect leads on, and is known where it leads, without a trace", () =>
  stage.visit(async (site) => {
    const redirecting = project({ snippet: { consent: "required" }, pages: [pageAt("/")], campaigns: [abTest(redirectTo("/green"))] });
    await site.publish(redirecting);
    await site.openAndEndAt("/", "/green");

    const said = await site.state();
    assert.equal(said.getRedirectInfo.variationId, "324001");
    assert.equal(said.getCampaignStates["4001"].visitorRedirected, true);
    assert.deepEqual(await kept(site), NOTHING);
  }, null));

test("consent keeps what was decided, and is remembered", () =>
  inShop(ASKING, async (site) => {
    await site.open();
    const id = await visitorId(site);

    assert.deepEqual(await site.push(GIVEN), [true]);
    assert.deepEqual(await site.state(), IN_GREEN);
    assert.deepEqual(await kept(site), [["experimentation_id"], 1, 0, 0]);

    await site.open();
    assert.equal(await visitorId(site), id);
    assert.deepEqual(await site.state(), IN_GREEN);
  }));

test("consent that is known before the snippet counts from its start", () =>
  inShop(ASKING, async (site) => {
    site.write("/", RoutedSite.page({ before: `window.experimentation = [${JSON.stringify(GIVEN)}]` }));
    await site.open();

    assert.deepEqual(await site.state(), IN_GREEN);
    assert.deepEqual(await kept(site), [["experimentation_id"], 1, 0, 0]);
  }));

test("a visitor who takes consent back is forgotten", () =>
  inShop(ASKING, async (site) => {
    await site.open();
    const id = await visitorId(site);
    await site.push(GIVEN);
    await site.open("/?experimentation_x=324001");

    await site.push(REFUSED);
    assert.deepEqual(await site.state(), SILENCE);
    assert.deepEqual(await kept(site), NOTHING);

    await site.open();
    assert.notEqual(await visitorId(site), id);
    assert.deepEqual(await kept(site), NOTHING);
  }));

/** What a browser with the signal switched on tells every page. */
const signals = (name, value) => `Object.defineProperty(Navigator.prototype, "${name}", { get: () => ${JSON.stringify(value)} })`;

for (const [what, snippet, script] of [
  ["Global Privacy Control", {}, signals("globalPrivacyControl", true)],
  ["Do Not Track, where the project respects it,", { respect_dnt: true }, signals("doNotTrack", "1")],
]) {
  test(`${what} keeps the visitor out of storage`, () =>
    inShop(shop(snippet), async (site) => {
      await site.page.addInitScript(script);
      await site.open();

      assert.deepEqual(await site.state(), IN_GREEN);
      assert.deepEqual(await kept(site), NOTHING);
    }));
}

test("Global Privacy Control that is switched on later has what was kept taken away", () =>
  inShop(shop({}), async (site) => {
    await site.open();
    assert.notDeepEqual(await kept(site), NOTHING);

    await site.page.addInitScript(signals("globalPrivacyControl", true));
    await site.open();

    assert.deepEqual(await kept(site), NOTHING);
  }));

for (const [what, snippet, script] of [
  ["Global Privacy Control where the project does not respect it", { respect_gpc: false }, signals("globalPrivacyControl", true)],
  ["Global Privacy Control that is off", {}, signals("globalPrivacyControl", false)],
  ["Do Not Track", {}, signals("doNotTrack", "1")],
]) {
  test(`${what} changes nothing`, () =>
    inShop(shop(snippet), async (site) => {
      await site.page.addInitScript(script);
      await site.open();

      assert.deepEqual(await kept(site), [["experimentation_id"], 1, 0, 0]);
    }));
}

test("consent counts more than what the browser says", () =>
  inShop(ASKING, async (site) => {
    await site.page.addInitScript(signals("globalPrivacyControl", true));
    await site.open();
    await site.push(GIVEN);
    const id = await visitorId(site);

    await site.open();
    assert.equal(await visitorId(site), id);
  }));
