/** Two tabs of one visitor: what one stores the other does not undo, and what is refused in one is refused in both. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, home, project, redirectTo } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const withAttribute = (key) => ({ id: `61${key.length}`, key: `has-${key}`, name: key, conditions: ["or", { type: "custom_attribute", name: key, match: "exists" }] });
const shop = (snippet = {}) =>
  project({
    snippet,
    attributes: ["plan", "country"].map((key, at) => ({ id: `700${at}`, key, name: key })),
    audiences: ["plan", "country"].map(withAttribute),
    pages: [everywhere()],
    campaigns: [
      abTest({ pages: ["everywhere"], weights: [5000, 5000] }),
      abTest({ id: "4002", pages: ["everywhere"], audiences: ["or", "has-plan", "has-country"] }),
    ],
  });

const OUT = { type: "optOut" };
const GIVEN = { type: "consent", granted: true };
const REFUSED = { type: "consent", granted: false };
const user = (attributes) => ({ type: "user", attributes });

/** Another tab of the same visitor. */
const openTab = async (site, address = "/") => {
  const page = await site.page.context().newPage();
  page.on("pageerror", (error) => site.faults.push(String(error)));
  await page.goto(new URL(address, site.page.url()).href);
  return page;
};

const push = (page, ...commands) => page.evaluate((list) => list.forEach((command) => window.experimentation.push(command)), commands);
const kept = (page) => page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]);
const entry = (page) => page.evaluate(() => localStorage.getItem("experimentation:1000"));
/** Tabs may have processes of their own, which hear of each other's storage a moment later: until this one has. */
const hears = (page, pattern) =>
  page.waitForFunction((source) => new RegExp(source).test(localStorage.getItem("experimentation:1000")), pattern.source);
const visitorId = (page) => page.evaluate(() => window.experimentation.get("visitor").visitorId);

const inShop = (document, story, visitor = null) =>
  stage.visit(async (site) => {
    await site.publish(document);
    await site.open();
    await story(site.page, await openTab(site), site);
  }, visitor);

test("attributes that two tabs tell are both kept", () =>
  inShop(shop(), async (one, two) => {
    await push(one, user({ plan: "pro" }));
    await hears(two, /a7000,=pro/);
    await push(two, user({ country: "NL" }));
    await hears(one, /a7001,=NL/);
    await push(one, user({ plan: "free" }));
    await hears(two, /a7000,=free/);

    assert.match(await entry(two), /a7001,=NL/);
  }));

test("an attribute that one tab forgets stays forgotten when the other stores something", () =>
  inShop(shop(), async (one, two) => {
    await push(one, user({ plan: "pro" }));
    await hears(two, /a7000,=pro/);
    await push(two, user({ plan: null }));
    await hears(one, /^(?!.*a7000,)/);
    await push(one, user({ country: "NL" }));

    assert.doesNotMatch(await entry(one), /a7000/);
  }));

test("an attribute given in one tab counts in the other from its next activation on", () =>
  inShop(shop(), async (one, two) => {
    await push(two, user({ plan: "pro" }));
    await one.waitForFunction(() => Object.keys(window.experimentation.get("visitor").custom).length);
    await push(one, { type: "activate" });

    assert.ok((await one.evaluate(() => window.experimentation.get("state").getActiveExperimentIds())).includes("24002"));
  }));

test("a variation that the site gives in one tab is not undone by the other", () =>
  inShop(shop(), async (one, two) => {
    const other = await one.evaluate(() => 1 - window.experimentation.get("state").getVariationMap()["24001"].index);
    await push(two, { type: "bucketVisitor", experimentId: "24001", variationIndex: other });
    await hears(one, new RegExp(`24001,3${other + 1}4001\\.${other}`));
    await push(one, user({ plan: "pro" }), { type: "activate" }, user({ country: "NL" }));

    assert.match(await entry(one), new RegExp(`24001,3${other + 1}4001\\.${other}`));
  }));

test("a visitor who opts out in one tab is out in all", () =>
  inShop(shop(), async (one, two) => {
    await push(two, OUT);
    await push(one, user({ plan: "pro" }), { type: "activate" }, { type: "cookieDomain", cookieDomain: "shop.test" });

    assert.deepEqual(await kept(one), ["experimentation_id=-", 0, 0]);
    assert.equal(await visitorId(one), "");
  }));

