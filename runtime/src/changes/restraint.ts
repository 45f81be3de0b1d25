/** When a change is not applied once more: it would fight the page, or the visitor. */

import { warn } from "../browser/attempt";
import { Date } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { ChangeField, ChangeKind } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { isArriving } from "./nodes";
import { traceOn } from "./notes";
import { isOtherThanContent, recordOf } from "./records";
import type { Trace, Tries } from "./records";

const TIMES_PER_SECOND_MAX = 10;

/** Whether a change may be applied to an element once more. An app that keeps taking it back is not fought for ever. */
export const mayTry = (trace: Trace, element: Element): boolean => {
  // The parser brings more of an element as often as it likes: it takes nothing back.
  return (!!trace.first_ && genuine(trace.first_, "parentNode") === element && isArriving(element)) || mayOnceMore(trace, element);
};

/** Whether something that others take back may be done once more: after so many times within a second we leave it alone, and say so. */
export const mayOnceMore = (tries: Tries, what: unknown): boolean => {
  // The clock may be set back.
  const now = Date.now();
  if (tries.count_ <= TIMES_PER_SECOND_MAX && (now - tries.since_) ** 2 > 1e6) {
    tries.count_ = 0;
    tries.since_ = now;
  }
  if (tries.count_++ === TIMES_PER_SECOND_MAX) {
    warn("gave up", what);
  }
  return tries.count_ <= TIMES_PER_SECOND_MAX;
};

/** Where the visitor was seen to write. */
const written: HTMLElement[] = [];

/**
 * Whether the visitor has begun to write where a change would have its way once more: around the element, or in a field within what the
 * change replaces. What they wrote stays, also when they go on elsewhere.
 */
export const isEdited = (change: ChangeConfig, element: Element): boolean => {
  const isReplacing = !isOtherThanContent || change[ChangeField.Kind] <= ChangeKind.Html;
  // What shows an element in another way erases nothing.
  if (!isReplacing && change[ChangeField.Kind] < ChangeKind.Insert) {
    return false;
  }
  const active = genuine(document, "activeElement") as HTMLElement | null;
  if (active?.isContentEditable && !written.includes(active)) {
    written.push(active);
  }
  const isAgain = isReplacing && traceOn(element, recordOf(change))?.holds_;
  const fields = !isAgain ? [] : [...genuine(element, "querySelectorAll")<HTMLInputElement>("input,textarea")];
  return (
    written.some((place) => genuine(place, "contains")(element) || (isReplacing && genuine(element, "contains")(place))) ||
    // Fields show it: their value differs from their default. At first that is what the browser put back there.
    fields.some((field) => field.value !== field.defaultValue)
  );
};
