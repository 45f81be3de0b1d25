/** The list of changes through time: undo and redo. */

import type { DocumentChange } from "../project/editing";

const STEPS_MAX = 200;

/** A list of changes, and its past and future. */
interface History {
  list: () => readonly DocumentChange[];
  /** The next list. With the same `merge` as the step before, as for each letter of one text, the two are one step. */
  put: (next: readonly DocumentChange[], merge?: string) => void;
  /** Another list, without a way back: what the console has. */
  reset: (list: readonly DocumentChange[]) => void;
  undo: () => boolean;
  redo: () => boolean;
  canUndo: () => boolean;
  canRedo: () => boolean;
}

/** A history that begins with a list. */
export const newHistory = (first: readonly DocumentChange[]): History => {
  let present = first;
  let past: (readonly DocumentChange[])[] = [];
  let future: (readonly DocumentChange[])[] = [];
  let lastMerge: string | undefined;
  const step = (from: (readonly DocumentChange[])[], to: (readonly DocumentChange[])[]): boolean => {
    const next = from.pop();
    if (!next) {
      return false;
    }
    to.push(present);
    present = next;
    lastMerge = undefined;
    return true;
  };
  return {
    list: () => present,
    put: (next, merge) => {
      if (!merge || merge !== lastMerge) {
        past = [...past, present].slice(-STEPS_MAX);
      }
      lastMerge = merge;
      future = [];
      present = next;
    },
    reset: (list) => {
      present = list;
      past = [];
      future = [];
      lastMerge = undefined;
    },
    undo: () => step(past, future),
    redo: () => step(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
};
