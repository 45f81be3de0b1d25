/** What holds for every address that a page can be at: which spellings are the same, and that our own parameters do not count. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { matchUrl } from "../../src/conditions/text";
import { normalizeUrl, withoutReservedParameters } from "../../src/browser/address";

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
