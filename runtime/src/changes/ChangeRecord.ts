/** What happened with one change so far in this page view. Kept by recordOf.ts. */

import type { Decision } from "../decide/Decision";
import type { Trace } from "./Trace";

export interface ChangeRecord {
  /** What its mark in the page says: see mark.ts. */
  id: string;
  /** It was applied somewhere, or its code is through: what depends on it may follow. */
  isApplied: boolean;
  /** An async one has waited for its own task. */
  isDue: boolean | undefined;
  /** The decision that puts it in force, and the one for which its code ran. */
  decision: Decision | undefined;
  ranFor: Decision | undefined;
  /** By element of the page that it was applied to. */
  readonly traces: WeakMap<Element, Trace>;
  /** The element it was to be applied to last. */
  last: Element | undefined;
  /** Among the elements it was applied to: how many are still to be looked at since the page changed, and which one is next. */
  unchecked: number;
  next: number;
  /** By element: what it added beside or inside, as addNodes.ts notes it. */
  added: Map<Element, readonly ChildNode[]> | undefined;
  removeStyleSheet: (() => void) | undefined;
  /** By element, or the document's for a style sheet: how to take the change back. */
  readonly undo: Map<Element, () => void>;
}
