/** Turbo, as it comes from npm, with the page of the project as the guide has it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { setAnalyticsStage } from "../../site/analyticsStage.mjs";
import { KeptShop, pageOfGuide } from "../../site/keptShop.mjs";

const stage = setAnalyticsStage();

const TURBO = '<script src="/npm/@hotwired/turbo/dist/turbo.es2017-umd.js"></script>';
const productPage = await pageOfGuide("turbo:");

const visit = (story, head = "") =>
  stage.visit(async (site) => {
    const shop = new KeptShop(site, { head: TURBO + head });
    await shop.publish(productPage);
    await story(shop);
  });

test("products have their changes, other pages have none, on the way back and forward, too, and each product counts once", () =>
  visit(async (shop) => {
    await shop.open("/home");
    await shop.follow("/products/1");
    await shop.follow("/products/2");
    await shop.follow("/home");
    // Turbo shows its copy of this one before it has the page.
    await shop.follow("/products/1");
    await shop.back("/home");
    await shop.back("/products/2");
    await shop.forward("/home");
    await shop.forward("/products/1");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(5);
  }));

test("the same holds for pages of which Turbo keeps no copy", () =>
  visit(async (shop) => {
    await shop.open("/products/1");
    await shop.follow("/products/2");
    await shop.follow("/home");
    await shop.back("/products/2");
    await shop.forward("/home");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(3);
  }, '<meta name="turbo-cache-control" content="no-cache">'));

test("a form leads from a product to a page without changes, and back", () =>
  visit(async (shop) => {
    shop.write("/products/1", "Product 1", { main: '<form action="/buy" method="post"><button id="buy">Buy</button></form>' });
    shop.site.write("/buy", "", { status: 303, headers: { location: "/cart" } });
    await shop.open("/products/1");
    await shop.page.click("#buy");
    await shop.shows("/cart");
    await shop.back("/products/1");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(2);
  }));

test("a form that says what is wrong with it shows the product with its changes, as the same view", () =>
  visit(async (shop) => {
    shop.write("/products/1", "Product 1", { main: '<form action="/buy" method="post"><button id="buy">Buy</button></form>' });
    shop.write("/buy", "Product sold out", { answer: { status: 422 } });
    await shop.open("/products/1");
    await shop.page.click("#buy");
    await shop.shows("/products/1", "Product sold out");
    await shop.follow("/home");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(1);
  }));

test("the first page of a visit has its changes before the rest of it is there", () =>
  visit(async (shop) => {
    shop.write("/products/1", "Product 1", { main: '<script>early = document.querySelector("h1").textContent</script>' });
    await shop.open("/products/1");

    assert.equal(await shop.page.evaluate("early"), "Changed");
    await shop.counts(1);
  }));

test("places within a page are no further views, and the changes stay", () =>
  visit(async (shop) => {
    shop.write("/products/1", "Product 1", { main: '<a id="to" href="#details">Details</a><p id="details">It is blue.</p>' });
    await shop.open("/products/1");
    await shop.page.click("#to");
    await shop.shows("/products/1#details", "Product 1");
    await shop.back("/products/1");
    await shop.forward("/products/1#details", "Product 1");
    await shop.follow("/home");
    await shop.back("/products/1#details", "Product 1");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(2);
  }));

const SOLD_OUT = "Product 1, sold out";

test("a product that is refreshed by morphing keeps its changes, and is no further view", () =>
  visit(async (shop) => {
    await shop.open("/products/1");
    shop.write("/products/1", SOLD_OUT);
    await shop.page.evaluate(() => window.Turbo.session.refresh(location.href));
    await shop.shows("/products/1", SOLD_OUT);
    await shop.follow("/home");
    await shop.back("/products/1", SOLD_OUT);

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(2);
  }, '<meta name="turbo-refresh-method" content="morph"><meta name="turbo-refresh-scroll" content="preserve">'));

test("a product with a link to itself keeps its changes, and is no further view", () =>
  visit(async (shop) => {
    await shop.open("/products/1");
    shop.write("/products/1", SOLD_OUT);
    await shop.follow("/products/1", SOLD_OUT);
    await shop.follow("/home");
    await shop.back("/products/1", SOLD_OUT);

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(2);
  }));

test("a frame that advances the address is a further view, and the changes around it stay", () =>
  visit(async (shop) => {
    const reviews = (page) => `<turbo-frame id="reviews"><a data-turbo-action="advance" href="/products/1?page=${page + 1}">More than ${page}</a></turbo-frame>`;
    shop.write("/products/1", "Product 1", { main: reviews(1) });
    await shop.open("/products/1");
    const loaded = shop.page.evaluate(() => new Promise((resolve) => addEventListener("turbo:load", () => resolve(), { once: true })));
    await shop.page.click("#reviews a");
    await loaded;
    await shop.shows("/products/1?page=2", "Product 1");
    await shop.back("/products/1");
    await shop.follow("/home");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(3);
  }));

test("an address that leads on to a page without changes is no view of a product", () =>
  visit(async (shop) => {
    shop.site.write("/products/2", "", { status: 302, headers: { location: "/cart" } });
    await shop.open("/home");
    await shop.page.click('nav a[href="/products/2"]');
    await shop.shows("/cart");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(0);
  }));
