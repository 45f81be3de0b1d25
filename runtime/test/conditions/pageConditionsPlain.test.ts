/** `spec/vectors/url-conditions.json`, as far as addresses are matched in the simple way alone. */

import { describe, expect, test } from "vitest";
import vectors from "../../../spec/vectors/url-conditions.json";
import { isActiveAt } from "../support/isActiveAt";

/** Whether all conditions of a tree match a text in the simple way. */
const isPlain = (tree: unknown): boolean => {
  if (Array.isArray(tree)) {
    return tree.every((each) => typeof each === "string" || isPlain(each));
  }
  const { match, value } = Object(tree) as { match?: unknown; value?: unknown };
  return match === "simple" && typeof value === "string";
};

describe("simple URL conditions", () => {
  const plain = vectors.vectors.filter(({ conditions }) => isPlain(conditions));

  test.each(plain)("$conditions at $url", async ({ conditions, url, active }) => {
    expect(await isActiveAt(conditions, url)).toBe(active);
  });

  test.each([
    ["https://www.shop.test/?experimentation_x=5002", true],
    ["https://shop.test/?/#experimentation_x=5002?", true],
    ["https://shop.test/&?", true],
    ["https://shop.test/?/cart", true],
    ["https://shop.test/cart?", false],
  ])("ours do not count: %s", async (url, active) => {
    expect(await isActiveAt(["or", { type: "url", match: "simple", value: "http://shop.test/?a=b" }], url)).toBe(active);
  });
});
