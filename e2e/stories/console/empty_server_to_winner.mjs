/**
 * A person who has never seen Assay, in each browser: from an empty server to a running experiment that visitors in other browsers see,
 * and on to the winner that all of them see. Every click is counted.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { BROWSERS } from "../../browsers/browsers.mjs";
import { startAssay } from "../../site/assay.mjs";
import { startForwardProxy } from "../../site/forwardProxy.mjs";
import { Person } from "../../site/person.mjs";

/** From the set-up page until visitors see the experiment. */
const CLICKS_AT_MOST = 8;

/** That all of so many get the same of two variations is a wonder of one in 2^31. */
const VISITORS = 32;

/** Enough to see that one variation is for all: with two, one in 128 would not notice. */
const VISITORS_OF_WINNER = 8;

/** A story that is not at its end by then hangs: up to forty visitors come with a browser of their own each, which takes WebKit up to three seconds. */
const STORY_MS = 300_000;

const OWNER = { email: "ann@example.com", password: "correct horse battery" };

const opened = [];
after(() => Promise.all(opened.reverse().map((close) => close())));

/** A shop whose pages load what `shop.tag` says. */
const startShop = async () => {
  const shop = { tag: "" };
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><head><title>Shop</title>${shop.tag}</head><body><h1>Shop</h1></body></html>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(() => server.close());
  return Object.assign(shop, { url: `http://127.0.0.1:${server.address().port}/` });
};

const open = async (name) => {
  const [assay, proxy, shop] = await Promise.all([startAssay({ isEmpty: true }), startForwardProxy(), startShop()]);
  const [hers, theirs] = await Promise.all([BROWSERS[name](), BROWSERS[name]()]);
  opened.push(proxy.close, assay.stop, hers.close, theirs.close);
  const personAt = async (browser) => new Person(await browser.newTab(proxy.address));
  return { assay, shop, ann: await personAt(hers), visitor: () => personAt(theirs) };
};

/** The headlines that visitors see who arrive one after the other, until both were seen. */
const headlines = async ({ shop, visitor }, visitors) => {
  const seen = new Set();
  for (let count = 0; count < visitors && seen.size < 2; count += 1) {
    const person = await visitor();
    await person.open(shop.url);
    seen.add(await person.textOf("h1"));
    await person.close();
  }
  return [...seen].sort();
};

for (const name of Object.keys(BROWSERS)) {
  test(`from the set-up page to an experiment that others see, and to its winner, in ${name}`, { timeout: STORY_MS }, async () => {
    const site = await open(name);
    const { ann } = site;
    await ann.open(site.assay.setupUrl);
    await ann.fill("Your e-mail", OWNER.email);
    await ann.fill("Password", OWNER.password);
    await ann.fill("Project name", "Ann's shop");
    await ann.fill("Address of the site", site.shop.url);
    await ann.follow("Set up");
    site.shop.tag = await ann.textOf("#tag");
    ann.clicks = 0;

    await ann.follow("Campaigns");
    await ann.follow("New campaign");
    await ann.fill("Name", "Louder headline");
    await ann.click("Home page (home)");
    await ann.follow("Text", "Add a change to Variation");
    await ann.fill("CSS selector", "h1");
    await ann.fill("New text", "The best shop");
    await ann.follow("Add to the draft");
    await ann.follow("Start");
    assert.ok(ann.clicks <= CLICKS_AT_MOST, `${ann.clicks} clicks`);
    assert.deepEqual(await headlines(site, VISITORS), ["Shop", "The best shop"]);

    await ann.follow("Conclude…");
    await ann.click("Variation");
    await ann.click("Ship the winner: all visitors in its audience see it, until it is built into your site");
    await ann.follow("Conclude");
    assert.deepEqual(await headlines(site, VISITORS_OF_WINNER), ["The best shop"]);
    assert.match(await ann.textOf("main"), /concluded/);
  });
}
