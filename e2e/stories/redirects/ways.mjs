/** Where redirects lead: to other origins, through chains, never in circles, with and without the parameters of the address. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { withStorageRefused } from "../../site/browser.mjs";
import { abTest, home, pageAt, project, redirectTo } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const stage = setRoutedStage();

const FAR = "http://www.far.test/landing";
const GIVEN = { experiment: "24001", variation: "324001" };
const INFO = { experimentId: "24001", variationId: "324001", referrer: "" };

/** Writes down what a script of the page's own sees that comes right after the snippet. */
const WATCHING = RoutedSite.page({ after: "window.seen = [location.href, document.URL, history.length]" });

const addressesOf = (site) => site.visited.map((address) => address.replace(/[?&]experimentation_redirect=[^&]*/, " with a note"));

/** Waits for the end of redirects that come by the address they began at. */
const untilLanded = (site) => site.page.waitForFunction(() => window.experimentation?.get("state").getRedirectInfo());

test("to another origin it is carried in the address, and gone from there before the page's scripts can see it", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home], campaigns: [abTest(redirectTo(FAR))] });
    await site.publish(shop);
    await site.publish(shop, "www.far.test");
    site.write(FAR, WATCHING);
    await site.open("/elsewhere");
    await site.follow("/", FAR);

    assert.deepEqual(addressesOf(site), ["http://www.shop.test/elsewhere", "http://www.shop.test/", `${FAR} with a note`]);
    assert.deepEqual(await site.page.evaluate(() => window.seen), [FAR, FAR, 3]);
    assert.deepEqual(
      await site.state(),
      stateOf(shop, {
        campaigns: { 4001: { ...GIVEN, isRedirected: true } },
        redirect: { ...INFO, referrer: "http://www.shop.test/elsewhere" },
      }),
    );

    await site.page.reload();
    assert.deepEqual(await site.state(), stateOf(shop, { campaigns: { 4001: { ...GIVEN, isActive: false } } }));
  }));

test("on another origin with a project that does not know the campaign, nothing happens: an attacker can write an address", () =>
  stage.visit(async (site) => {
    const far = project({
      snippet: { landings: true },
      pages: [pageAt(FAR, { id: "1002", key: "landing" })],
      campaigns: [abTest({ id: "4002", name: "AB far", pages: ["landing"], weights: [10000, 0] })],
    });
    await site.publish(project({ pages: [home], campaigns: [abTest(redirectTo(FAR))] }));
    await site.publish(far, "www.far.test");
    await site.openAndEndAt("/", FAR);

    assert.deepEqual(
      await site.state(),
      stateOf(far, {
        activePages: { 1002: {} },
        campaigns: { 4002: { experiment: "24002", variation: "314002" } },
        gone: ["4001"],
      }),
    );
  }));

test("where the browser stores nothing the address carries it on the same origin, too", () =>
  withStorageRefused(async (context) => {
    const site = await RoutedSite.in(context);
    const shop = project({ pages: [home], campaigns: [abTest(redirectTo("/landing?a=1#part"))] });
    await site.publish(shop);
    site.write("/landing", WATCHING);
    await site.openAndEndAt("/", "/landing?a=1#part");

    assert.deepEqual(await site.state(), stateOf(shop, { campaigns: { 4001: { ...GIVEN, isRedirected: true } }, redirect: INFO }));
    assert.equal((await site.page.evaluate(() => window.seen))[0], "http://www.shop.test/landing?a=1#part");

    await site.page.reload();
    assert.deepEqual(await site.state(), stateOf(shop, {}));
  }));

test("a note that another script wrote is taken from the address and believed only if it reads like one", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home], campaigns: [abTest(redirectTo("/landing"))] });
    await site.publish(shop);
    for (const note of ["", "x", "24001", "24001:324001:x::", "%E0%A4%A", "<script>"]) {
      await site.open(`/elsewhere?a=1&experimentation_redirect=${note}&b=2`);

      assert.deepEqual(await site.state(), stateOf(shop, {}), note);
      assert.equal(site.page.url(), "http://www.shop.test/elsewhere?a=1&b=2", note);
    }
  }));

test("two pages that lead to each other end at the second", () =>
  stage.visit(async (site) => {
    const circle = project({
      pages: [home, pageAt("/two", { id: "1002", key: "two" })],
      campaigns: [abTest(redirectTo("/two")), abTest({ id: "4002", name: "AB back", pages: ["two"], ...redirectTo("/") })],
    });
    await site.publish(circle);
    await site.openAndEndAt("/", "/two");

    await site.page.waitForLoadState("networkidle");
    assert.deepEqual(addressesOf(site), ["http://www.shop.test/", "http://www.shop.test/two"]);
    // It is active on its page, though it does not lead on.
    assert.deepEqual(
      await site.state(),
      stateOf(circle, {
        activePages: { 1002: {} },
        campaigns: { 4001: { ...GIVEN, isRedirected: true }, 4002: { experiment: "24002", variation: "324002" } },
        redirect: INFO,
      }),
    );
  }));

test("a circle of redirects that may follow others ends before the first is followed again", () =>
  stage.visit(async (site) => {
    const circle = project({
      pages: [home, pageAt("/two", { id: "1002", key: "two" })],
      campaigns: [
        abTest(redirectTo("/two", { allow_chain: true })),
        abTest({ id: "4002", name: "AB back", pages: ["two"], ...redirectTo("/", { allow_chain: true }) }),
      ],
    });
    await site.publish(circle);
    await site.open("/", { waitUntil: "commit" });
    await untilLanded(site);

    await site.page.waitForLoadState("networkidle");
    assert.deepEqual(addressesOf(site), ["http://www.shop.test/", "http://www.shop.test/two", "http://www.shop.test/"]);
  }));

