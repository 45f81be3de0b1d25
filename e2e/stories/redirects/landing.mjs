/** The page that a redirect leads to: what the state module says there, and for how long. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, home, loyal, pageAt, project, redirectTo } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const PARTNER = "http://www.partner.test/from";
/** A page of another site that tells where its visitors come from. */
const PARTNER_PAGE = `<!doctype html><meta name="referrer" content="unsafe-url"><h1>Partner</h1>`;

const SHOP = project({ pages: [home], campaigns: [abTest(redirectTo("/landing"))] });
const GIVEN = { experiment: "24001", variation: "324001" };
const INFO = { experimentId: "24001", variationId: "324001", referrer: PARTNER };

const LANDED = stateOf(SHOP, { campaigns: { 4001: { ...GIVEN, isRedirected: true } }, redirect: INFO });
const AFTERWARDS = stateOf(SHOP, { campaigns: { 4001: { ...GIVEN, isActive: false } } });

/** The visitor comes to the front page from the partner's, and ends on the landing page. */
const land = (story, prepare = () => {}) =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    site.write(PARTNER, PARTNER_PAGE);
    prepare(site);
    await site.open(PARTNER);
    await site.follow("/", "/landing");
    await story(site);
  });

test("the campaign is active and redirected, and the referrer is the one from before", () =>
  land(async (site) => {
    assert.deepEqual(await site.state(), LANDED);
    assert.deepEqual(site.visited.slice(1), ["http://www.shop.test/", "http://www.shop.test/landing"]);
  }));

test("that holds for the page view, whatever happens in it", () =>
  land(async (site) => {
    await site.push({ type: "activate" });
    assert.deepEqual(await site.state(), LANDED);

    await site.page.evaluate(() => history.pushState(null, "", "/landing/more"));
    await site.push({ type: "activate" });
    assert.deepEqual(await site.state(), LANDED);
  }));

test("it does not hold for the same page loaded again", () =>
  land(async (site) => {
    await site.page.reload();
    assert.deepEqual(await site.state(), AFTERWARDS);
  }));

test("it does not hold for the next page of a visitor in a hurry, nor on the way back", () =>
  land(async (site) => {
    await site.follow("/next");
    assert.deepEqual(await site.state(), AFTERWARDS);

    await site.page.goBack();
    assert.deepEqual(await site.state(), AFTERWARDS);
  }));

test("a landing page that takes a day to come is told all the same", () =>
  land(
    async (site) => assert.deepEqual(await site.state(), LANDED),
    (site) => site.write("/landing", RoutedSite.page({ before: "const then = Date.now; Date.now = () => then() + 24 * 60 * 60 * 1000" })),
  ));

test("a landing page without the snippet leaves nothing for the next one to claim", () =>
  land(
    async (site) => {
      await site.follow("/next");
      assert.deepEqual(await site.state(), AFTERWARDS);
    },
    (site) => site.write("/landing", "<!doctype html><h1>Without</h1>"),
  ));

test("a visitor who comes from no page has no referrer before the redirect", () =>
  stage.visit(async (site) => {
    await site.publish(SHOP);
    await site.openAndEndAt("/", "/landing");

    assert.deepEqual((await site.state()).getRedirectInfo, { ...INFO, referrer: "" });
  }));

test("audiences on the landing page see the original referrer and source", () =>
  stage.visit(async (site) => {
    const fromPartner = {
      id: "6003",
      key: "from-partner",
      name: "From the partner",
      conditions: [
        "and",
        { type: "referrer", match: "simple", value: PARTNER },
        { type: "source_type", match: "exact", value: "referral" },
      ],
    };
    const shop = project({
      audiences: [fromPartner],
      pages: [home, pageAt("/landing", { id: "1002", key: "landing" })],
      campaigns: [
        abTest(redirectTo("/landing")),
        abTest({ id: "4002", name: "AB landing", pages: ["landing"], audiences: "from-partner" }),
      ],
    });
    await site.publish(shop);
    site.write(PARTNER, PARTNER_PAGE);
    await site.open(PARTNER);
    await site.follow("/", "/landing");

    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        activePages: { 1002: {} },
        campaigns: { 4001: { ...GIVEN, isRedirected: true }, 4002: { experiment: "24002", variation: "314002", audiences: ["6003"] } },
        redirect: INFO,
      }),
    );
  }));

test("on a landing page of the same campaign the redirect stands, though its audience no longer holds", () =>
  stage.visit(async (site) => {
    const shop = project({
      audiences: [loyal],
      pages: [everywhere()],
      campaigns: [abTest({ ...redirectTo("/landing"), pages: ["everywhere"], audiences: "loyal" })],
    });
    await site.publish(shop);
    await site.openAndEndAt("/?loyal=1", "/landing");

    const campaigns = { 4001: { ...GIVEN, isRedirected: true, audiences: ["6001"] } };
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1004: {} }, campaigns, redirect: { ...INFO, referrer: "" } }));

    await site.page.reload();
    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        activePages: { 1004: {} },
        campaigns: { 4001: { experiment: null, variation: null } },
        remembered: { 24001: { id: "324001", name: "Green", index: 1 } },
      }),
    );
  }));

test("of a campaign that is gone by then only redirect info and the map's entry are left, where the project asks for landings", () =>
  stage.visit(async (site) => {
    const shop = project({
      snippet: { landings: true },
      pages: [pageAt("/landing", { id: "1002", key: "landing" })],
      campaigns: [abTest({ id: "4002", name: "AB landing", pages: ["landing"] })],
    });
    await site.publish(SHOP);
    await site.open("/elsewhere");
    site.beforeAnswering("/landing", () => site.publish(shop));
    await site.follow("/", "/landing");

    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        activePages: { 1002: {} },
        campaigns: { 4002: { experiment: "24002", variation: "314002" } },
        remembered: { 24001: { id: "324001", name: null, index: 1 } },
        redirect: { ...INFO, referrer: "http://www.shop.test/elsewhere" },
        gone: ["4001"],
      }),
    );
  }));

test("a project without redirects knows of none", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home], campaigns: [abTest()] });
    await site.publish(SHOP);
    await site.open("/elsewhere");
    site.beforeAnswering("/landing", () => site.publish(shop));
    await site.follow("/", "/landing");

    assert.equal((await site.state()).getRedirectInfo, null);
  }));

test("a visitor who is held back, or looks at another variation, stays", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home], campaigns: [abTest({ ...redirectTo("/landing"), holdback: 10000 })] });
    await site.publish(shop);
    await site.open("/");
    assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1001: {} }, campaigns: { 4001: { ...GIVEN, isHeldBack: true } } }));

    await site.publish(SHOP);
    await site.open("/?experimentation_x=314001");
    assert.equal(site.page.url(), "http://www.shop.test/?experimentation_x=314001");
  }));

test("a redirect that is forced is followed, and no part of the visitor's history", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home], campaigns: [abTest({ ...redirectTo("/landing"), weights: [10000, 0] })] });
    await site.publish(shop);
    await site.openAndEndAt("/?experimentation_x=324001", "/landing");
    assert.deepEqual(
      await site.state(),
      stateOf(shop, { campaigns: { 4001: { ...GIVEN, isRedirected: true } }, redirect: { ...INFO, referrer: "" } }),
    );

    await site.open("/next?experimentation_x=");
    assert.deepEqual(await site.state(), stateOf(shop, {}));
  }));
