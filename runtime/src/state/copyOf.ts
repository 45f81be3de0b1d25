/** A copy of a page's conditions, leaves included, so that callers may change what they get. */

export const copyOf = (tree: unknown): unknown => {
  if (Array.isArray(tree)) {
    return tree.map(copyOf);
  }
  return tree && typeof tree === "object" ? { ...tree } : tree;
};
