/** A copy of a page's conditions, leaves included, so that callers may change what they get. The functions of code stay inside. */

import type { Condition } from "../config";

export const copyOf = (tree: unknown): unknown => {
  if (Array.isArray(tree)) {
    return tree.map(copyOf);
  }
  if (Object(tree) !== tree) {
    return tree;
  }
  const { code, ...shown } = tree as Condition;
  return __CUSTOM_CODE__ ? shown : { ...(tree as Condition) };
};
