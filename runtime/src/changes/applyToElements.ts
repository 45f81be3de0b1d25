/** Applies a change to all elements that its selector finds and where it is not in place. */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { addedBy } from "./addedBy";
import { changeElement } from "./changeElement";
import { contentBefore } from "./contentBefore";
import { mayTry } from "./mayTry";
import { recordOf } from "./recordOf";
import { removeOrphans } from "./removeOrphans";
import { replaced } from "./replaced";
import type { Trace } from "./Trace";
import { undoOf } from "./undoOf";

export const applyToElements = (change: ChangeConfig): void => {
  const record = recordOf(change);
  if (__CHANGE_HTML__ || __CHANGE_INSERT__) {
    removeOrphans(record);
  }
  if (__UNDO__ && change[ChangeField.Kind] !== ChangeKind.Remove) {
    // Nobody wants those back that the page itself has thrown away.
    record.undo.forEach((_, element) => element.isConnected || record.undo.delete(element));
  }
  document.querySelectorAll(change[ChangeField.Selector] as string).forEach((element) => {
    const trace: Trace = record.traces.get(element) || { holds: undefined, count: 0, since: 0 };
    // A selector may find what the change itself brought in: it must not be applied inside itself for ever.
    const isOwn = (__CHANGE_HTML__ || __CHANGE_INSERT__) && addedBy.get(element) === change;
    if (!trace.holds?.() && !isOwn && mayTry(trace, element)) {
      if (__UNDO__ && !record.undo.has(element)) {
        record.undo.set(element, undoOf(change, element, trace));
      }
      const before = __UNDO__ ? contentBefore(trace, element) : [];
      trace.holds = changeElement(change, element);
      if (__UNDO__) {
        replaced.set(trace, { before, own: [...element.childNodes], text: element.lastChild?.textContent || "" });
      }
      record.traces.set(element, trace);
      if (__CHANGE_OPTIONS__) {
        record.isApplied = true;
      }
    }
  });
};
