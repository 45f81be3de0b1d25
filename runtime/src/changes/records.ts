/** What happened with each change so far in this page view. */

import type { ChangeConfig, Decision } from "../project/config";

/** Whether changes do more to elements than to replace their content. */
export const isOtherThanContent =
  __CHANGE_STYLE__ || __CHANGE_CLASS__ || __CHANGE_ATTRIBUTE__ || __CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__ || __CHANGE_CSS__;

/** What happened with one change so far in this page view. Kept by `recordOf`. */
export interface ChangeRecord {
  /** The value of its mark in the page: see `MARK`. */
  id_: string;
  /** It was applied somewhere, or its code is through: what depends on it may follow. */
  isApplied_: boolean;
  /** An async one has waited for its own task. */
  isDue_: boolean | undefined;
  /** Its place in the order of all that were ever put in force: what no longer is stands before what is. */
  order_: number;
  /** The decision that puts it in force, and the one for which its code ran. */
  decision_: Decision | undefined;
  ranFor_: Decision | undefined;
  /** The element it was to be applied to last. */
  last_: Element | undefined;
  /** Among the elements it was applied to: how many are still to be looked at since the page changed, and which one is next. */
  unchecked_: number;
  next_: number;
  /** What it left on elements of the page, where `isListing`. */
  traces_: Trace[];
  /** The same of elements that have left the page, where a change may have to be taken back. */
  away_: readonly WeakRef<Trace>[];
  removeStyleSheet_: (() => void) | undefined;
  /** The changes that have to be applied before. `inOrder` finds them. */
  dependencies_: readonly ChangeConfig[];
}

/** How often something was done within the second that began at `since`, in milliseconds. See `mayOnceMore`. */
export interface Tries {
  count_: number;
  since_: number;
}

/** What a change left on one element, and how often it was made so. */
export interface Trace extends Tries {
  /** The change's: it makes another one once it was undone. */
  readonly record_: ChangeRecord;
  readonly element_: Element;
  /** It is among the record's traces. */
  isListed_: boolean;
  /** Whether the element still is as the change made it; `undefined` if that cannot be said, or it was not changed yet. */
  holds_: (() => boolean) | undefined;
  /** What stood first in the element when it had been made so. */
  first_: ChildNode | null;
  /** The change that made the element otherwise: it counts while it is in force, and a later one. */
  overruledBy_: ChangeRecord | undefined;
  /** What the change added beside or inside the element. */
  added_: readonly ChildNode[];
  /** How to take the change back. */
  undo_: (() => void) | undefined;
  /** Where the element stood, if the change moved it. */
  from_: Node | null;
  /** Where the element is, if the change removed it. */
  aside_: DocumentFragment | undefined;
  /** The content that the element had without the change, and what it got by it. `contentBefore` reads it. */
  replaced_: Replaced | undefined;
}

interface Replaced {
  readonly before_: DocumentFragment;
  readonly own_: readonly ChildNode[];
  /** The text of the last of these. */
  readonly text_: string;
}

/** Where something goes, seen from an element: also the name of the element's method that puts it there, but for the last. */
export type Position = "before" | "after" | "prepend" | "append" | "content";

/** Where a change keeps its record. */
interface Recorded {
  record_?: ChangeRecord | undefined;
}

/** The changes that have records, where a preview tells of those that have found nothing. */
export const recorded: ChangeConfig[] = [];

/** The record of a change: made when it is first asked for, and kept over activations, so that nothing is inserted twice. */
export const recordOf = (change: ChangeConfig & Recorded): ChangeRecord => (change.record_ ||= newRecord(change));

/** Ends with `undoChange`: the change begins anew. */
export const forgetRecord = (change: ChangeConfig & Recorded): void => {
  change.record_ = undefined;
  if (__PREVIEWED__) {
    recorded.splice(recorded.indexOf(change), 1);
  }
};

/** Whether changes add nodes, which `addNodes` notes. */
export const isAdding = __CHANGE_HTML__ || __CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__ || __UNDO__;

/** Whether what was inserted has to go with its element, elements leave their places, or a change may have to be taken back. */
export const isListing = __CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__ || __UNDO__;

/** What the project's changes never ask for is left out; all else exists from the start: see `PageView`. */
const newRecord = (change: ChangeConfig): ChangeRecord => {
  if (__PREVIEWED__) {
    recorded.push(change);
  }
  return {
    ...((__CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__) && { id_: "" }),
    ...(__CHANGE_OPTIONS__ && { isApplied_: false, isDue_: undefined, dependencies_: [] }),
    ...(__CHANGE_RIVALS__ && { order_: 0 }),
    ...(__CHANGE_JAVASCRIPT__ && { decision_: undefined, ranFor_: undefined }),
    last_: undefined,
    unchecked_: 0,
    next_: 0,
    ...(isListing && { traces_: [] }),
    ...(__UNDO__ && { away_: [] }),
    ...(__CHANGE_CSS__ && { removeStyleSheet_: undefined }),
  } as unknown as ChangeRecord;
};

/** What `keepUp` and `applyToElements` have to know of each other's work. */
export const passes = {
  /** The place of the last change that was put in force: see `order_`. */
  order: 0,
  /** The page has changed since the last pass. */
  isNews: false,
  /** Another pass has to follow in the next frame: there was too much to do for one, or a change may find more. */
  isCut: false,
  /** When the present pass has to end, in milliseconds, and how many elements it has to look at even so. */
  endsAt: 0,
  elementsLeft: 0,
  /** Where the present change has removed its copies already. */
  searched: undefined as Element | undefined,
};
