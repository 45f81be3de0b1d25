/** Applies a change to one element, unless it is in place there, or a later change is. */

import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { changeElement } from "./changeElement";
import { contentBefore } from "./contentBefore";
import { isEdited } from "./isEdited";
import { mayTry } from "./mayTry";
import { passes } from "./passes";
import { recordOf } from "./recordOf";
import { replaced } from "./replaced";
import type { Trace } from "./Trace";
import { tracesOn } from "./tracesOn";
import { undoOf } from "./undoOf";

/** `predecessor`: where the change was applied last, if `element` is the only one that its selector finds now. */
export const applyToElement = (change: ChangeConfig, element: Element, predecessor: Element | undefined): void => {
  const record = recordOf(change);
  const trace = record.traces.get(element) || newTrace(predecessor && !genuine(predecessor, "isConnected") && record.traces.get(predecessor));
  record.traces.set(element, trace);
  record.last = element;
  if ((__CHANGE_RIVALS__ && trace.overruled === passes.setId) || trace.holds?.() || isEdited(change, element) || !mayTry(trace, element)) {
    return;
  }
  const all = (__CHANGE_RIVALS__ && tracesOn.get(element)) || [];
  const rivals = __CHANGE_RIVALS__ ? all.filter((other) => other.holds?.()) : all;
  if (__CHANGE_RIVALS__ && !all.includes(trace)) {
    tracesOn.set(element, [...all, trace]);
  }
  if (__UNDO__ && !record.undo.has(element)) {
    record.undo.set(element, undoOf(change, element, trace));
  }
  const before = __UNDO__ ? contentBefore(trace, element) : [];
  trace.holds = changeElement(change, element);
  trace.first = genuine(element, "firstChild");
  if (__UNDO__) {
    const own = record.added?.get(element) || [];
    replaced.set(trace, { before, own, text: own[own.length - 1]?.nodeValue || "" });
  }
  if (__CHANGE_OPTIONS__) {
    record.isApplied = true;
  }
  // Two changes that both have their way for ever would not end.
  if (__CHANGE_RIVALS__) {
    rivals.forEach((rival) => {
      if (!rival.holds?.()) {
        rival.overruled = passes.setId;
      }
    });
  }
};

/** An element that stands in for one that the page has thrown away: an app that makes it anew for ever is the same adversary. */
const newTrace = (gone: Trace | undefined | false): Trace => ({
  holds: undefined,
  first: null,
  overruled: 0,
  count: gone ? gone.count : 0,
  since: gone ? gone.since : 0,
});
