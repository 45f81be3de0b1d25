/** Sorts a list of changes so that each stands after those it depends on. The compiler refuses circles. */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { dependencies } from "./dependencies";

export const inOrder = (list: readonly ChangeConfig[]): readonly ChangeConfig[] => {
  const sorted: ChangeConfig[] = [];
  const add = (change: ChangeConfig): void => {
    const ids = change[ChangeField.DependsOn] || [];
    const others = list.filter((other) => ids.includes(other[ChangeField.Id] || ""));
    dependencies.set(change, others);
    others.forEach(add);
    if (!sorted.includes(change)) {
      sorted.push(change);
    }
  };
  list.forEach(add);
  return sorted;
};
