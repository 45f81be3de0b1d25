/** What holds for every object filter: it is a part of the state, to any depth, compared strictly. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { selected } from "../../src/state/filter";

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
type State = { id: string; [key: string]: Value };

const leaf = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean(), fc.constant(null));
const value = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.string({ minLength: 1, maxLength: 4 }).filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 3 },
    ),
  ),
})).value;

const state: fc.Arbitrary<State> = fc
  .tuple(fc.nat(), fc.dictionary(fc.constantFrom("variation", "audiences", "isActive", "campaignName"), value))
  .map(([id, fields]) => ({ ...fields, id: String(id) }));

const isKept = fc.infiniteStream(fc.boolean());

const filtered = (states: readonly State[], filter: unknown): Record<string, State> => selected(states, (each) => each, filter);

/** Some of its properties, and of theirs. */
const partOf = (whole: Value, keep: Iterator<boolean>): Value => {
  if (whole === null || typeof whole !== "object") {
    return whole;
  }
  const part = Object.entries(whole)
    .filter(() => keep.next().value as boolean)
    .map(([key, inner]) => [key, partOf(inner, keep)] as const);
  return Object.fromEntries(part);
};

/** The same with the first value that is no object replaced; `undefined` if there is none. */
const withAnotherLeaf = (part: Value): Value | undefined => {
  if (part === null || typeof part !== "object") {
    return typeof part === "string" ? part + "x" : String(part);
  }
  for (const [key, inner] of Object.entries(part)) {
    const changed = withAnotherLeaf(inner);
    if (changed !== undefined) {
      return { ...part, [key]: changed };
    }
  }
  return undefined;
};

test("a part of a state lets it through, and the very object", () => {
  fc.assert(
    fc.property(state, isKept, (whole, keep) => {
      expect(filtered([whole], partOf(whole, keep))[whole.id]).toBe(whole);
    }),
  );
});

test("a part with another value somewhere, or of another type, does not", () => {
  fc.assert(
    fc.property(state, isKept, (whole, keep) => {
      const other = withAnotherLeaf(partOf(whole, keep));
      fc.pre(other !== undefined);

      expect(filtered([whole], other)).toStrictEqual({});
    }),
  );
});

test("a property that the state does not have lets nothing through, not even undefined", () => {
  fc.assert(
    fc.property(state, fc.option(leaf, { nil: undefined }), (whole, wanted) => {
      expect(filtered([whole], { nope: wanted })).toStrictEqual({});
    }),
  );
});

test("a filter lets through what its function says, by id and in order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(state, { selector: ({ id }) => id, maxLength: 8 }), fc.func(fc.boolean()), (states, filter) => {
      const kept = filtered(states, (each: State, id: string) => filter(id) && each.id === id);

      expect(Object.values(kept).every((each) => states.includes(each))).toBe(true);
      expect(Object.keys(kept).sort()).toStrictEqual(
        states
          .filter(({ id }) => filter(id))
          .map(({ id }) => id)
          .sort(),
      );
    }),
  );
});
