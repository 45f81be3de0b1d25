/** The visitor's cookie: how and where it is kept; and that no other server hears of the visitor. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const shop = (snippet = {}) =>
  project({ snippet, pages: [everywhere({ key: "home", conditions: [] })], campaigns: [abTest({ weights: [0, 10000, 0] })] });

/** All cookies of the browser. */
const cookies = (site) => site.page.context().cookies();
const domains = async (site) => (await cookies(site)).map(({ name, domain }) => `${name} ${domain}`);
const visitorId = (site) => site.page.evaluate(() => window.experimentation.get("visitor").visitorId);

const inShop = (address, document, story) =>
  stage.visit(async (site) => {
    await site.publish(document, new URL(address).host);
    await story(site, address);
  }, null);

for (const [address, domain, secure] of [
  ["http://www.shop.test/", ".shop.test", false],
  ["https://www.shop.test/", ".shop.test", true],
  ["https://a.b.shop.co.uk/", ".shop.co.uk", true],
  ["https://shop.github.io/", ".shop.github.io", true],
  ["http://localhost/", "localhost", false],
  ["http://127.0.0.1/", "127.0.0.1", false],
]) {
  test(`on ${address} it is kept for ${domain}, for 400 days`, () =>
    inShop(address, shop(), async (site) => {
      await site.open(address);

      const [cookie, ...others] = await cookies(site);
      assert.deepEqual(others, []);
      const { expires, value, ...rest } = cookie;
      assert.deepEqual(rest, { name: "experimentation_id", domain, path: "/", httpOnly: false, secure, sameSite: "Lax" });
      assert.equal(value, await visitorId(site));
      const days = (expires - Date.now() / 1000) / 86400;
      assert.ok(days > 399.9 && days <= 400, String(days));
    }));
}

for (const [brought, domain] of [
  ["by a week-old visit to another subdomain", ".shop.co.uk"],
  ["by the site for one host", "www.shop.co.uk"],
]) {
  test(`brought ${brought}, it is kept for the site, for 400 days`, () =>
    inShop("https://www.shop.co.uk/", shop(), async (site, address) => {
      await site.page.context().addCookies([{ name: "experimentation_id", value: "ada", domain, path: "/", expires: Date.now() / 1000 + 500 }]);

      await site.open(address);

      assert.equal(await visitorId(site), "ada");
      const [cookie, ...others] = await cookies(site);
      assert.deepEqual([cookie.value, cookie.domain, others], ["ada", ".shop.co.uk", []]);
      assert.ok(cookie.expires - Date.now() / 1000 > 399 * 86400);
    }));
}

test("the project can name its domain", () =>
  inShop("http://www.shop.test/", shop({ cookie_domain: "www.shop.test" }), async (site) => {
    await site.open();

    assert.deepEqual(await domains(site), ["experimentation_id .www.shop.test"]);
  }));

const COMMAND = { type: "cookieDomain", cookieDomain: "www.shop.test" };

test("the page can name its domain before the snippet", () =>
  inShop("http://www.shop.test/", shop(), async (site) => {
    site.write("/", RoutedSite.page({ before: `window.experimentation = [${JSON.stringify(COMMAND)}]` }));
    await site.open();
    const id = await visitorId(site);
    await site.open();

    assert.deepEqual(await domains(site), ["experimentation_id .www.shop.test"]);
    assert.equal(await visitorId(site), id);
  }));

test("the page can move it", () =>
  inShop("http://www.shop.test/", shop(), async (site) => {
    await site.open();
    const id = await visitorId(site);

    await site.push(COMMAND);

    assert.deepEqual(await domains(site), ["experimentation_id .www.shop.test"]);
    await site.open();
    assert.equal(await visitorId(site), id);
    assert.deepEqual(await domains(site), ["experimentation_id .www.shop.test"]);
  }));

test("a domain that is not the page's is passed over", () =>
  inShop("http://www.shop.test/", shop(), async (site) => {
    site.write("/", RoutedSite.page({ before: "window.experimentation = [{ type: 'cookieDomain', cookieDomain: 'else.test' }]" }));
    await site.open();

    assert.deepEqual(await domains(site), ["experimentation_id .shop.test"]);
  }));

test("no requests go out but for the page and its snippet, whatever happens on it", () =>
  inShop("http://www.shop.test/", shop({ explain: true, global_aliases: ["optimizely"] }), async (site) => {
    const asked = [];
    site.page.context().on("request", (request) => asked.push(request.url()));
    await site.open("/?experimentation_x=324001");

    await site.push(
      { type: "user", attributes: { plan: "pro" } },
      { type: "event", eventName: "bought", tags: { revenue: 990 } },
      { type: "sendEvents" },
      { type: "bucketVisitor", experimentId: "24001", variationIndex: 0 },
      { type: "activate" },
      { type: "optOut" },
    );
    await site.page.goto("about:blank");

    assert.deepEqual(asked, ["http://www.shop.test/?experimentation_x=324001", "http://www.shop.test/snippet.js"]);
  }));
