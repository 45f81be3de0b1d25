/** htmx, as it comes from npm, with the page of the project as the guide has it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { setAnalyticsStage } from "../../site/analyticsStage.mjs";
import { KeptShop, pageOfGuide } from "../../site/keptShop.mjs";

const stage = setAnalyticsStage();

const HTMX = '<script src="/npm/htmx.org/dist/htmx.min.js"></script>';
const productPage = await pageOfGuide("htmx:");

const visit = (story, body = "") =>
  stage.visit(async (site) => {
    const shop = new KeptShop(site, { head: HTMX, body: `hx-boost="true" ${body}` });
    await shop.publish(productPage);
    await story(shop);
  });

const KEPT = { "which htmx copies": "", "of which htmx keeps no copy": 'hx-history="false"' };

for (const [pages, body] of Object.entries(KEPT)) {
  test(`of pages ${pages}, products have their changes, others have none, on the way back and forward, too, and each product counts once`, () =>
    visit(async (shop) => {
      await shop.open("/home");
      await shop.follow("/products/1");
      await shop.follow("/products/2");
      await shop.follow("/home");
      await shop.back("/products/2");
      await shop.back("/products/1");
      await shop.back("/home");
      await shop.forward("/products/1");

      assert.deepEqual(await shop.wrongFrames(), []);
      await shop.counts(5);
    }, body));
}

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

test("the first page of a visit has its changes before the rest of it is there", () =>
  visit(async (shop) => {
    shop.write("/products/1", "Product 1", { main: '<script>early = document.querySelector("h1").textContent</script>' });
    await shop.open("/products/1");

    assert.equal(await shop.page.evaluate("early"), "Changed");
    await shop.counts(1);
  }));

test("a part of a product that comes anew keeps the changes, and is no further view", () =>
  visit(async (shop) => {
    const part = '<button id="part" hx-boost="false" hx-get="/part" hx-target="h1" hx-swap="outerHTML">Reload</button>';
    shop.write("/products/1", "Product 1", { main: part });
    shop.site.write("/part", '<h1 data-name="Product 1, sold out">Sold out</h1>');
    await shop.open("/products/1");
    await shop.page.click("#part");
    await shop.shows("/products/1", "Product 1, sold out");
    await shop.follow("/home");

    assert.deepEqual(await shop.wrongFrames(), []);
    await shop.counts(1);
  }));
