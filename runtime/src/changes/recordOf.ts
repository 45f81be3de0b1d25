/** The record of a change: made when it is first asked for, and kept over activations, so that nothing is inserted twice. */

import type { ChangeConfig } from "../config";
import type { ChangeRecord } from "./ChangeRecord";

const records = new Map<ChangeConfig, ChangeRecord>();

export const recordOf = (change: ChangeConfig): ChangeRecord => {
  const record: ChangeRecord = records.get(change) || { traces: new WeakMap() };
  records.set(change, record);
  return record;
};