test("a visitor who opts out on another subdomain is out in all tabs", () =>
  inShop(shop(), async (one, two, site) => {
    await site.publish(shop(), "blog.shop.test");
    await two.goto("http://blog.shop.test/");
    await push(two, OUT);
    await push(one, user({ plan: "pro" }), { type: "activate" });

    assert.equal(await visitorId(one), "");
    assert.equal((await kept(one))[0], "experimentation_id=-");
  }));

for (const [where, address] of [["in one tab", "http://www.shop.test/"], ["on another subdomain", "http://blog.shop.test/"]]) {
  test(`a visitor who takes consent back ${where} has done so in all`, () =>
    stage.visit(async (site) => {
      await site.publish(shop({ consent: "required" }));
      await site.publish(shop({ consent: "required" }), "blog.shop.test");
      await site.open();
      await push(site.page, GIVEN);
      const two = await openTab(site, address);
      await push(two, GIVEN);

      await push(two, REFUSED);
      await push(site.page, user({ plan: "pro" }), { type: "activate" }, { type: "cookieDomain", cookieDomain: "shop.test" });

      assert.equal((await kept(site.page))[0], "");
      assert.equal(await visitorId(site.page), "");
      if (where === "in one tab") assert.deepEqual(await kept(site.page), ["", 0, 0]);
    }, null));
}

test("a page that empties its storage goes on, and keeps its visitor", () =>
  inShop(shop(), async (one) => {
    const id = await visitorId(one);
    await one.evaluate(() => localStorage.clear());
    await push(one, user({ plan: "pro" }));

    assert.equal(await visitorId(one), id);
    assert.match(await entry(one), new RegExp(`^2\\|${id}\\|.*a7000,=pro`));
  }));

const idCookies = async (site) => (await site.page.context().cookies()).filter(({ name }) => name === "experimentation_id");

/** A tab whose cookie was overwritten learns that with the next new thing that it is told. Tabs see each other's cookies a moment later. */
const becomesTheVisitor = (tab, id) =>
  tab.waitForFunction((stored) => {
    window.experimentation.push({ type: "user", attributes: { plan: Math.random() } });
    return window.experimentation.get("visitor").visitorId === stored;
  }, id);

test("a new visitor who opens three tabs at once is one visitor, with one variation from the next page view on", () =>
  stage.visit(async (site) => {
    await site.publish(shop());
    for (let times = 0; times < 5; times++) {
      await site.page.context().clearCookies();
      const tabs = await Promise.all([1, 2, 3].map(() => site.page.context().newPage()));
      await Promise.all(tabs.map((tab) => tab.goto(`http://www.shop.test/`)));
      const [{ value: last }] = await idCookies(site);
      await Promise.all(tabs.map((tab) => becomesTheVisitor(tab, last)));
      // What a tab has shown stays shown until its next page view.
      for (const tab of tabs) await tab.reload();
      const variations = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.experimentation.get("state").getVariationMap()["24001"].id)));
      assert.equal(new Set(variations).size, 1, variations.join());
      assert.deepEqual(
        (await idCookies(site)).map(({ value }) => value),
        [last],
      );
      await tabs[0].evaluate(() => localStorage.clear());
      await Promise.all(tabs.map((tab) => tab.close()));
    }
  }, null));

test("two tabs that are redirected at once each find their own referrer", () =>
  stage.visit(async (site) => {
    const partner = (name) => `http://www.partner.test/${name}`;
    for (const name of ["one", "two"]) site.write(partner(name), `<!doctype html><meta name="referrer" content="unsafe-url"><a href="http://www.shop.test/">shop</a>`);
    await site.publish(project({ pages: [home], campaigns: [abTest(redirectTo("/landing"))] }));
    let release;
    const bothAsked = new Promise((resolve) => (release = resolve));
    let asked = 0;
    site.beforeAnswering("/landing", () => {
      if (++asked === 2) release();
      return bothAsked;
    });
    site.write("/landing", RoutedSite.page());
    const tabs = [site.page, await site.page.context().newPage()];
    await Promise.all(tabs.map((tab, at) => tab.goto(partner(["one", "two"][at]))));

    await Promise.all(tabs.map((tab) => tab.click("a").then(() => tab.waitForURL("http://www.shop.test/landing"))));

    const referrers = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.experimentation.get("state").getRedirectInfo()?.referrer)));
    assert.deepEqual(referrers, [partner("one"), partner("two")]);
  }));
