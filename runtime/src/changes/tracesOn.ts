/** By element: what all changes left on it. */

import { WeakMap } from "../builtins/WeakMap";
import type { Trace } from "./Trace";

export const tracesOn = /* @__PURE__ */ new WeakMap<Element, readonly Trace[]>();
