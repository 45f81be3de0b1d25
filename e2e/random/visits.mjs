/** Random visitors, and what they bring to each of their page views. */

import fc from "fast-check";

import { AUDIENCE_IDS, pageKey, VARIATION_IDS } from "./projects.mjs";
import { EVENTS, FRAGMENTS, LANGUAGES, localTimes, LOCATIONS, NAMES, PATHS, RAW_VALUES, REFERRERS, USER_AGENTS, values, visitorIds } from "./texts.mjs";

const ids = (known) =>
  fc
    .oneof({ weight: 3, arbitrary: fc.subarray(known, { maxLength: Math.min(known.length, 8) }) }, fc.constantFrom([], ["1"], ["", "x"]))
    .map(String);

/** Parameters with and without a value, twice, empty, ours; none that switches the snippet off. */
const parameters = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom("", ...RAW_VALUES.map((value) => `=${value}`)))
      .map(([name, value]) => name + value),
  },
  { weight: 2, arbitrary: fc.constantFrom("", "=", "=x", "?a=1", "?", "experimentation_y=1", "experimentation_=", "xexperimentation_x=1") },
  { weight: 1, arbitrary: ids(VARIATION_IDS).map((list) => `experimentation_x=${list}`) },
  { weight: 1, arbitrary: ids(AUDIENCE_IDS).map((list) => `experimentation_x_audiences=${list}`) },
);

const queries = fc.oneof(fc.constantFrom("", "?"), {
  weight: 5,
  arbitrary: fc.array(parameters, { maxLength: 4 }).map((list) => (list.length > 0 ? `?${list.join("&")}` : "")),
});

/** As `document.cookie` shows them. */
const cookies = fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...RAW_VALUES), values.map(encodeURIComponent)), {
  maxKeys: 3,
});

const attributes = fc.dictionary(
  fc.constantFrom("plan", "7002"),
  fc.oneof(
    values,
    fc.boolean(),
    fc.constantFrom(0, 5, 10, -3.5, 0.1, 1e21, 1e-7, 123456789012345680000, 4.35, 1e100),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  { maxKeys: 2 },
);

/** One page view: where, and all that the snippet can learn there. */
const views = fc.record({
  path: fc.constantFrom(...PATHS),
  query: queries,
  fragment: fc.constantFrom(...FRAGMENTS),
  referrer: fc.constantFrom(...REFERRERS),
  cookies,
  userAgent: fc.constantFrom(...USER_AGENTS),
  touchPoints: fc.constantFrom(0, 1, 2, 5),
  language: fc.constantFrom(...LANGUAGES),
  localTime: localTimes,
  /** Pages that do not say where the visitor is are as frequent as those that do. */
  location: fc.option(fc.constantFrom(...LOCATIONS), { freq: 1 }),
  events: fc.array(fc.constantFrom(...EVENTS), { maxLength: 3 }),
  pages: fc.subarray([0, 1, 2, 3].map(pageKey)),
});

/**
 * @typedef {object} Visitor
 * @property {string} id
 * @property {Record<string, string | number | boolean>} attributes known from the first page view on
 * @property {object | null} before a page view while an earlier revision was live
 * @property {object[]} views with the present revision
 */

/** @type {fc.Arbitrary<Visitor>} */
export const visitors = fc.record({
  id: visitorIds,
  attributes,
  before: fc.option(views),
  views: fc.array(views, { minLength: 1, maxLength: 3 }),
});
