/** The record of a change: made when it is first asked for, and kept over activations, so that nothing is inserted twice. */

import { Map } from "../builtins/Map";
import { WeakMap } from "../builtins/WeakMap";
import type { ChangeConfig } from "../config";
import type { ChangeRecord } from "./ChangeRecord";
import { records } from "./records";

export const recordOf = (change: ChangeConfig): ChangeRecord => {
  const record: ChangeRecord = records.get(change) || {
    id: "",
    isApplied: false,
    isDue: undefined,
    decision: undefined,
    ranFor: undefined,
    traces: new WeakMap(),
    last: undefined,
    unchecked: 0,
    next: 0,
    added: undefined,
    removeStyleSheet: undefined,
    undo: new Map(),
  };
  records.set(change, record);
  return record;
};
