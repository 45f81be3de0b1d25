/** Random trees of conditions: operators, lists without one, nothing at all. */

import fc from "fast-check";

import {
  ADDRESS_PATTERNS,
  ADDRESSES,
  BROWSERS,
  DEVICE_TYPES,
  EVENTS,
  LANGUAGES,
  NAMES,
  PLACES,
  PLATFORMS,
  ranges,
  REFERRERS,
  timesAndDays,
  VALUE_PATTERNS,
  values,
} from "./texts.mjs";

/**
 * @template Leaf
 * @param {fc.Arbitrary<Leaf>} leaf
 * @returns {fc.Arbitrary<Leaf | unknown[]>} a leaf, or a tree of few levels
 */
export const trees = (leaf) =>
  fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3, withCrossShrink: true }, { weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: tie("list") }),
    list: fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constantFrom("and", "or"), operands(tie)).map(([operator, list]) => [operator, ...list]) },
      { weight: 2, arbitrary: tie("tree").map((operand) => ["not", operand]) },
      { weight: 1, arbitrary: operands(tie) },
    ),
  })).tree;

const operands = (tie) => fc.array(tie("tree"), { maxLength: 3, size: "max" });

const addressMatches = (addresses) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ match: fc.constantFrom("simple", "exact", "substring"), value: fc.constantFrom(...addresses) }) },
    { weight: 4, arbitrary: fc.record({ match: fc.constant("regex"), value: fc.constantFrom(...ADDRESS_PATTERNS) }) },
    // These never hold, of which the compiler only warns.
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { value: "shop" },
        { match: "exact" },
        { match: "substring", value: null },
        { match: "substring", value: 1 },
      ),
    },
  );

const valueMatches = fc.oneof(
  fc.record({ match: fc.constantFrom("exact", "substring"), value: values }),
  fc.record({ match: fc.constant("regex"), value: fc.constantFrom(...VALUE_PATTERNS) }),
  fc.record({ match: fc.constant("range"), value: ranges }),
  fc.constantFrom({}, { match: "exists" }, { match: "exists", value: "x" }, { match: null }, { value: "pro" }, { value: "" }),
  fc.constantFrom(
    { value: 5 },
    { match: "exact" },
    { match: "exact", value: null },
    { match: "exact", value: true },
    { match: "exists", value: 5 },
  ),
);

const of = (type, rest) => rest.map((fields) => ({ type, ...fields }));

const named = (names) => fc.tuple(fc.constantFrom(...names), valueMatches).map(([name, match]) => ({ name, ...match }));

/** Conditions of a page; none at all always hold. */
export const pageConditions = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 5, arbitrary: trees(of("url", addressMatches(ADDRESSES))) },
);

/** Conditions of the audience at a place; they may name those before it. */
export const audienceConditions = (place, keyOf) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 9, arbitrary: trees(fc.oneof(...visitorQuestions, ...(place > 0 ? [memberships(place, keyOf)] : []))) },
  );

const behaviors = fc
  .tuple(
    fc.oneof(fc.constant({ page: "page-0" }), fc.constantFrom(...EVENTS.map((event) => ({ event })))),
    fc.constantFrom({}, { at_least: 2 }, { at_most: 0 }, { at_least: 1, at_most: 2 }),
    fc.constantFrom({}, { within_days: 1 }, { within_days: 7 }),
  )
  .map((parts) => Object.assign({}, ...parts));

const visitorQuestions = [
  of("query", named(NAMES)),
  of("cookies", named(NAMES)),
  of("custom_attribute", named(["plan", "7002"])),
  of("campaign", valueMatches),
  of("referrer", addressMatches([...REFERRERS, ...ADDRESSES])),
  of(
    "source_type",
    fc.oneof(
      fc.constantFrom("direct", "campaign", "search", "referral").map((value) => ({ value })),
      valueMatches,
    ),
  ),
  of(
    "device",
    fc.constantFrom("desktop", "mobile", "tablet", "iphone", "ipad", "watch").map((value) => ({ value })),
  ),
  of(
    "language",
    fc.constantFrom(...LANGUAGES).map((value) => ({ value })),
  ),
  of(
    "time_and_day",
    timesAndDays.map((value) => ({ value })),
  ),
  of(
    "device_type",
    fc.constantFrom(...DEVICE_TYPES).map((value) => ({ value })),
  ),
  of(
    "browser_version",
    fc.constantFrom(...BROWSERS).map((value) => ({ value })),
  ),
  of(
    "platform",
    fc.constantFrom(...PLATFORMS).map((value) => ({ value })),
  ),
  of(
    "location",
    fc.constantFrom(...PLACES).map((value) => ({ value })),
  ),
  of(
    "behavior",
    behaviors.map((value) => ({ value })),
  ),
  fc.constantFrom({ type: "first_session" }, { type: "first_session", value: "true" }),
];

const memberships = (place, keyOf) => fc.nat({ max: place - 1 }).map((earlier) => ({ audience: keyOf(earlier) }));
