/** What happened with each change so far in this page view. */

import { Map, WeakMap } from "../browser/builtins";
import type { Decision } from "../pageView/pageView";
import type { ChangeConfig } from "../project/config";

/** What happened with one change so far in this page view. Kept by `recordOf`. */
export interface ChangeRecord {
  /** The value of its mark in the page: see `MARK`. */
  id_: string;
  /** It was applied somewhere, or its code is through: what depends on it may follow. */
  isApplied_: boolean;
  /** An async one has waited for its own task. */
  isDue_: boolean | undefined;
  /** The decision that puts it in force, and the one for which its code ran. */
  decision_: Decision | undefined;
  ranFor_: Decision | undefined;
  /** By element of the page that it was applied to. */
  readonly traces_: WeakMap<Element, Trace>;
  /** The element it was to be applied to last. */
  last_: Element | undefined;
  /** Among the elements it was applied to: how many are still to be looked at since the page changed, and which one is next. */
  unchecked_: number;
  next_: number;
  /** By element: what it added beside or inside, as `addNodes` notes it. */
  added_: Map<Element, readonly ChildNode[]> | undefined;
  removeStyleSheet_: (() => void) | undefined;
  /** By element, or the document's for a style sheet: how to take the change back. */
  readonly undo_: Map<Element, () => void>;
}

/** What a change left on one element. */
export interface Trace {
  /** Whether the element still is as the change made it; `undefined` if that cannot be said, or it was not changed yet. */
  holds_: (() => boolean) | undefined;
  /** What stood first in the element when it had been made so. */
  first_: ChildNode | null;
  /** A later change in force made the element otherwise: `passes.setId` of that time. */
  overruled_: number;
  /** How often it was made so within the second that began at `since`, in milliseconds. See `mayTry`. */
  count_: number;
  since_: number;
}

/** Where something goes, seen from an element: also the name of the element's method that puts it there, but for the last. */
export type Position = "before" | "after" | "prepend" | "append" | "content";

/** What happened with each change so far. Records are made by `recordOf` and end with `undoChange`. */
export const records = /* @__PURE__ */ new Map<ChangeConfig, ChangeRecord>();

/** The record of a change: made when it is first asked for, and kept over activations, so that nothing is inserted twice. */
export const recordOf = (change: ChangeConfig): ChangeRecord => {
  // What the project's changes never ask for is left out; all else exists from the start: see `PageView`.
  const record = (records.get(change) || {
    ...((__CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__) && { id_: "" }),
    ...(__CHANGE_OPTIONS__ && { isApplied_: false, isDue_: undefined }),
    ...(__CHANGE_JAVASCRIPT__ && { decision_: undefined, ranFor_: undefined }),
    traces_: new WeakMap(),
    last_: undefined,
    unchecked_: 0,
    next_: 0,
    added_: undefined,
    ...(__CHANGE_CSS__ && { removeStyleSheet_: undefined }),
    ...(__UNDO__ && { undo_: new Map() }),
  }) as unknown as ChangeRecord;
  records.set(change, record);
  return record;
};

/** By element: what all changes left on it. */
export const tracesOn = /* @__PURE__ */ new WeakMap<Element, readonly Trace[]>();

/** What `keepUp` and `applyToElements` have to know of each other's work. */
export const passes = {
  /** The number of the set of changes in force. */
  setId: 0,
  /** The page has changed since the last pass. */
  isNews: false,
  /** The present pass is not through: there was too much to do for one frame. */
  isCut: false,
  /** When the present pass has to end, in milliseconds, and how many elements it has to look at even so. */
  endsAt: 0,
  elementsLeft: 0,
};
