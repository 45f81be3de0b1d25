/** Logical trees of conditions. */

type Tree<Leaf> = Leaf | readonly (string | Tree<Leaf>)[];

/**
 * Evaluates a logical tree, `["and" | "or" | "not", ...operands]` or a single leaf, where a leaf is true, false or unknown (`undefined`:
 * only of an audience). A list without an operator is an `or` of all its elements. Used for pages, audiences and experiments. Stops at
 * the first operand that settles it; what `holds` throws is thrown.
 */
export const evaluateTree = <Leaf>(tree: string | Tree<Leaf>, holds: (leaf: Leaf) => boolean | undefined): boolean | undefined => {
  if (!Array.isArray(tree)) {
    return holds(tree as Leaf);
  }
  if (!__TREES__) {
    // Each operator is an `or`, or an `and` of one operand.
    return tree.some((operand) => typeof operand !== "string" && evaluateTree<Leaf>(operand, holds));
  }
  const [operator, ...operands] = tree;
  if (operator === "not") {
    const value = operands.length !== 1 || evaluateTree<Leaf>(operands[0], holds);
    return __AUDIENCES__ && value === undefined ? value : !value;
  }
  const isAnd = operator === "and";
  let result: boolean | undefined = isAnd;
  for (const operand of isAnd || operator === "or" ? operands : tree) {
    const value = evaluateTree<Leaf>(operand, holds);
    if (value === !isAnd) {
      return value;
    }
    if (__AUDIENCES__ && value === undefined) {
      result = value;
    }
  }
  return __AUDIENCES__ ? result : isAnd;
};
