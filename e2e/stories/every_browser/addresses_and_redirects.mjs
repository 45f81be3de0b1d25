/** In each browser: addresses that change while the page stays, lead elsewhere, or say who the visitor is. */

import assert from "node:assert/strict";

import { abTest, everywhere, home, pageAt, project, redirectTo } from "../../site/projects.mjs";
import { setRealStage } from "../../site/realStage.mjs";
import { stateOf } from "../../site/stateModule.mjs";

const { inEachBrowser } = setRealStage();

const FOLLOWS_ADDRESS = { activation: { type: "url_changed" } };
const ORIGINAL = { experiment: "24001", variation: "314001" };

inEachBrowser("a single-page app is followed, and what it changed is taken back", async (site) => {
  const shop = project({
    pages: [
      pageAt("/spa", { id: "1005", key: "spa", name: "Spa", ...FOLLOWS_ADDRESS, deactivation: true, undo_changes: true }),
      everywhere({ id: "1011", key: "hash", ...FOLLOWS_ADDRESS, conditions: ["or", { type: "url", match: "regex", value: "#deep$" }] }),
    ],
    campaigns: [
      abTest({ pages: ["spa"], changes: [[{ type: "text", selector: "h1", value: "Changed" }]] }),
      abTest({ id: "4002", name: "AB hash", pages: ["hash"] }),
    ],
  });
  const onSpa = stateOf(shop, { activePages: { 1005: {} }, campaigns: { 4001: ORIGINAL } });
  const left = { 4001: { ...ORIGINAL, isActive: false } };
  const route = (method, url) => site.evaluate(([name, to]) => history[name](null, "", to), [method, url]);
  await site.publish(shop);
  await site.open("/spa");
  assert.deepEqual(await site.state(), onSpa);
  assert.equal(await site.textOf("h1"), "Changed");

  await route("pushState", "/x");
  assert.deepEqual(await site.state(), stateOf(shop, { campaigns: left }));
  assert.equal(await site.textOf("h1"), "Hello");

  await site.stepBackTo("/spa");
  assert.deepEqual(await site.state(), onSpa);
  assert.equal(await site.textOf("h1"), "Changed");

  await route("replaceState", "/y");
  await site.evaluate(() => void (location.hash = "deep"));
  await site.until(() => window.experimentation.get("state").getPageStates({ isActive: true })["1011"]);
  const deep = { activePages: { 1011: {} }, campaigns: { ...left, 4002: { experiment: "24002", variation: "314002" } } };
  assert.deepEqual(await site.state(), stateOf(shop, deep));
});

inEachBrowser("a redirect tells the page it leads to where the visitor came from", async (site) => {
  const shop = project({ pages: [home], campaigns: [abTest(redirectTo("/landing"))] });
  const given = { experiment: "24001", variation: "324001" };
  const referrer = "http://www.partner.test/from";
  site.web.writePage("/from", `<!doctype html><meta name="referrer" content="unsafe-url"><script src="/reporter.js"></script>`);
  await site.publish(shop);
  await site.open(referrer);

  await site.follow("/", "/landing");
  const redirect = { experimentId: "24001", variationId: "324001", referrer };
  assert.deepEqual(await site.state(), stateOf(shop, { campaigns: { 4001: { ...given, isRedirected: true } }, redirect }));

  await site.follow("/later");
  assert.deepEqual(await site.state(), stateOf(shop, { campaigns: { 4001: { ...given, isActive: false } } }));
});

inEachBrowser("a redirect to another host carries its note there, and out of the address", async (site) => {
  const shop = project({ pages: [home], campaigns: [abTest(redirectTo("http://www.elsewhere.test/landing?a=1#b"))] });
  await site.publish(shop);
  await site.open("/?q=1", "http://www.elsewhere.test/landing?a=1#b");

  assert.deepEqual((await site.state()).getRedirectInfo, { experimentId: "24001", variationId: "324001", referrer: "" });
  assert.equal(await site.evaluate(() => location.href), "http://www.elsewhere.test/landing?a=1#b");
});

inEachBrowser("pages match addresses in all ways", async (site) => {
  const matching = {
    simple: "https://shop.test/caf%C3%A9/",
    exact: "http://www.shop.test/caf%C3%A9?size=2&size=3#top",
    substring: "size=3",
    regex: "^https?://[^/]+/caf.*#(top|bottom)$",
  };
  const other = { simple: "http://www.shop.test/", exact: "http://www.shop.test/caf%C3%A9", substring: "size=4", regex: "^/caf" };
  const pages = [matching, other].flatMap((values, group) =>
    Object.entries(values).map(([match, value], place) => ({
      id: `10${group}${place}`,
      key: `${match}-${group}`,
      name: match,
      category: "other",
      conditions: ["or", { type: "url", match, value }],
    })),
  );
  const shop = project({ pages });
  await site.publish(shop);
  await site.open("/caf%C3%A9?size=2&size=3#top");

  assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1000: {}, 1001: {}, 1002: {}, 1003: {} } }));
});

inEachBrowser("audiences are met by what the browser says of its visitor", async (site) => {
  const met = {
    query: { name: "loyal", match: "exact", value: "1" },
    cookies: { name: "plan", match: "substring", value: "pro" },
    campaign: { match: "exact", value: "spring" },
    source_type: { match: "exact", value: "campaign" },
    referrer: { match: "substring", value: "partner.test" },
    device: { value: "desktop" },
    time_and_day: { value: "00:00_23:59_monday,tuesday,wednesday,thursday,friday,saturday,sunday" },
    custom_attribute: { name: "plan", match: "regex", value: "^p.o$" },
    custom_code: { value: "return navigator.cookieEnabled" },
  };
  const audiences = Object.entries(met).map(([type, condition], place) => ({
    id: `60${place}0`,
    key: type.replaceAll("_", "-"),
    name: type,
    conditions: ["or", { type, ...condition }],
  }));
  const shop = project({
    attributes: [{ id: "7001", key: "plan" }],
    audiences,
    pages: [home],
    campaigns: [abTest({ audiences: ["and", ...audiences.map(({ key }) => key)] })],
  });
  site.web.writePage("/from", `<!doctype html><meta name="referrer" content="unsafe-url"><script src="/reporter.js"></script>`);
  await site.publish(shop);
  await site.open("/elsewhere");
  await site.evaluate(() => void (document.cookie = "plan=xproy"));
  await site.push({ type: "user", attributes: { plan: "pro" } });

  await site.open("http://www.partner.test/from");
  await site.follow("/?loyal=1&utm_campaign=spring&utm_source=letter");

  const decided = { ...ORIGINAL, audiences: audiences.map(({ id }) => id) };
  assert.deepEqual(await site.state(), stateOf(shop, { activePages: { 1001: {} }, campaigns: { 4001: decided } }));
});
