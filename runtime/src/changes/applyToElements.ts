/** Applies a change to all elements that its selector finds and where it is not in place. */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { pageView } from "../pageView";
import { changeElement } from "./changeElement";
import { isAdded } from "./isAdded";
import { mayTry } from "./mayTry";
import { recordOf } from "./recordOf";
import { removeOrphans } from "./removeOrphans";
import type { Trace } from "./Trace";

export const applyToElements = (change: ChangeConfig): void => {
  const record = recordOf(change);
  if (__CHANGE_HTML__ || __CHANGE_INSERT__) {
    removeOrphans(record);
  }
  document.querySelectorAll(change[ChangeField.Selector] || "").forEach((element) => {
    const trace: Trace = record.traces.get(element) || { count: 0, since: 0 };
    const isOwn = (__CHANGE_HTML__ || __CHANGE_INSERT__) && isAdded(record, element);
    if (!trace.holds?.() && !isOwn && mayTry(trace, element)) {
      trace.holds = changeElement(change, element);
      record.traces.set(element, trace);
      if (__CHANGE_OPTIONS__) {
        record.activationId = pageView.activationId;
      }
    }
  });
};
