/** What holds for every address that a page can be at: which spellings are the same, and that our own parameters do not count. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchUrl } from "../../src/conditions/text";
import { decodePercent, namedValue, normalizeUrl, queryParameter, withoutFragment, withoutReservedParameters } from "../../src/browser/address";

const parameter = fc
  .tuple(fc.constantFrom("a", "b", "experimentation", "xexperimentation_x"), fc.string({ maxLength: 5 }))
  .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
const path = fc
  .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }), { maxLength: 3 })
  .map((segments) => segments.map(encodeURIComponent).join("/"));

interface Address {
  scheme: string;
  host: string;
  path: string;
  parameters: string[];
  fragment: string;
}

const address: fc.Arbitrary<Address> = fc.record({
  scheme: fc.constantFrom("http://", "https://"),
  host: fc.constantFrom("www.shop.test", "shop.test:8080", "münchen.test"),
  path,
  parameters: fc.array(parameter, { minLength: 1, maxLength: 3 }),
  fragment: fc.constantFrom("", "#", "#Deep?x"),
});

/** As `location.href` spells it. */
const written = ({ scheme, host, path: rest, parameters, fragment }: Address): string =>
  new URL(`${scheme}${host}/${rest}?${parameters.join("&")}${fragment}`).href;

const matches = (url: string, match: string, value: string): boolean => matchUrl(url, { type: "url", match, value });

test("a normal form is lower case, has no scheme, and ends in nothing empty", () => {
  fc.assert(
    fc.property(address, (parts) => {
      const normal = normalizeUrl(written(parts));

      expect(normal).toBe(normal.toLowerCase());
      expect(normal).not.toMatch(/^https?:|[/&?]$/);
      expect(normalizeUrl(normal)).toBe(normal);
    }),
  );
});

test("every address matches itself in every way, whatever its scheme, case and `www.`", () => {
  fc.assert(
    fc.property(address, (parts) => {
      const url = written(parts);
      const other = written({
        ...parts,
        scheme: parts.scheme === "http://" ? "https://" : "http://",
        host: parts.host.replace(/^www\./, ""),
      }).toUpperCase();

      for (const value of [url, other]) {
        expect([matches(url, "simple", value), matches(url, "exact", value)]).toStrictEqual([true, true]);
      }
      expect(matches(url, "substring", other)).toBe(true);
    }),
  );
});

test("the query counts for `exact`, and not for `simple`", () => {
  fc.assert(
    fc.property(address, (parts) => {
      const url = written(parts);
      const longer = written({ ...parts, parameters: [...parts.parameters, "z=1"] });

      expect([matches(longer, "simple", url), matches(longer, "exact", url)]).toStrictEqual([true, false]);
    }),
  );
});

test("our own parameters never count, wherever they stand", () => {
  fc.assert(
    fc.property(
      address,
      fc.nat({ max: 3 }),
      fc.constantFrom("experimentation_x=5002", "experimentation_", "experimentation_disable=false"),
      (parts, place, own) => {
        const parameters = [...parts.parameters.slice(0, place), own, ...parts.parameters.slice(place)];
        const without = withoutReservedParameters(written(parts));

        expect(withoutReservedParameters(written({ ...parts, parameters }))).toBe(without);
        expect(withoutReservedParameters(without)).toBe(without);
      },
    ),
  );
});

describe("a query parameter", () => {
  const asked = (search: string, name = "a"): string | undefined => {
    history.replaceState(null, "", "/" + search);
    return queryParameter(name);
  };

  test.each([
    ["?a=1", "1"],
    ["?b=2&a=1", "1"],
    ["?a=1&a=2", "1"],
    ["?a=", ""],
    ["?a", ""],
    ["?a=b=c", "b=c"],
    ["?a=%20x", "%20x"],
    ["?a=1#a=2", "1"],
  ])("of %s is %j, as it is written", (search, value) => {
    expect(asked(search)).toBe(value);
  });

  test.each([[""], ["?"], ["?ab=1"], ["?A=1"], ["?b=a=1"], ["#a=1"]])("is missing in %j", (search) => {
    expect(asked(search)).toBeUndefined();
  });
});

describe("a list of named values", () => {
  test("is read up to the first of that name", () => {
    expect(namedValue("id=1; name=; id=2", "; ", "id")).toBe("1");
    expect(namedValue("id=1; name=; id=2", "; ", "name")).toBe("");
    expect(namedValue("id=1; name=; id=2", "; ", "na")).toBeUndefined();
  });
});

describe("percent signs", () => {
  test.each([
    ["a%20b", "a b"],
    ["%C3%A4", "ä"],
    ["%E0%A4%A", "%E0%A4%A"],
    ["100%", "100%"],
    ["", ""],
  ])("%j reads as %j", (text, decoded) => {
    expect(decodePercent(text)).toBe(decoded);
  });
});

describe("the fragment of an address", () => {
  test.each([
    ["https://shop.test/a#b", "https://shop.test/a"],
    ["https://shop.test/a?b=1#c#d", "https://shop.test/a?b=1"],
    ["https://shop.test/a", "https://shop.test/a"],
  ])("%s goes with its sign", (address, rest) => {
    expect(withoutFragment(address)).toBe(rest);
  });
});

describe("our own parameters", () => {
  test.each([
    ["https://shop.test/?experimentation_x=5002", "https://shop.test/"],
    ["https://shop.test/?a=1&experimentation_x=5002&b=2", "https://shop.test/?a=1&b=2"],
    ["https://shop.test/?experimentation_x=1#a?experimentation_x=2", "https://shop.test/#a?experimentation_x=2"],
    ["https://shop.test/?a=1?experimentation_x=2", "https://shop.test/?a=1experimentation_x=2"],
    ["https://shop.test/?my_experimentation_x=1", "https://shop.test/?my_experimentation_x=1"],
  ])("are left out of %s", (address, rest) => {
    expect(withoutReservedParameters(address)).toBe(rest);
  });
});
