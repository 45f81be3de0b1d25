/**
 * Many experiments in which nothing differs, as `stories/no_false_winners.mjs` has few, and then one whose second variation loses its visitors, for the
 * alarm: `node identical/measure.mjs [EXPERIMENTS] [VISITORS]`.
 */

import { chanceResults, checkedResults, mostByChance } from "./compare.mjs";
import { openShop } from "./shop.mjs";
import { letCome } from "./visitors.mjs";

const [experiments = 500, visitors = 1000] = process.argv.slice(2).map(Number);

const inShop = async (campaigns, task) => {
  const shop = await openShop(campaigns);
  try {
    return await task(shop);
  } finally {
    await shop.close();
  }
};

const identical = await inShop(experiments, async (shop) => {
  const books = await letCome(shop, { visitors, seed: 3 });
  const { visits, accepted, sent } = books;
  return { visits, events: accepted, sent, ...(await chanceResults(shop, books)) };
});
const most = { winners: mostByChance(0.05, experiments), alarms: mostByChance(0.01, experiments) };
console.log(JSON.stringify({ experiments, visitors, ...identical, most }));

const losing = await inShop(1, async (shop) => {
  const [id] = shop.ids;
  const crashes = (shown, luck) => Boolean(shown.get(id)) && luck < 0.8;
  const books = await letCome(shop, { visitors, seed: 4, crashes });
  const { health, verdict } = await checkedResults(shop, id, books);
  return { counted: books.campaigns.get(id).visitors, ...health.sample_ratio, verdict: verdict.code };
});
console.log(JSON.stringify({ losing }));
process.exitCode = identical.winners <= most.winners && identical.alarms <= most.alarms && losing.is_alarmed ? 0 : 1;
