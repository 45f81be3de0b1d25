/**
 * Applies a change to all elements that its selector finds and where it is not in place. New ones come first. Those it was applied to
 * are looked at in turns, some in each pass, since there may be thousands of them; and the whole ends when the pass has to.
 */

import { Date } from "../builtins/Date";
import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { addedBy } from "./addedBy";
import { applyToElement } from "./applyToElement";
import { markedBy } from "./markedBy";
import { passes } from "./passes";
import { recordOf } from "./recordOf";
import { removeOrphans } from "./removeOrphans";
import { taken } from "./taken";

const isMarking = __CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__;

/** About a millisecond's work. */
const CHECKS_PER_PASS_MAX = 500;

export const applyToElements = (change: ChangeConfig): void => {
  const record = recordOf(change);
  if (__CHANGE_HTML__ || __CHANGE_INSERT__) {
    removeOrphans(record);
  }
  if (__UNDO__) {
    // Nobody wants those back that the page itself has thrown away.
    record.undo.forEach((_, element) => genuine(taken.get(element) || element, "isConnected") || record.undo.delete(element));
  }
  const known: Element[] = [];
  const found: Element[] = [];
  const selector = (__CHANGE_CSS__ && !change[ChangeField.Selector] ? ":root" : change[ChangeField.Selector]) as string;
  genuine(document, "querySelectorAll")(selector).forEach((element) => {
    if (record.traces.has(element)) {
      known.push(element);
    } else if (addedBy.get(element) !== change && !(isMarking && genuine(element, "closest")(markedBy(change)))) {
      // What the change itself brought in is passed over, and copies of it: it must not be applied inside itself for ever.
      found.push(element);
    }
  });
  const predecessor = found.length === 1 && known.length === 0 ? record.last : undefined;
  if (passes.isNews) {
    record.unchecked = known.length;
  }
  found.push(...known.slice(record.next, record.next + Math.min(record.unchecked, CHECKS_PER_PASS_MAX)));
  for (const element of found) {
    if (passes.elementsLeft-- <= 0 && Date.now() > passes.endsAt) {
      passes.isCut = true;
      return;
    }
    if (record.traces.has(element)) {
      record.unchecked--;
      record.next++;
    }
    applyToElement(change, element, predecessor);
  }
  record.next %= known.length || 1;
  passes.isCut ||= record.unchecked > 0;
};
