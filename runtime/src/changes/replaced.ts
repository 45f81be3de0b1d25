/** By an element's trace of a change: the content it had without the change, and what it got by it. contentBefore.ts reads it. */

import { WeakMap } from "../builtins/WeakMap";
import type { Trace } from "./Trace";

export const replaced = /* @__PURE__ */ new WeakMap<
  Trace,
  {
    readonly before: readonly (ChildNode | string)[];
    readonly own: readonly ChildNode[];
    /** The text of the last of these. */
    readonly text: string;
  }
>();
