/** Projects that ask something of their visitors, and what they were answered: one campaign on all pages for each question. */

import { abTest, everywhere, pageAt, project } from "./projects.mjs";

/**
 * A project with an audience and a campaign for each of the conditions. There is also a page `pricing`, at that path.
 * @param {Record<string, object | unknown[]>} questions by a key of the story's own
 * @param {object} [snippet]
 */
export const asking = (questions, snippet = {}) =>
  project({
    snippet,
    pages: [everywhere(), pageAt("/pricing", { id: "1002", key: "pricing", name: "Pricing" })],
    audiences: Object.entries(questions).map(([key, conditions], place) => ({ id: String(6010 + place), key, conditions: [conditions] })),
    campaigns: Object.keys(questions).map((key, place) =>
      abTest({ id: String(4010 + place), name: key, audiences: key, pages: ["everywhere"], weights: [0, 10000] }),
    ),
  });

/** What the visitor is, by question. What is not decided is false if it was earlier, and else not there. */
export const answers = (site) =>
  site.page.evaluate(() => {
    const states = Object.values(window.experimentation.get("state").getCampaignStates());
    return Object.fromEntries(states.map(({ campaignName, isActive }) => [campaignName, isActive]));
  });

/** What is stored of the visitor: all of it, or nothing. */
export const stored = (site) => site.page.evaluate(() => localStorage.getItem("experimentation:1000"));
