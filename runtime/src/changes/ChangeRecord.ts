/** What happened with one change so far in this page view. Kept by recordOf.ts. */

import type { Trace } from "./Trace";

export interface ChangeRecord {
  /** The activation that applied it last. */
  activationId?: number;
  /** By element of the page that it was applied to. */
  readonly traces: WeakMap<Element, Trace>;
  /** By element: what it added beside or inside, as addHtml.ts notes it. */
  added?: Map<Element, readonly ChildNode[]>;
  /** By element, or the document's for a style sheet: how to take the change back. */
  readonly undo: Map<Element, () => void>;
}
