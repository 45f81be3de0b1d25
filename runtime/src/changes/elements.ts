/** The elements that a change is applied to. */

import { Date } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { ChangeField, ChangeKind } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { changeElement } from "./changeElement";
import { fragmentWith } from "./fragments";
import { markedBy } from "./mark";
import { COUNTING, keepAway, keepPlace, takeOutEarlier } from "./move";
import { removeNodes } from "./nodes";
import { noteOf, traceOn } from "./notes";
import { isAdding, isListing, isOtherThanContent, passes, recordOf } from "./records";
import type { ChangeRecord, Trace } from "./records";
import { isEdited, mayTry } from "./restraint";
import { contentBefore, isSetByApp, takeBack, undoOf } from "./undo";

const isLeaving = __CHANGE_MOVE__ || __CHANGE_REMOVE__;

const isMarking = __CHANGE_INSERT__ || isLeaving;

/** About a millisecond's work. */
const CHECKS_PER_PASS_MAX = 500;

/**
 * Applies a change to all elements that its selector finds and where it is not in place. New ones come first. Those it was applied to are
 * looked at in turns, some in each pass, since there may be thousands of them; and the whole ends when the pass has to.
 */
export const applyToElements = (change: ChangeConfig): void => {
  const record = recordOf(change);
  if (__CHANGE_INSERT__) {
    passes.searched = undefined;
  }
  if (isListing) {
    const listed = record.traces_;
    record.traces_ = listed.filter((trace) => isStillThere(trace, change));
    if (__UNDO__ && record.traces_.length < listed.length) {
      keepAway(record, listed);
    }
  }
  const known: Element[] = [];
  const found: Element[] = [];
  const selector = (__CHANGE_CSS__ ? change[ChangeField.Selector] || ":root" : change[ChangeField.Selector]) as string;
  genuine(document, "querySelectorAll")(selector).forEach((element) => {
    if (traceOn(element, record)) {
      known.push(element);
    } else if ((!isAdding || noteOf(element).addedBy_ !== change) && !(isMarking && genuine(element, "closest")(markedBy(change)))) {
      // What the change itself brought in is passed over, and copies of it: it must not be applied inside itself for ever.
      found.push(element);
    }
  });
  // Where something was inserted or moved, a neighbour has the place of an element by now: what is changed stays the same element.
  if ((__CHANGE_INSERT__ || __CHANGE_MOVE__) && COUNTING.test(selector)) {
    found.splice(0, record.traces_.filter((trace) => genuine(trace.element_, "isConnected")).length - known.length);
  }
  const predecessor = found.length === 1 && !known[0] ? record.last_ : undefined;
  if (passes.isNews) {
    record.unchecked_ = known.length;
  }
  found.push(...known.slice(record.next_, record.next_ + Math.min(record.unchecked_, CHECKS_PER_PASS_MAX)));
  // Finding them took its time: of very many, a pass sees to more.
  passes.elementsLeft += found.length >> 4;
  for (const element of found) {
    if (passes.elementsLeft-- <= 0 && Date.now() > passes.endsAt) {
      passes.isCut = true;
      break;
    }
    if (traceOn(element, record)) {
      record.unchecked_--;
      record.next_++;
    }
    applyToElement(change, element, predecessor);
  }
  record.next_ %= known.length || 1;
  passes.isCut ||= record.unchecked_ > 0;
};

/**
 * Whether the page still has the element, or what a change left in its place. What was inserted beside an element that has left would be
 * there twice once the page has rebuilt the element, and what the page itself has removed is not put back. New content left with its
 * element, and comes back with it: dialogs and tabs take their elements out for a while.
 */
const isStillThere = (trace: Trace, change: ChangeConfig): boolean => {
  const element = trace.element_;
  if ((__CHANGE_MOVE__ && change[ChangeField.Kind] === ChangeKind.Move) || (__CHANGE_REMOVE__ && change[ChangeField.Kind] === ChangeKind.Remove)) {
    keepPlace(change, trace);
  }
  if (genuine(element, "isConnected")) {
    return true;
  }
  const standIn = isLeaving && noteOf(element).replacement_;
  trace.isListed_ = !!standIn && genuine(standIn, "isConnected");
  if (__CHANGE_INSERT__ && change[ChangeField.Kind] > ChangeKind.Html && !trace.isListed_) {
    removeNodes(trace.added_);
    trace.added_ = [];
  }
  return trace.isListed_;
};

