/**
 * Random project documents. Things are numbered, so that two projects, say two revisions, and the addresses and visitors made for
 * them have ids and keys in common.
 */

import fc from "fast-check";

import { names } from "./texts.mjs";
import { audienceConditions, pageConditions, trees } from "./trees.mjs";

const PAGES = 4;
const AUDIENCES = 4;
const CAMPAIGNS = 5;

export const pageKey = (place) => `page-${place}`;
const audienceKey = (place) => `audience-${place}`;
const campaignKey = (place) => `campaign-${place}`;

/** Ids of variations that any project may have: the first digits are the campaign's, then the experiment's, then its own. */
export const VARIATION_IDS = [..."0123"].flatMap((campaign) =>
  [..."01"].flatMap((experiment) => [..."012"].map((own) => `5${campaign}${experiment}${own}`)),
);

export const AUDIENCE_IDS = [...Array(AUDIENCES).keys()].map((place) => String(6000 + place));

/** Attributes that conditions and visitors may name, by key or by id. */
const ATTRIBUTES = [
  { id: "7001", key: "plan" },
  { id: "7002", key: "visits" },
];

/** A page that waits for more than its address turns active at once for those visits that say so: see inPage.mjs. */
const activations = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.constantFrom("manual", "polling", "callback", "url_changed", "dom_changed"),
);

const ACTIVATION_CODE = {
  polling: (key) => `return window.readyPages.includes(${JSON.stringify(key)})`,
  callback: (key) => `if (window.readyPages.includes(${JSON.stringify(key)})) activate()`,
};

const activationOf = (type, key) => type && { type, ...(type in ACTIVATION_CODE && { code: ACTIVATION_CODE[type](key) }) };

const pages = fc
  .array(fc.record({ name: names, conditions: pageConditions, activation: activations, deactivation: fc.boolean() }), {
    minLength: 1,
    maxLength: PAGES,
    size: "max",
  })
  .map((list) =>
    list.map(({ activation, ...page }, place) => ({
      id: String(2000 + place),
      key: pageKey(place),
      ...page,
      // What visitors did counts from then on: the page that conditions ask about is to turn active with the others.
      ...(activation && place > 0 && { activation: activationOf(activation, pageKey(place)) }),
    })),
  );

const audiences = fc
  .tuple(...Array.from({ length: AUDIENCES }, (_, place) => fc.record({ name: names, conditions: audienceConditions(place, audienceKey) })))
  .map((list) => list.map((audience, place) => ({ id: AUDIENCE_IDS[place], key: audienceKey(place), ...audience })));

/** All audiences are always there; a tree names at least one. */
const AUDIENCE_NAMES = [...AUDIENCE_IDS, ...AUDIENCE_IDS.map((_, place) => audienceKey(place))];

/** Whom an experiment is for. */
const whom = fc.oneof(fc.constant("everyone"), {
  weight: 2,
  arbitrary: trees(fc.constantFrom(...AUDIENCE_NAMES)).filter((tree) =>
    [tree].flat(Infinity).some((name) => AUDIENCE_NAMES.includes(name)),
  ),
});

/** Weights of so many things: all there is, or less. */
const weights = (count) =>
  fc.oneof(
    fc.constant(
      Array.from({ length: count }, (_, place) => Math.floor(((place + 1) * 10000) / count) - Math.floor((place * 10000) / count)),
    ),
    fc.constant(Array.from({ length: count }, (_, place) => Math.floor(10000 / count) + (place < 10000 % count ? 1 : 0))),
    fc
      .array(fc.nat({ max: 10000 }), { minLength: count, maxLength: count })
      .map((ends) => ends.sort((one, other) => one - other).map((end, place) => end - (ends[place - 1] ?? 0))),
    fc.nat({ max: count - 1 }).map((all) => Array.from({ length: count }, (_, place) => (place === all ? 10000 : 0))),
  );

