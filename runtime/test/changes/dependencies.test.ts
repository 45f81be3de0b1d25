/** The order of changes that depend on each other. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inOrder } from "../../src/changes/dependencies";
import { recordOf } from "../../src/changes/records";
import type { ChangeConfig } from "../../src/project/config";
import { ChangeKind } from "../../src/project/config";

const change = (id: string, ...dependsOn: string[]): ChangeConfig => [ChangeKind.Css, 0, "", "", 0, id, dependsOn];

const ids = (list: readonly ChangeConfig[]): unknown[] => list.map((each) => each[5]);

describe("changes stand", () => {
  test("as they are written, where none depends on another", () => {
    const list = [change("c"), change("a"), change("b")];

    expect(inOrder(list)).toStrictEqual(list);
  });

  test("after those they depend on", () => {
    expect(ids(inOrder([change("a", "b"), change("b", "c"), change("c")]))).toStrictEqual(["c", "b", "a"]);
  });

  test("once, however many depend on them", () => {
    expect(ids(inOrder([change("a", "c"), change("b", "c"), change("c")]))).toStrictEqual(["c", "a", "b"]);
  });

  test("where they are, though they depend on one that is not there", () => {
    expect(ids(inOrder([change("a", "gone"), change("b")]))).toStrictEqual(["a", "b"]);
  });

  test("where they are without an id: none depends on those", () => {
    const nameless: ChangeConfig = [ChangeKind.Css, 0, "h1{}"];

    const named = change("a");

    expect(inOrder([nameless, named])).toStrictEqual([nameless, named]);
  });

  test("with their dependencies known", () => {
    const [b, a] = [change("b"), change("a", "b")];

    inOrder([a, b]);

    expect(recordOf(a).dependencies_).toStrictEqual([b]);
    expect(recordOf(b).dependencies_).toStrictEqual([]);
  });
});

test("every list without a circle comes out whole, and in order", () => {
  const lists = fc
    .uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 1 })
    .chain((names) =>
      fc.tuple(
        // Each may depend on those that stand before it here; then they are shuffled.
        fc.tuple(...names.map((name, at) => fc.subarray(names.slice(0, at)).map((before) => change(name, ...before)))),
        fc.shuffledSubarray([...names.keys()], { minLength: names.length }),
      ),
    )
    .map(([changes, places]) => places.map((place) => changes[place]));

  fc.assert(
    fc.property(lists, (list) => {
      const sorted = ids(inOrder(list));

      expect([...sorted].sort()).toStrictEqual(ids(list).sort());
      for (const { 5: id, 6: dependsOn } of list) {
        for (const other of dependsOn || []) {
          expect(sorted.indexOf(other)).toBeLessThan(sorted.indexOf(id));
        }
      }
    }),
  );
});
