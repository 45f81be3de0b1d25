/**
 * Buckets are uniform, and those of one experiment say nothing about those of another. The ids are random, but the same in every run:
 * with fixed seeds a chi-square test cannot fail by chance.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketOf, shareAt } from "../../src/decide/bucketing";

const SEED = 20261121;
const VISITORS = Array.from({ length: 20_000 }, (_, number) => `visitor-${number}`);

const entityId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String);

const chiSquare = (observed: readonly number[]): number => {
  const expected = observed.reduce((sum, count) => sum + count, 0) / observed.length;
  return observed.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
};

/** What chi-square exceeds once in a million tries, by the approximation of Wilson and Hilferty. */
const limit = (freedom: number): number => {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + 4.753 * Math.sqrt(spread)) ** 3;
};

const counts = (places: Iterable<number>, length: number): number[] => {
  const found = Array.from({ length }, () => 0);
  for (const place of places) {
    found[place] += 1;
  }
  return found;
};

const FEW = { seed: SEED, numRuns: 15 };

/** Of 10 parts each. */
const partOf = (text: string, seed: number): number => Math.floor(bucketOf(text, seed) / 1000);

describe("buckets", () => {
  test("are uniform, for variations and for holdbacks", () => {
    fc.assert(
      fc.property(entityId, entityId, (experiment, campaign) => {
        for (const [id, seed] of [
          [experiment, 1],
          [campaign, 0],
        ] as const) {
          const parts = VISITORS.map((visitor) => Math.floor(bucketOf(visitor + id, seed) / 100));
          expect(chiSquare(counts(parts, 100))).toBeLessThan(limit(99));
        }
      }),
      FEW,
    );
  });

  test("of two experiments are independent", () => {
    fc.assert(
      fc.property(entityId, entityId, (one, other) => {
        fc.pre(one !== other);
        const pairs = VISITORS.map((visitor) => partOf(visitor + one, 1) * 10 + partOf(visitor + other, 1));
        expect(chiSquare(counts(pairs, 100))).toBeLessThan(limit(99));
      }),
      FEW,
    );
  });

  test("of a holdback say nothing about the variation, though it were drawn from the same id", () => {
    fc.assert(
      fc.property(entityId, (id) => {
        const pairs = VISITORS.map((visitor) => partOf(visitor + id, 0) * 10 + partOf(visitor + id, 1));
        expect(chiSquare(counts(pairs, 100))).toBeLessThan(limit(99));
      }),
      FEW,
    );
  });
});

describe("shares", () => {
  const ends = fc.array(fc.nat({ max: 10000 }), { minLength: 1, maxLength: 6 }).map((list) => [...list].sort((one, other) => one - other));

  test("of all buckets add up to the weights", () => {
    fc.assert(
      fc.property(ends, (list) => {
        const places = Array.from({ length: 10000 }, (_, bucket) => shareAt(bucket, list.length, list)).filter((place) => place >= 0);

        expect(counts(places, list.length)).toStrictEqual(list.map((end, place) => end - (list[place - 1] ?? 0)));
      }),
      { numRuns: 20 },
    );
  });

  test("that grow at the end move no visitor who was in an earlier one", () => {
    fc.assert(
      fc.property(ends, fc.nat({ max: 9999 }), (list, bucket) => {
        const before = shareAt(bucket, list.length, list);
        const grown = [...list.slice(0, -1), 10000];

        expect(shareAt(bucket, grown.length, grown)).toBe(before < 0 ? list.length - 1 : before);
      }),
    );
  });
});
