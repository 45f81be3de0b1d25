/** Logical trees over answers that are true, false or unknown. */

import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { evaluateTree } from "../../src/conditions/tree";

type Answer = boolean | undefined;
type Tree = Leaf | readonly (string | Tree)[];
interface Leaf {
  readonly answer: Answer;
}

const yes: Leaf = { answer: true };
const no: Leaf = { answer: false };
const unknown: Leaf = { answer: undefined };

const evaluate = (tree: Tree): Answer => evaluateTree<Leaf>(tree, ({ answer }) => answer);

describe("a tree", () => {
  test.each<[string, Tree, Answer]>([
    ["is its leaf", yes, true],
    ["is unknown with its leaf", unknown, undefined],
    ["is true where all of `and` are", ["and", yes, yes], true],
    ["is false where one of `and` is", ["and", yes, no], false],
    ["is false where one of `and` is, though another is unknown", ["and", unknown, no], false],
    ["is unknown where `and` has nothing false", ["and", yes, unknown], undefined],
    ["is true where one of `or` is", ["or", no, yes], true],
    ["is true where one of `or` is, though another is unknown", ["or", unknown, yes], true],
    ["is unknown where `or` has nothing true", ["or", no, unknown], undefined],
    ["is false where none of `or` is true", ["or", no, no], false],
    ["is the other of `not`", ["not", yes], false],
    ["is unknown where `not` has it so", ["not", unknown], undefined],
    ["is an `or` without an operator", [no, yes], true],
    ["is true for an empty `and`", ["and"], true],
    ["is false for an empty `or`", ["or"], false],
    ["is false for an empty list", [], false],
    ["is false for `not` of more than one", ["not", no, no], false],
    ["is true deep down", ["and", ["or", no, ["not", ["and", yes, no]]], yes], true],
  ])("%s", (_, tree, answer) => {
    expect(evaluate(tree)).toBe(answer);
  });

  test("asks no further than it has to", () => {
    const holds = vi.fn(({ answer }: Leaf) => answer);

    evaluateTree<Leaf>(["and", no, yes, unknown], holds);
    evaluateTree<Leaf>(["or", yes, no, unknown], holds);

    expect(holds).toHaveBeenCalledTimes(2);
  });

  test("lets go on what a leaf throws", () => {
    const fail = (): never => {
      throw new TypeError("no such condition");
    };

    expect(() => evaluateTree<Leaf>(["or", yes], fail)).toThrow("no such condition");
  });
});

describe("every tree", () => {
  const leaf = fc.constantFrom(yes, no, unknown);
  const { tree } = fc.letrec<{ tree: Tree; branch: Tree }>((tie) => ({
    tree: fc.oneof({ depthSize: "small" }, leaf, tie("branch")),
    branch: fc.tuple(fc.constantFrom("and", "or"), fc.array(tie("tree"), { maxLength: 3 })).map(([operator, operands]) => [operator, ...operands]),
  }));

  test("is denied by `not`", () => {
    fc.assert(
      fc.property(tree, (each) => {
        const answer = evaluate(each);

        expect(evaluate(["not", each])).toBe(answer === undefined ? undefined : !answer);
      }),
    );
  });

  test("follows De Morgan's laws", () => {
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        expect(evaluate(["not", ["and", one, other]])).toBe(evaluate(["or", ["not", one], ["not", other]]));
      }),
    );
  });

  test("is the same whichever operand comes first", () => {
    fc.assert(
      fc.property(fc.constantFrom("and", "or"), tree, tree, (operator, one, other) => {
        expect(evaluate([operator, one, other])).toBe(evaluate([operator, other, one]));
      }),
    );
  });
});
