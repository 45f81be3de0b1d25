/**
 * Builders of project documents for the stories about the state module. They hide what a story does not care about. Ids are chosen
 * so that the visitor `visitor-1` falls where the stories say; see `spec/vectors/bucketing.json` for how.
 */

import { HOME } from "./routedSite.mjs";

export const VISITOR = "visitor-1";

/** @param {{pages?: object[], audiences?: object[], attributes?: object[], campaigns?: object[], snippet?: object}} parts */
export const project = ({ snippet = {}, ...parts } = {}) => ({
  version: 1,
  project: { id: "1000", key: "shop", name: "Shop", snippet },
  ...parts,
});

const address = (match, value) => ["and", ["or", { type: "url", match, value }]];

/** A page at one address of the site. */
export const pageAt = (path, { id = "1001", key = "home", name = "Home", ...rest } = {}) => ({
  id,
  key,
  name,
  category: "other",
  conditions: address("simple", new URL(path, HOME).href),
  ...rest,
});

/** The front page. */
export const home = pageAt("/");

/** A page that is everywhere on the site. */
export const everywhere = ({ id = "1004", key = "everywhere", name = "Everywhere", ...rest } = {}) => ({
  id,
  key,
  name,
  category: "other",
  conditions: address("substring", "shop.test"),
  ...rest,
});

/** Visitors with `?loyal=1`. */
export const loyal = {
  id: "6001",
  key: "loyal",
  name: "Loyal visitors",
  conditions: ["or", { type: "query", name: "loyal", match: "exact", value: "1" }],
};

/** An audience that contains no visitor. */
export const nobody = { id: "6002", key: "nobody", name: "Nobody", conditions: [] };

const variations = (id, names, weights) =>
  names.map((name, place) => ({
    id: `3${place + 1}${id}`,
    key: `v${place}`,
    name,
    weight: weights[place],
  }));

/**
 * Campaign 4001, experiment 24001 of the same name, variations 314001 Original, 324001 Green and 334001 Blue.
 * The visitor gets the first, unless the weights or the id are others.
 */
export const abTest = ({
  id = "4001",
  name = "AB",
  audiences,
  weights = [4000, 3000, 3000],
  pages = ["home"],
  changes = [],
  ...rest
} = {}) => ({
  id,
  key: `campaign-${id}`,
  name,
  type: "ab_test",
  status: "running",
  pages,
  ...rest,
  experiments: [
    {
      id: `2${id}`,
      key: "only",
      name,
      ...(audiences && { audiences }),
      variations: variations(id, ["Original", "Green", "Blue"].slice(0, weights.length), weights).map((variation, place) =>
        changes[place] ? { ...variation, changes: changes[place] } : variation,
      ),
    },
  ],
});

/** Campaign 4006: experiment 214006 Loyal with its audience, before experiment 224006 Everyone else. */
export const personalization = ({ id = "4006", name = "PZ", audiences = "loyal", ...rest } = {}) => ({
  id,
  key: `campaign-${id}`,
  name,
  type: "personalization",
  status: "running",
  pages: ["home"],
  priorities: [["loyal"], ["everyone-else"]],
  ...rest,
  experiments: [
    {
      id: `21${id}`,
      key: "loyal",
      name: "Loyal",
      audiences,
      variations: [{ id: `31${id}`, key: "banner", name: "Loyal banner", weight: 10000 }],
    },
    {
      id: `22${id}`,
      key: "everyone-else",
      name: "Everyone else",
      variations: [{ id: `32${id}`, key: "banner", name: "Default banner", weight: 10000 }],
    },
  ],
});

/** Variations for `abTest`: the second of two, which all visitors get, leads elsewhere. */
export const redirectTo = (destination, options = {}) => ({
  weights: [0, 10000],
  changes: [undefined, [{ type: "redirect", destination: new URL(destination, HOME).href, ...options }]],
});