test("a page that leads to itself stays", () =>
  stage.visit(async (site) => {
    for (const [from, to] of [["/", "/"], ["/#part", "/#part"], ["/#part", "/"]]) {
      const shop = project({ pages: [home], campaigns: [abTest(redirectTo(to))] });
      await site.publish(shop);
      await site.open("about:blank");
      await site.open(from);

      assert.equal(site.page.url(), `http://www.shop.test${from}`);
      assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1001: {} }, campaigns: { 4001: GIVEN } }));
    }
  }));

test("to another part of the page the browser goes without loading it again, and the page view is the landing", () =>
  stage.visit(async (site) => {
    const shop = project({ pages: [home], campaigns: [abTest(redirectTo("/#part"))] });
    await site.publish(shop);
    await site.open("/");

    assert.equal(site.page.url(), "http://www.shop.test/#part");
    assert.deepEqual(addressesOf(site), ["http://www.shop.test/"]);
    const redirected = { activePages: { 1001: {} }, campaigns: { 4001: { ...GIVEN, isRedirected: true } }, redirect: INFO };
    assert.deepEqual(await site.state(), stateOf(shop, redirected));

    await site.page.evaluate(() => (location.hash = "#elsewhere"));
    await site.push({ type: "activate" });
    assert.equal(site.page.url(), "http://www.shop.test/#elsewhere");
  }));

test("a forged note on a page that its variation does not lead to, or that no visitor is given, counts for nothing and is not kept", () =>
  stage.visit(async (site) => {
    for (const [shop, path] of [
      [project({ snippet: { allow_force: false }, pages: [home], campaigns: [abTest({ ...redirectTo("/landing"), weights: [10000, 0] })] }), "/landing"],
      [project({ pages: [home], campaigns: [abTest(redirectTo("/landing"))] }), "/other"],
    ]) {
      await site.publish(shop);
      for (const note of ["24001:324001:1::", "24001:399999:1::", "99999:324001:1::"]) {
        await site.open(`${path}?experimentation_redirect=${note}`);

        assert.deepEqual(await site.state(), stateOf(shop, {}), note);
        assert.doesNotMatch((await site.page.evaluate(() => localStorage.getItem("experimentation:1000"))) ?? "", /,(324001|399999)\b/);
      }
    }
  }));

test("a chain tells of its last redirect, and of the referrer before its first", () =>
  stage.visit(async (site) => {
    const chain = project({
      pages: [home, pageAt("/two", { id: "1002", key: "two" })],
      campaigns: [
        abTest(redirectTo("/two")),
        abTest({ id: "4002", name: "AB on", pages: ["two"], ...redirectTo("/three", { allow_chain: true }) }),
      ],
    });
    await site.publish(chain);
    await site.open("/elsewhere");
    await site.follow("/", "/three");

    assert.deepEqual(addressesOf(site).slice(1), ["http://www.shop.test/", "http://www.shop.test/two", "http://www.shop.test/three"]);
    assert.deepEqual(
      await site.state(),
      stateOf(chain, {
        campaigns: { 4001: { ...GIVEN, isActive: false }, 4002: { experiment: "24002", variation: "324002", isRedirected: true } },
        redirect: { experimentId: "24002", variationId: "324002", referrer: "http://www.shop.test/elsewhere" },
      }),
    );
  }));

test("a chain over several origins keeps the first referrer, and the parameters where they are to be preserved", () =>
  stage.visit(async (site) => {
    const preserving = { preserve_parameters: true, allow_chain: true };
    const shop = project({
      pages: [home, pageAt(FAR, { id: "1002", key: "landing" })],
      campaigns: [
        abTest(redirectTo(FAR, preserving)),
        abTest({ id: "4002", name: "AB far", pages: ["landing"], ...redirectTo("/home-again?a=own", preserving) }),
      ],
    });
    await site.publish(shop);
    await site.publish(shop, "www.far.test");
    await site.open("/elsewhere");
    await site.follow("/?a=1&utm_source=letter&q=x%20y", "/home-again?a=own&utm_source=letter&q=x%20y");

    assert.deepEqual((await site.state()).getRedirectInfo, {
      experimentId: "24002",
      variationId: "324002",
      referrer: "http://www.shop.test/elsewhere",
    });
  }));

test("parameters stay behind unless they are to be preserved", () =>
  stage.visit(async (site) => {
    await site.publish(project({ pages: [home], campaigns: [abTest(redirectTo("/landing?b=2"))] }));
    await site.openAndEndAt("/?a=1", "/landing?b=2");

    assert.deepEqual((await site.state()).getRedirectInfo, INFO);
  }));

test("the destination can be worked out by code, and one that is no page's address is not followed", () =>
  stage.visit(async (site) => {
    const leadingTo = (code) => {
      const test = abTest(redirectTo("/"));
      test.experiments[0].variations[1].changes = [{ type: "redirect", destination_code: code }];
      return project({ pages: [home], campaigns: [test] });
    };
    await site.publish(leadingTo("return location.pathname + 'worked-out' + location.search"));
    await site.openAndEndAt("/?n=1", "/worked-out?n=1");

    for (const code of ["return 'javascript:alert(1)'", "throw new Error('no')", "return 'http://['", "return 'data:text/html,x'"]) {
      const shop = leadingTo(code);
      await site.publish(shop);
      await site.open("/");
      assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1001: {} }, campaigns: { 4001: GIVEN } }), code);
    }
  }));
