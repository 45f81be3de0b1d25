/** How many views of a page of the project are counted, on a classic site and in an app. */

import { test } from "node:test";

import { setAnalyticsStage } from "../../site/analyticsStage.mjs";
import { KeptShop, pageOfGuide } from "../../site/keptShop.mjs";

const stage = setAnalyticsStage();

const productPage = await pageOfGuide("url_changed");

const visit = (story) =>
  stage.visit(async (site) => {
    const shop = new KeptShop(site, { head: "" });
    await shop.publish(productPage);
    await shop.open("/products/1");
    await story(shop);
  });

test("four products are four views on a site that loads each page", () =>
  visit(async (shop) => {
    await shop.follow("/products/2");
    await shop.follow("/products/1");
    await shop.follow("/products/2");

    await shop.counts(4);
  }));

const ROUTES = ["/products/2", "/products/3", "/products/4"];

test("they are one view in an app whose page stays active from one to the next", () =>
  visit(async (shop) => {
    await shop.page.evaluate((routes) => routes.forEach((path) => history.pushState(null, "", path)), ROUTES);

    await shop.counts(1);
  }));

test("they are four views in an app that begins a new activation with each", () =>
  visit(async (shop) => {
    for (const route of ROUTES) {
      await shop.page.evaluate((path) => {
        history.pushState(null, "", path);
        window.experimentation.push({ type: "activate" });
      }, route);
    }

    await shop.counts(4);
  }));
