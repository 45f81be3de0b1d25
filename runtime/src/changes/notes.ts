/** What changes note on nodes of the page. A clone has none of it. */

import { attempt } from "../browser/attempt";
import type { ChangeConfig } from "../project/config";
import { isAdding } from "./records";
import type { ChangeRecord, Trace } from "./records";

interface Note {
  /** What each change left on an element. */
  traces_: readonly Trace[];
  /** The change that put the node into the page. For added HTML: its top nodes, and all elements in it. */
  addedBy_: ChangeConfig | undefined;
  /** Of a node of the page that a change took out: what stands in its place, `null` for nothing. See `tolerate`. */
  replacement_: ChildNode | null | undefined;
  /** What waited for such an element, and was told of it: see `observeSelector`. */
  seenBy_: readonly (() => void)[];
}

/** No other script, and no other run of this one, has the name under which a node keeps its note. */
const NOTE = /* @__PURE__ */ attempt(() => window.Symbol()) as symbol;

/** The note of a node: made when it is first asked for. */
export const noteOf = (node: Node): Note =>
  ((node as Node & Record<symbol, Note | undefined>)[NOTE] ||= {
    traces_: [],
    ...(isAdding && { addedBy_: undefined }),
    replacement_: undefined,
    ...(__UTILS__ && { seenBy_: [] }),
  } as unknown as Note);

/** What a change left on an element. */
export const traceOn = (element: Element, record: ChangeRecord): Trace | undefined => noteOf(element).traces_.find((trace) => trace.record_ === record);
