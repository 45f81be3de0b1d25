/** Applies one change where it is not in place yet, and says whether it has to be looked after further. */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { guarded } from "../guarded";
import { pageView } from "../pageView";
import { addStyleSheet } from "./addStyleSheet";
import { applyToElements } from "./applyToElements";
import { dependencies } from "./dependencies";
import { recordOf } from "./recordOf";

/** A change that cannot be applied, because its selector is none, say, is logged and given up. */
export const applyChange = (change: ChangeConfig): boolean | undefined => {
  if (__CHANGE_OPTIONS__ && (dependencies.get(change) || []).some((other) => !recordOf(other).activationId)) {
    return true;
  }
  return guarded(() => {
    const isCss = __CHANGE_CSS__ && change[ChangeField.Kind] === ChangeKind.Css;
    const isCode = __CHANGE_JAVASCRIPT__ && change[ChangeField.Kind] === ChangeKind.Javascript;
    if (!isCss && !isCode) {
      applyToElements(change);
      return true;
    }
    const record = recordOf(change);
    const last = record.activationId;
    record.activationId = pageView.activationId;
    if (isCss && !last) {
      const removeStyleSheet = addStyleSheet(String(change[ChangeField.Value]));
      if (__UNDO__) {
        record.undo.set(document.documentElement, removeStyleSheet);
      }
    }
    if (isCode && last !== pageView.activationId) {
      (change[ChangeField.Value] as () => unknown)();
    }
    return false;
  });
};
