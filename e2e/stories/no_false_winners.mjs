/**
 * Experiments in which nothing differs, through the real snippet, its requests, the store and the results: each visitor is counted once, and
 * chance alone wins nothing. `node identical/measure.mjs` does the same with 500, and
 * loses visitors.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { chanceResults, checkedResults, mostByChance } from "../identical/compare.mjs";
import { openShop } from "../identical/shop.mjs";
import { letCome } from "../identical/visitors.mjs";

const VISITORS = 120;

const inShop = async (experiments, story) => {
  const shop = await openShop(experiments);
  try {
    await story(shop);
  } finally {
    await shop.close();
  }
};

test("of 40 experiments in which nothing differs, all counts are right, and hardly any has a winner or an alarm", () =>
  inShop(40, async (shop) => {
    const books = await letCome(shop, { visitors: VISITORS, seed: 1 });

    const { winners, alarms } = await chanceResults(shop, books);

    assert.ok(winners <= mostByChance(0.05, 40), `${winners} winners`);
    assert.ok(alarms <= mostByChance(0.01, 40), `${alarms} alarms`);
    assert.ok(books.sent.fetch > 80, JSON.stringify(books.sent));
  }));

test("as many visitors find an effect", () =>
  inShop(1, async (shop) => {
    const [id] = shop.ids;
    const share = (shown) => (shown.get(id) ? 0.7 : 0.05);

    const books = await letCome(shop, { visitors: VISITORS, seed: 2, share });

    const { verdict, health } = await checkedResults(shop, id, books);
    assert.equal(verdict.code, "better", JSON.stringify([verdict, books.campaigns.get(id)]));
    assert.equal(health.sample_ratio.is_alarmed, false);
  }));
