/** Changes that depend on others. */

import { ChangeField } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { recordOf } from "./records";

/** Sorts a list of changes so that each comes after those it depends on. The compiler refuses circles. */
export const inOrder = (list: readonly ChangeConfig[]): readonly ChangeConfig[] => {
  const sorted: ChangeConfig[] = [];
  const add = (change: ChangeConfig): void => {
    const ids = change[ChangeField.DependsOn] || [];
    const others = list.filter((other) => ids.includes(other[ChangeField.Id] || ""));
    recordOf(change).dependencies_ = others;
    others.forEach(add);
    if (!sorted.includes(change)) {
      sorted.push(change);
    }
  };
  list.forEach(add);
  return sorted;
};
