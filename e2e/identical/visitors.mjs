/** Visitors of a shop, and the books that are kept of what their browsers show: nothing in them comes from the server. */

import { Browser } from "./browser.mjs";

/** So many visitors are in the shop at once. */
const AT_ONCE = 16;

const VISITS_AT_MOST = 3;
/** The share of visits in which the page is still there when it sends by itself; the others are left before. */
const PATIENT = 0.2;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const draw = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * @typedef {object} Books
 * @property {Map<string, {visitors: number[], buyers: number[]}>} campaigns what visitors of each variation did
 * @property {number} accepted how many events the server took
 * @property {{fetch: number, beacon: number}} sent how many requests it got
 * @property {number} visits
 */

/**
 * Lets visitors come, one to three times each.
 * @param {object} shop where
 * @param {{visitors: number, seed: number, share?: (shown: Map<string, number>) => number, crashes?: (shown: Map<string, number>, luck: number) => boolean}} who
 *   `share` of those who are shown this, the place of the variation in each campaign, buys in a visit; for whom the page `crashes`, by what it shows and
 *   a number from 0 to 1
 * @returns {Promise<Books>}
 */
export const letCome = async (shop, { visitors, seed, share = () => 0.15, crashes = () => false }) => {
  const books = {
    campaigns: new Map(shop.ids.map((id) => [id, { visitors: [0, 0], buyers: [0, 0] }])),
    accepted: 0,
    sent: { fetch: 0, beacon: 0 },
    visits: 0,
  };
  let next = 0;
  const queue = async () => {
    while (next < visitors) {
      const number = next++;
      await comeAndGo(shop, { number, random: draw(seed * 1_000_003 + number), share, crashes }, books);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, queue));
  return books;
};

const comeAndGo = async (shop, { number, random, share, crashes }, books) => {
  const browser = new Browser({ ...shop, number });
  const luck = random();
  const visits = 1 + Math.floor(random() * VISITS_AT_MOST);
  let shown;
  let bought = false;
  for (let visit = 0; visit < visits; visit++) {
    const [buys, waits] = [random(), random() < PATIENT];
    await browser.visit(async (window, firstAnswer) => {
      shown = shownIn(window);
      if (crashes(shown, luck)) return "crash";
      if (buys < share(shown)) {
        bought = true;
        window.experimentation.push({ type: "event", eventName: "purchase", tags: { revenue: 1999 } });
      }
      // The second visit of a day may have nothing to tell.
      if (waits && (visit === 0 || buys < share(shown))) await firstAnswer;
    });
    books.visits++;
  }
  books.accepted += browser.accepted;
  for (const kind of ["fetch", "beacon"]) books.sent[kind] += browser.sent[kind];
  for (const [id, place] of crashes(shown, luck) ? [] : shown) {
    const campaign = books.campaigns.get(id);
    campaign.visitors[place]++;
    if (bought) campaign.buyers[place]++;
  }
};

/** Which variation the page shows in each campaign. */
const shownIn = (window) => {
  const states = Object.entries(window.experimentation.get("state").getCampaignStates());
  return new Map(states.map(([id, { variation }]) => [id, Number(variation.id[1]) - 1]));
};
