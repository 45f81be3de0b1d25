/** Texts and addresses against the values of conditions. `spec/vectors/url-conditions.json` has more of the addresses. */

import { describe, expect, test } from "vitest";
import { beginningOf, matchUrl, matchValue } from "../../src/conditions/text";

const text = (match: string | null | undefined, value: unknown) => ({ type: "query", name: "a", ...(match !== undefined && { match }), value });

describe("a text", () => {
  test.each<[string, string | undefined, string | null | undefined, unknown, boolean]>([
    ["is exactly the value", "Blue", "exact", "Blue", true],
    ["is another in another case", "blue", "exact", "Blue", false],
    ["has the value in it", "light blue", "substring", "blue", true],
    ["has it not", "red", "substring", "blue", false],
    ["has an empty value in it", "red", "substring", "", true],
    ["looks like the value", "item-42", "regex", "^item-\\d+$", true],
    ["looks otherwise", "item-x", "regex", "^item-\\d+$", false],
    ["looks like no expression that is none", "item", "regex", "(", false],
    ["exists", "", "exists", null, true],
    ["exists, whatever the value", "x", "exists", "y", true],
    ["is missing", undefined, "exists", null, false],
    ["is missing, and so nothing in particular", undefined, "exact", "", false],
    ["is exactly the value, where no match is said", "a", undefined, "a", true],
    ["exists, where neither match nor value is said", "a", null, null, true],
    ["is within the range", "5", "range", "1:10", true],
    ["is at its beginning", "1", "range", "1:10", true],
    ["is at its end", "10", "range", "1:10", true],
    ["is beyond", "10.01", "range", "1:10", false],
    ["is below nought", "-2", "range", "-3:-1", true],
    ["is no number", "five", "range", "1:10", false],
    ["is empty, which is no number", "", "range", "0:10", false],
    ["is in no range without an end", "5", "range", "1:", false],
    ["is in no range without a beginning", "5", "range", ":10", false],
    ["is in no range of three", "5", "range", "1:10:20", false],
    ["is compared in no way that we do not know", "a", "glob", "a", false],
    ["is compared with no value but text", "1", "exact", 1, false],
  ])("%s", (_, actual, match, value, holds) => {
    expect(matchValue(actual, text(match, value))).toBe(holds);
  });
});

describe("an address", () => {
  const url = (match: string, value: unknown) => ({ type: "url", match, value });

  test.each<[string, string, string, unknown, boolean]>([
    ["is the page, whatever its query", "https://www.shop.test/mugs/?a=1", "simple", "http://shop.test/mugs", true],
    ["is another page", "https://shop.test/mugs/red", "simple", "https://shop.test/mugs", false],
    ["is exactly that, with its query", "https://shop.test/mugs?a=1", "exact", "shop.test/mugs?a=1", true],
    ["is another with another query", "https://shop.test/mugs?a=2", "exact", "shop.test/mugs?a=1", false],
    ["has it in it", "https://shop.test/mugs/red", "substring", "/MUGS/", true],
    ["looks like it", "https://shop.test/mugs/7", "regex", "/mugs/\\d$", true],
    ["is none of an expression that is none", "https://shop.test/", "regex", "[", false],
    ["is compared in no way that we do not know", "https://shop.test/", "glob", "*", false],
    ["is compared with no value but text", "https://shop.test/1", "substring", 1, false],
  ])("%s", (_, address, match, value, holds) => {
    expect(matchUrl(address, url(match, value))).toBe(holds);
  });

  test.each(["simple", "exact", "substring", "regex"])("says by %s nothing of our own parameters", (match) => {
    const value = match === "regex" ? "^https://shop\\.test/$" : "https://shop.test/";

    expect(matchUrl("https://shop.test/?experimentation_x=5002", url(match, value))).toBe(true);
  });
});

describe("what is compared with expressions", () => {
  test("is no longer than 2048 characters", () => {
    expect(beginningOf("a".repeat(2048))).toHaveLength(2048);
    expect(beginningOf("a".repeat(9000))).toHaveLength(2048);
    expect(matchValue("a".repeat(2048) + "b", text("regex", "b"))).toBe(false);
    expect(matchValue("a".repeat(2047) + "b", text("regex", "b"))).toBe(true);
  });
});
