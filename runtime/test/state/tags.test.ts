/** The values of tags: found in the page as it is when a caller asks. */

import { describe, expect, test, vi } from "vitest";
import type { TagConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { everywhere } from "../support/project";

const valuesOf = async (tag: TagConfig, options = {}) => {
  const { state } = await openPage({ pages: [[2001, "product", 0, everywhere, 0, [tag]]] }, options);
  const { metadata, tags } = state.getPageStates()["2001"];
  expect(metadata).toStrictEqual(tags[0].tags);
  return metadata;
};

describe("a tag", () => {
  test.each([
    ["css_selector", "string", ".price", " € 9 ", "€ 9"],
    ["css_selector", "number", ".price", "about 1,234.5 kg", 1234.5],
    ["css_selector", "number", ".price", "-3", -3],
    ["css_selector", "currency", ".price", "$1,234.50", 1234.5],
    ["css_selector", "currency", ".price", "1.234,50 €", 1234.5],
    ["css_selector", "currency", ".price", "1.234.567", 1234567],
    ["css_selector", "currency", ".price", "12,5 kr", 12.5],
    ["css_selector", "currency", ".price", "1 234,50 €", 1234.5],
    ["css_selector", "currency", ".price", "1\u00a0234\u202f567,50 €", 1234567.5],
    ["css_selector", "currency", ".price", "CHF 1'234.50", 1234.5],
    ["css_selector", "currency", ".price", "1\u2019234.50", 1234.5],
    ["css_selector", "currency", ".price", "$.99", 0.99],
    ["css_selector", "currency", ".price", "Rs.500", 500],
    ["css_selector", "currency", ".price", "from 100 €", 100],
    ["url_regex", "string", "/item/([a-z]+)", "", "mug"],
    ["url_regex", "number", "size=(\\d+)", "", 12],
  ])("by %s as %s: %s in %j", async (locatorType, valueType, locator, text, value) => {
    const options = { url: "https://www.shop.test/item/mug?size=12", body: `<p class=price>${text}</p>` };

    expect(await valuesOf(["price", 0, locator, locatorType, valueType], options)).toStrictEqual({ price: value });
  });

  test.each([
    ["nothing is found", [".other", "css_selector", "string"]],
    ["the address has no match", ["/none/(.)", "url_regex", "string"]],
    ["what is found is no number", [".price", "css_selector", "number"]],
    ["the project says nothing of where it is", [0, 0, 0]],
  ] as const)("has no value where %s", async (_, [locator, type, valueType]) => {
    expect(await valuesOf(["price", 0, locator, type, valueType], { body: "<p class=price>free</p>" })).toStrictEqual({});
  });

  test("may be found by code; code that fails gives none, and is logged", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect(await valuesOf(["price", 0, "return 42", "javascript", "number", () => 42])).toStrictEqual({ price: 42 });

    const fail = () => {
      throw new Error("mine");
    };
    expect(await valuesOf(["price", 0, "throw 1", "javascript", 0, fail])).toStrictEqual({});
    expect(warn).toHaveBeenCalled();
  });

  test.each([
    ["currency", 1234.567, { price: 1234.567 }],
    ["string", 1234.567, { price: "1234.567" }],
    ["string", Object.create(null), {}],
  ])("as %s, by code that finds %o", async (valueType, found, values) => {
    vi.spyOn(console, "warn").mockReturnValue();

    expect(await valuesOf(["price", 0, "code", "javascript", valueType, () => found as unknown])).toStrictEqual(values);
  });

  test("has the value of now, none while its page is inactive, and yields to what the page pushes", async () => {
    const pages = [[2001, "product", 0, everywhere, 0, [["price", 0, ".price", "css_selector", "number"]], { price: 1 }]] as const;
    const { api, state } = await openPage({ pages }, { body: "<p class=price>2</p>" });
    const metadata = () => state.getPageStates()["2001"].metadata;
    expect(metadata()).toStrictEqual({ price: 2 });

    document.body.innerHTML = "<p class=price>3</p>";
    expect(metadata()).toStrictEqual({ price: 3 });

    api.push({ type: "page", pageName: "product", tags: { price: 4 } });
    expect(metadata()).toStrictEqual({ price: 4 });

    api.push({ type: "page", pageName: "product", isActive: false });
    expect(state.getPageStates()["2001"]).toMatchObject({ metadata: {}, tags: [{ tags: {} }] });
  });
});
