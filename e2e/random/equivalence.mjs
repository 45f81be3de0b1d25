/** Whether the page does what `assay decide` says: both sides of a batch of page views, brought into one form. */

import { isDeepStrictEqual } from "node:util";

import { compiled, decided } from "../site/commands.mjs";
import { play } from "./inPage.mjs";
import { Memory, viewsOf } from "./playedVisits.mjs";

/**
 * @typedef {object} Difference
 * @property {object} project the document
 * @property {object} visit what was asked
 * @property {object} page what the page did, as a visitor's scripts see it
 * @property {object} answer what `assay decide` said, in the same form
 * @property {object[]} campaigns how `assay decide` explained it
 */

/**
 * Plays a batch in the page, asks about it, and compares.
 * @param {import("playwright-core").Page} tab on a page of the batch's origin
 * @param {{origin: string, before: object, now: object, visitors: import("./visits.mjs").Visitor[]}} batch
 * @returns {Promise<{count: number, difference?: Difference}>} how many page views there were, and the first that differs
 */
export const compare = async (tab, { origin, before, now, visitors }) => {
  const revisions = { before, now };
  const players = visitors.map((visitor) => ({ ...visitor, views: viewsOf(origin, visitor, revisions) }));
  const [earlier, present] = await Promise.all([before, now].map(compiled));
  const snippets = { before: earlier, now: present };
  const campaignIds = [...before.campaigns, ...now.campaigns].map(({ id }) => id);
  const played = await tab.evaluate(play, { snippets, campaignIds, visitors: players });
  const cases = players.flatMap((visitor, number) =>
    visitor.views.map((view, place) => ({ visitor, number, view, place, said: played[number][place], project: revisions[view.revision] })),
  );
  const difference = await firstDifference(cases, new Map(players.map((_, number) => [number, new Memory()])));
  return { count: cases.length, difference };
};

/** Asks about all first views, then about all second ones: each needs what the one before left behind. */
const firstDifference = async (cases, memories) => {
  const turns = Math.max(...cases.map(({ place }) => place)) + 1;
  for (let turn = 0; turn < turns; turn++) {
    for (const revision of ["before", "now"]) {
      const asked = cases
        .filter(({ place, view }) => place === turn && view.revision === revision)
        .map((each) => ({ ...each, visit: memories.get(each.number).visit(each.visitor, each.view) }));
      const answers =
        asked.length > 0
          ? await decided(
              asked[0].project,
              asked.map(({ visit }) => visit),
            )
          : [];
      for (const [at, { number, view, project, visit, said }] of asked.entries()) {
        const page = fromPage(project, said);
        const answer = fromAnswer(project, answers[at]);
        if (!isDeepStrictEqual(page, answer)) return { project, visit, page, answer, campaigns: answers[at].campaigns };
        memories.get(number).note(project, view, said, answers[at]);
      }
    }
  }
  return undefined;
};

const fromPage = (
  project,
  { address, visitorId, pages, campaigns, activeExperimentIds, variationMap, decisionStrings, decided: decidedIds },
) => ({
  visitorId,
  address,
  pages: byId(Object.values(pages).map(({ id, name, apiName, isActive }) => [id, { key: apiName, name, isActive }])),
  // What is only remembered of earlier page views is not active.
  activeWithoutDecision: Object.values(campaigns).filter(({ id, isActive }) => isActive && !decidedIds.includes(id)),
  campaigns: byId(
    decidedIds.map((id) => {
      const { campaignName, experiment, variation, isActive, isInCampaignHoldback, audiences } = campaigns[id];
      const index = variation && variationMap[experiment.id].index;
      return [
        id,
        {
          name: campaignName,
          experiment,
          variation: variation && { ...variation, index },
          isActive,
          isHeldBack: isInCampaignHoldback,
          audiences,
          decisionString: decisionStrings[id],
        },
      ];
    }),
  ),
  activeExperimentIds,
  variationMap: withoutLostPlaces(project, variationMap),
});

const fromAnswer = (project, answer) => ({
  visitorId: answer.visitor_id,
  address: answer.url,
  pages: byId(answer.pages.map(({ id, name, key, is_active: isActive }) => [id, { key, name, isActive }])),
  activeWithoutDecision: [],
  campaigns: byId(
    answer.campaigns
      .filter((campaign) => campaign.is_decided)
      .map(({ id, name, experiment, variation, is_held_back: isHeldBack, audiences, decision_string: decisionString }) => [
        id,
        {
          name,
          experiment: experiment && { id: experiment.id, name: experiment.name },
          variation: variation && { id: variation.id, name: variation.name, index: variation.index },
          isActive: variation !== null,
          isHeldBack,
          audiences,
          decisionString,
        },
      ]),
  ),
  activeExperimentIds: answer.active_experiment_ids,
  variationMap: withoutLostPlaces(project, answer.variation_map),
});

/** The place that a variation had which is gone by now is known to the page alone: `assay decide` is not told. */
const withoutLostPlaces = ({ campaigns }, map) => {
  const running = campaigns.filter(({ status }) => status === "running");
  const used = running.flatMap(({ experiments }) => experiments.filter(({ archived }) => !archived));
  const known = used.flatMap(({ variations }) => variations.filter(({ archived }) => !archived).map(({ id }) => id));
  return byId(
    Object.entries(map).map(([experiment, { id, name, index }]) => [experiment, { id, name, index: known.includes(id) ? index : null }]),
  );
};

const byId = (entries) => Object.fromEntries(entries.sort());
