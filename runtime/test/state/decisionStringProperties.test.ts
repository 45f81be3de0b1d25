/** What holds for every decision string and object. The rules with examples: `spec/vectors/decision-strings.json`. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText, cutText, formatDecisionObject, formatDecisionString } from "../../src/state/decisionString";
import type { DecisionTexts } from "../../src/state/decisionString";

type Parts = DecisionTexts[0];

const anyName = fc.string({ unit: "grapheme", maxLength: 30 });
/** Each character is one UTF-16 unit, so that a cut never leaves one out. */
const plainName = fc.string({ unit: "grapheme-ascii", maxLength: 30 });
const id = fc.nat().map((number) => `(${number})`);

const partsWith = (name: fc.Arbitrary<string>): fc.Arbitrary<Parts> => fc.array(fc.tuple(name, id), { minLength: 2, maxLength: 3 });
const withNames = (parts: Parts, nameOf: (name: string) => string): Parts =>
  parts.map(({ 0: name, 1: ownId }) => [nameOf(name), ownId] as const);

const isPersonalization = (parts: Parts): boolean => parts.length === 3;
const textsOf = (parts: Parts, maxLength: number, isHeldBack: boolean): DecisionTexts =>
  isPersonalization(parts) ? [parts, maxLength, isHeldBack] : [parts, maxLength];
const stringOf = (parts: Parts, maxLength: number, isHeldBack: boolean): string =>
  formatDecisionString(textsOf(parts, maxLength, isHeldBack));

/** Ids, separators and the holdback: what is never cut. */
const shortest = (parts: Parts, isHeldBack: boolean): number =>
  stringOf(
    withNames(parts, () => ""),
    Infinity,
    isHeldBack,
  ).length;

describe("a decision string", () => {
  test("is never longer than asked, and refused exactly if what cannot be cut is", () => {
    fc.assert(
      fc.property(partsWith(anyName), fc.nat({ max: 150 }), fc.boolean(), (parts, maxLength, isHeldBack) => {
        const format = () => stringOf(parts, maxLength, isHeldBack);
        if (shortest(parts, isHeldBack) > maxLength) {
          expect(format).toThrow(RangeError);
        } else {
          expect(format().length).toBeLessThanOrEqual(maxLength);
        }
      }),
    );
  });

  test("has no half surrogate pair, wherever it is cut", () => {
    fc.assert(
      fc.property(partsWith(anyName), fc.nat({ max: 60 }), fc.boolean(), (parts, room, isHeldBack) => {
        const text = stringOf(parts, shortest(parts, isHeldBack) + room, isHeldBack);

        expect(() => encodeURIComponent(text)).not.toThrow();
      }),
    );
  });

  test("leaves no room unused while a name is cut: the campaign's keeps what others and rounding leave", () => {
    fc.assert(
      fc.property(partsWith(plainName), fc.nat({ max: 90 }), fc.boolean(), (parts, room, isHeldBack) => {
        const maxLength = shortest(parts, isHeldBack) + room;
        const text = stringOf(parts, maxLength, isHeldBack);

        const [[first, firstId]] = parts;
        const isFirstWhole = text.startsWith(first + firstId);
        expect(isFirstWhole || text.length === maxLength).toBe(true);
      }),
    );
  });

  test("shares its room by thirds and halves among names that all are too long", () => {
    fc.assert(
      fc.property(fc.nat({ max: 90 }), (room) => {
        const parts = ["c", "e", "v"].map((letter) => [letter.repeat(100), "(1)"] as const);
        const text = stringOf(parts, shortest(parts, false) + room, false);

        const lengths = text.split(":").map((part) => part.length - "(1)".length);
        const variation = Math.floor(room / 3);
        const experiment = Math.floor((room - variation) / 2);
        expect(lengths).toStrictEqual([room - variation - experiment, experiment, variation]);
      }),
    );
  });

  test("with more room shows no less of any name", () => {
    fc.assert(
      fc.property(partsWith(plainName), fc.nat({ max: 90 }), (parts, room) => {
        const lengthsWith = (more: number) =>
          stringOf(parts, shortest(parts, false) + more, false)
            .split(/\(\d+\):?/)
            .map((name) => name.length);

        const less = lengthsWith(room);
        lengthsWith(room + 1).forEach((length, place) => expect(length).toBeGreaterThanOrEqual(less[place]));
      }),
    );
  });
});

describe("a decision object", () => {
  test("has texts of the length asked at most, or an id alone, and no half surrogate pair", () => {
    fc.assert(
      fc.property(partsWith(anyName), fc.nat({ max: 60 }), fc.boolean(), (parts, maxLength, isHeldBack) => {
        const { experiment, variation, campaign, holdback } = formatDecisionObject(textsOf(parts, maxLength, isHeldBack));

        expect(holdback).toBe(isPersonalization(parts) ? isHeldBack : undefined);
        const texts = [campaign, experiment, variation].filter((text) => text !== undefined);
        texts.forEach((text, place) => {
          const [name, ownId] = parts[place];
          expect(text.length).toBeLessThanOrEqual(Math.max(maxLength, ownId.length));
          expect(text.endsWith(ownId)).toBe(true);
          expect(name.startsWith(text.slice(0, -ownId.length).replace(/ $/, ""))).toBe(true);
          expect(() => encodeURIComponent(text)).not.toThrow();
        });
      }),
    );
  });
});

test("a cleaned name has characters of one alphabet, and cleaning it again changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (name) => {
      const cleaned = cleanText(name);

      expect(cleaned).toMatch(/^(?:[A-Za-z0-9.~!*()']|_(?!_))*$/);
      expect(cleanText(cleaned)).toBe(cleaned);
      expect(cleaned === "").toBe(name === "");
    }),
  );
});

test("a cut text is the longest beginning that fits and ends between characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.nat({ max: 90 }), (text, length) => {
      const characters = [...text];
      const lengths = characters.map((_, count) => characters.slice(0, count + 1).join("").length);
      const fitting = characters.slice(0, lengths.filter((each) => each <= length).length).join("");

      expect(cutText(text, length)).toBe(fitting);
    }),
  );
});
