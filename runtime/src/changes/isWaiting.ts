/**
 * Whether a change has to wait: until those it depends on are applied, and an async one until a task of its own, so that the page is
 * painted without it.
 */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { dependencies } from "./dependencies";
import { keepUp } from "./keepUp";
import { recordOf } from "./recordOf";

export const isWaiting = (change: ChangeConfig): boolean => {
  const record = recordOf(change);
  if (change[ChangeField.IsAsync] && record.isDue === undefined) {
    record.isDue = false;
    setTimeout(() => {
      record.isDue = true;
      keepUp();
    });
  }
  return record.isDue === false || (dependencies.get(change) || []).some((other) => !recordOf(other).isApplied);
};