/**
 * Applies a change to one element, unless it is in place there, or a later change is. `predecessor`: where the change was applied last,
 * if `element` is the only one that its selector finds now.
 */
const applyToElement = (change: ChangeConfig, element: Element, predecessor: Element | undefined): void => {
  const record = recordOf(change);
  const trace =
    traceOn(element, record) ||
    newTrace(
      element,
      record,
      (__CHANGE_MOVE__ && change[ChangeField.Kind] === ChangeKind.Move && takeOutEarlier(change, element)) ||
        (predecessor && !genuine(predecessor, "isConnected") ? traceOn(predecessor, record) : undefined),
    );
  record.last_ = element;
  if (isListing && !trace.isListed_) {
    trace.isListed_ = true;
    record.traces_.push(trace);
  }
  // A new one may have taken its place in this pass.
  const isGone = __CHANGE_MOVE__ && !genuine(element, "isConnected");
  if (isGone || (__CHANGE_RIVALS__ && trace.overruledBy_ && trace.overruledBy_.order_ > record.order_) || trace.holds_?.() || isEdited(change, element) || !mayTry(trace, element)) {
    return;
  }
  const rivals = __CHANGE_RIVALS__ ? noteOf(element).traces_.filter((other) => other !== trace && other.holds_?.()) : [];
  if (__UNDO__ && __CHANGE_RIVALS__ && change[ChangeField.Kind] <= ChangeKind.Html) {
    // Else each of two would keep the other's content as that of the page.
    rivals.filter((other) => other.replaced_ && other.record_.order_ > record.order_).forEach(takeBack);
  }
  const undo = __UNDO__ ? (!trace.undo_ || isSetByApp(change, element) ? undoOf(change, element, trace) : trace.undo_) : undefined;
  const isReplacing = __UNDO__ && change[ChangeField.Kind] <= ChangeKind.Html && genuine(element, "localName") !== "script";
  const before = isReplacing ? contentBefore(trace, element) : [];
  trace.holds_ = changeElement(change, element);
  trace.first_ = genuine(element, "firstChild");
  if (isReplacing) {
    const own = trace.added_;
    trace.replaced_ = { before_: fragmentWith(before), own_: own, text_: own[own.length - 1]?.nodeValue || "" };
  }
  if (__CHANGE_OPTIONS__) {
    record.isApplied_ = true;
  }
  if (__CHANGE_HTML__ || isOtherThanContent) {
    // A change before this one may find new elements by now. Changes that find what the other brings have one further pass for each change of
    // the page: they must not feed each other for ever.
    passes.isCut ||= passes.isNews;
  }
  // Two changes that both have their way for ever would not end.
  const overruled = __CHANGE_RIVALS__ ? rivals.filter((rival) => !rival.holds_?.()) : [];
  if (__CHANGE_RIVALS__) {
    overruled.forEach((rival) => (rival.overruledBy_ = record));
  }
  if (__UNDO__ && !(trace.undo_ && overruled.length)) {
    trace.undo_ = undo;
  }
};

/** An element that replaces one that the page has discarded, which left `gone`: an app that rebuilds it for ever is the same adversary. */
const newTrace = (element: Element, record: ChangeRecord, gone: Trace | undefined): Trace => {
  const trace = {
    record_: record,
    ...(isListing && { element_: element, isListed_: false }),
    ...(isAdding && { added_: [] }),
    ...(__CHANGE_MOVE__ && { from_: null }),
    ...(__CHANGE_REMOVE__ && { aside_: undefined }),
    ...(__UNDO__ && { undo_: undefined, replaced_: undefined }),
    holds_: undefined,
    first_: null,
    ...(__CHANGE_RIVALS__ && { overruledBy_: undefined }),
    count_: gone ? gone.count_ : 0,
    since_: gone ? gone.since_ : 0,
  } as Trace;
  const note = noteOf(element);
  note.traces_ = [...note.traces_, trace];
  return trace;
};