/** One that is the only one of an A/B test is never archived. */
const experiments = (campaign, count, archived = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true))) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, place) =>
      fc
        .record({
          name: names,
          audiences: whom,
          variations: fc.integer({ min: 1, max: 3 }).chain((many) => variations(campaign, place, many)),
          archived,
        })
        .map((experiment) => ({
          id: `4${campaign}${place}`,
          key: `experiment-${place}`,
          ...experiment,
        })),
    ),
  );

const variations = (campaign, experiment, count) =>
  fc
    .tuple(
      weights(count),
      fc.tuple(...Array(count).fill(names)),
      fc.shuffledSubarray(["0", "1", "2"], { minLength: count }),
      fc.tuple(...Array(count).fill(fc.boolean())),
      fc.tuple(...Array(count).fill(fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)))),
    )
    .map(([shares, called, ids, archived, paused]) =>
      shares.map((weight, place) => ({
        id: `5${campaign}${experiment}${ids[place]}`,
        key: `variation-${ids[place]}`,
        name: called[place],
        weight,
        archived: weight === 0 && archived[place],
        paused: paused[place],
      })),
    );

const holdbacks = fc.oneof(fc.constantFrom(0, 0, 10000, "12.5%"), fc.nat({ max: 10000 }));

/** Of all visitors; most projects keep none back. */
const projectHoldbacks = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: holdbacks });

const statuses = fc.oneof(
  { weight: 9, arbitrary: fc.constant("running") },
  fc.constantFrom("paused", "not_started", "concluded", "archived"),
);

const campaign = (place, pageKeys) =>
  fc
    .record({
      type: fc.constantFrom("ab_test", "personalization"),
      status: statuses,
      name: names,
      pages: fc.shuffledSubarray(pageKeys, { minLength: 1 }),
      holdback: holdbacks,
    })
    .chain((fields) =>
      (fields.type === "ab_test" ? fc.constant(1) : fc.integer({ min: 1, max: 3 }))
        .chain((count) =>
          fc.record({
            experiments: fields.type === "ab_test" ? experiments(place, count, fc.constant(false)) : experiments(place, count),
            priorities: fields.type === "ab_test" ? fc.constant([]) : priorities(count),
          }),
        )
        .map((rest) => ({ id: String(3000 + place), key: campaignKey(place), ...fields, ...rest })),
    );

/** Some or all experiments, in groups; most often one group of all. */
const priorities = (count) =>
  fc.oneof(
    fc.constant([]),
    fc
      .tuple(
        fc.shuffledSubarray(
          Array.from({ length: count }, (_, place) => `experiment-${place}`),
          { minLength: 1 },
        ),
        fc.nat({ max: count }),
      )
      .map(([keys, end]) => [keys.slice(0, end), keys.slice(end)].filter((group) => group.length > 0)),
  );

/** Campaigns of which a visitor is given one at most. */
const groups = (campaigns) =>
  fc
    .shuffledSubarray(
      campaigns.map(({ key }) => key),
      { minLength: Math.ceil(campaigns.length / 2) },
    )
    .chain((members) =>
      weights(Math.max(members.length, 1)).map((shares) => members.map((campaign, place) => ({ campaign, weight: shares[place] }))),
    )
    .chain((members) => fc.constantFrom([], [{ id: "8000", key: "group", members }]));

const settings = fc.record({
  exclude_names: fc.boolean(),
  allow_force: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
});

/** @type {fc.Arbitrary<object>} a project document that the compiler accepts */
export const projects = fc.tuple(settings, projectHoldbacks, pages, audiences).chain(([snippet, holdback, pageList, audienceList]) =>
  fc
    .oneof(fc.integer({ min: 0, max: CAMPAIGNS }), fc.constant(CAMPAIGNS))
    .chain((count) =>
      fc.tuple(
        ...Array.from({ length: count }, (_, place) =>
          campaign(
            place,
            pageList.map(({ key }) => key),
          ),
        ),
      ),
    )
    .chain((campaigns) => groups(campaigns).map((list) => ({ campaigns, groups: list })))
    .map((rest) => ({
      version: 1,
      project: { id: "1000", key: "shop", name: "Shop", holdback, snippet },
      attributes: ATTRIBUTES,
      pages: pageList,
      audiences: audienceList,
      ...rest,
    })),
);
