/** The elements that a change is applied to. */

import { Date } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { ChangeField } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { changeElement } from "./changeElement";
import { removeOrphans } from "./content";
import { markedBy } from "./mark";
import { addedBy } from "./nodes";
import { passes, recordOf, tracesOn } from "./records";
import type { Trace } from "./records";
import { isEdited, mayTry } from "./restraint";
import { taken } from "./tolerate";
import { contentBefore, replaced, undoOf } from "./undo";

const isMarking = __CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__;

/** About a millisecond's work. */
const CHECKS_PER_PASS_MAX = 500;

/**
 * Applies a change to all elements that its selector finds and where it is not in place. New ones come first. Those it was applied to are
 * looked at in turns, some in each pass, since there may be thousands of them; and the whole ends when the pass has to.
 */
export const applyToElements = (change: ChangeConfig): void => {
  const record = recordOf(change);
  if (__CHANGE_HTML__ || __CHANGE_INSERT__) {
    removeOrphans(record);
  }
  if (__UNDO__) {
    // What the page itself has removed is not put back.
    record.undo_.forEach((_, element) => genuine(taken.get(element) || element, "isConnected") || record.undo_.delete(element));
  }
  const known: Element[] = [];
  const found: Element[] = [];
  const selector = (__CHANGE_CSS__ && !change[ChangeField.Selector] ? ":root" : change[ChangeField.Selector]) as string;
  genuine(document, "querySelectorAll")(selector).forEach((element) => {
    if (record.traces_.has(element)) {
      known.push(element);
    } else if (addedBy.get(element) !== change && !(isMarking && genuine(element, "closest")(markedBy(change)))) {
      // What the change itself brought in is passed over, and copies of it: it must not be applied inside itself for ever.
      found.push(element);
    }
  });
  const predecessor = found.length === 1 && known.length === 0 ? record.last_ : undefined;
  if (passes.isNews) {
    record.unchecked_ = known.length;
  }
  found.push(...known.slice(record.next_, record.next_ + Math.min(record.unchecked_, CHECKS_PER_PASS_MAX)));
  for (const element of found) {
    if (passes.elementsLeft-- <= 0 && Date.now() > passes.endsAt) {
      passes.isCut = true;
      return;
    }
    if (record.traces_.has(element)) {
      record.unchecked_--;
      record.next_++;
    }
    applyToElement(change, element, predecessor);
  }
  record.next_ %= known.length || 1;
  passes.isCut ||= record.unchecked_ > 0;
};

/**
 * Applies a change to one element, unless it is in place there, or a later change is. `predecessor`: where the change was applied last,
 * if `element` is the only one that its selector finds now.
 */
const applyToElement = (change: ChangeConfig, element: Element, predecessor: Element | undefined): void => {
  const record = recordOf(change);
  const trace = record.traces_.get(element) || newTrace(predecessor && !genuine(predecessor, "isConnected") && record.traces_.get(predecessor));
  record.traces_.set(element, trace);
  record.last_ = element;
  if ((__CHANGE_RIVALS__ && trace.overruled_ === passes.setId) || trace.holds_?.() || isEdited(change, element) || !mayTry(trace, element)) {
    return;
  }
  const all = (__CHANGE_RIVALS__ && tracesOn.get(element)) || [];
  const rivals = __CHANGE_RIVALS__ ? all.filter((other) => other.holds_?.()) : all;
  if (__CHANGE_RIVALS__ && !all.includes(trace)) {
    tracesOn.set(element, [...all, trace]);
  }
  if (__UNDO__ && !record.undo_.has(element)) {
    record.undo_.set(element, undoOf(change, element, trace));
  }
  const before = __UNDO__ ? contentBefore(trace, element) : [];
  trace.holds_ = changeElement(change, element);
  trace.first_ = genuine(element, "firstChild");
  if (__UNDO__) {
    const own = record.added_?.get(element) || [];
    replaced.set(trace, { before, own, text: own[own.length - 1]?.nodeValue || "" });
  }
  if (__CHANGE_OPTIONS__) {
    record.isApplied_ = true;
  }
  // Two changes that both have their way for ever would not end.
  if (__CHANGE_RIVALS__) {
    rivals.forEach((rival) => {
      if (!rival.holds_?.()) {
        rival.overruled_ = passes.setId;
      }
    });
  }
};

/** An element that replaces one that the page has discarded: an app that rebuilds it for ever is the same adversary. */
const newTrace = (gone: Trace | undefined | false): Trace =>
  ({
    holds_: undefined,
    first_: null,
    ...(__CHANGE_RIVALS__ && { overruled_: 0 }),
    count_: gone ? gone.count_ : 0,
    since_: gone ? gone.since_ : 0,
  }) as Trace;
