/** Compares what the server says of a shop's experiments with the books. */

import assert from "node:assert/strict";

/** Three standard errors above what may happen by chance. */
export const mostByChance = (share, of) => Math.floor(of * (share + 3 * Math.sqrt((share * (1 - share)) / of)));

/** The results of an experiment, which must have the counts of the books. */
export const checkedResults = async (shop, id, books) => {
  const { events, experiments } = await shop.results(id);
  assert.equal(events, books.accepted);
  const [{ results }] = experiments;
  const counted = books.campaigns.get(id);
  const conversions = results.metrics.find(({ kind }) => kind === "conversion");
  assert.deepEqual(results.variations.map(({ visitors }) => visitors), counted.visitors, id);
  assert.deepEqual(conversions.variations.map(({ total }) => total), counted.buyers, id);
  const { mixed_visitors, unknown_variations, bot_events, forced_exposures } = results.health;
  assert.deepEqual([mixed_visitors, unknown_variations, bot_events, forced_exposures], [0, 0, 0, 0]);
  return results;
};

/** How many of a shop's experiments have a winner, or an alarm, although nothing differs; each has the counts of the books. */
export const chanceResults = async (shop, books) => {
  const found = { winners: 0, alarms: 0 };
  for (const id of shop.ids) {
    const { verdict, health } = await checkedResults(shop, id, books);
    if (["better", "worse"].includes(verdict.code)) found.winners++;
    if (health.sample_ratio.is_alarmed) found.alarms++;
  }
  return found;
};
