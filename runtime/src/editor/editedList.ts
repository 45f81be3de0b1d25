/** The list of changes that is being made: what every part of the editor shows, and what the console is told. */

import { attempt } from "../browser/attempt";
import { editing } from "../project/config";
import type { DocumentChange } from "../project/editing";
import { tellConsole } from "./connection";
import { isAppliedTo, isForThisPage, showChanges } from "./editedChanges";
import { newHistory } from "./history";

/** The tab keeps the list over reloads, for the case that no console's window has it. */
const STORED = "experimentation_editor";

/** Kinds of changes of which an element has one that counts: the last. Classes are added to those that others add. */
const SINGLE = ["text", "style", "attribute", "remove"];

/** The list, and what can be done with it. */
interface EditedList {
  readonly list: () => readonly DocumentChange[];
  readonly canUndo: () => boolean;
  readonly canRedo: () => boolean;
  /** Adds a change of an element, in place of the one that sets the same on it. */
  readonly put: (change: DocumentChange, merge?: string, element?: Element) => void;
  readonly remove: (place: number) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** The list that the console has, instead. */
  readonly replace: (list: readonly DocumentChange[], isUndoable: boolean) => void;
  /** Puts the list into force. */
  readonly show: () => void;
}

/** Opens the list of the variation. `changed` is called whenever there is another list; `isElsewhere` if what is selected may be gone. */
export const openList = (changed: (isElsewhere: boolean) => void): EditedList => {
  const history = newHistory(storedList() || editing.changes);
  const { list, canUndo, canRedo } = history;
  const show = (): void => {
    showChanges(editing.variation, list());
    attempt(() => sessionStorage.setItem(STORED, JSON.stringify({ nonce: editing.nonce, list: list() })));
  };
  const tell = (isElsewhere: boolean): void => {
    show();
    tellConsole("changes", list());
    changed(isElsewhere);
  };
  const put = (change: DocumentChange, merge?: string, element?: Element): void => {
    history.put(withChange(list(), change, element), merge);
    tell(false);
  };
  const remove = (place: number): void => {
    history.put(list().filter((_, at) => at !== place));
    tell(true);
  };
  const replace = (next: readonly DocumentChange[], isUndoable: boolean): void => {
    (isUndoable ? history.put : history.reset)(next);
    show();
    changed(true);
  };
  const undo = (): void => void (history.undo() && tell(true));
  const redo = (): void => void (history.redo() && tell(true));
  return { list, canUndo, canRedo, put, remove, undo, redo, replace, show };
};

/**
 * The list with a change: in place of the last that sets the same on this page, and else at the end. One that sets the same on other
 * pages alone stays as it is, and keeps its say there: it follows the new one, because the last counts. Once something was moved, the
 * same selector may be another element's.
 */
const withChange = (list: readonly DocumentChange[], change: DocumentChange, element?: Element): readonly DocumentChange[] => {
  const isOfElement = (known: DocumentChange, place: number): boolean => !element || !isForThisPage(known) || isAppliedTo(place, element);
  const same = list.filter((known, place) => sets(known, change) && isOfElement(known, place));
  const replaced = same.filter(isForThisPage).pop();
  if (replaced) {
    return list.map((known) => (known === replaced ? { ...known, ...change } : known));
  }
  const at = same[0] ? list.indexOf(same[0]) : list.length;
  return [...list.slice(0, at), change, ...list.slice(at)];
};

/** Whether two changes set the same thing, so that the later one takes the place of the earlier. */
const sets = (known: DocumentChange, change: DocumentChange): boolean =>
  known.type === change.type &&
  known.selector === change.selector &&
  known.name === change.name &&
  (SINGLE.includes(change.type) || (change.type === "class" && known.value === change.value));

const storedList = (): readonly DocumentChange[] | undefined => {
  const stored = attempt(() => JSON.parse(sessionStorage.getItem(STORED) || "null") as { nonce: string; list: DocumentChange[] } | null);
  return stored?.nonce === editing.nonce ? stored.list : undefined;
};
