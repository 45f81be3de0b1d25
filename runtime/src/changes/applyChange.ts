/** Applies one change where it is not in place yet, and says whether it has to be looked after further. */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { guarded } from "../guarded";
import { applyToElements } from "./applyToElements";
import { isWaiting } from "./isWaiting";
import { recordOf } from "./recordOf";
import { runCode } from "./runCode";

/** A change that cannot be applied, because its selector is none, say, is logged and given up. */
export const applyChange = (change: ChangeConfig): boolean | undefined => {
  if (__CHANGE_OPTIONS__ && isWaiting(change)) {
    return true;
  }
  return guarded(() => {
    if (__CHANGE_JAVASCRIPT__ && change[ChangeField.Kind] === ChangeKind.Javascript) {
      const record = recordOf(change);
      if (record.ranFor !== record.decision) {
        record.ranFor = record.decision;
        runCode(change[ChangeField.Value] as () => unknown, record);
      }
      return false;
    }
    if (__CHANGE_ELEMENT__) {
      applyToElements(change);
    }
    return true;
  });
};
