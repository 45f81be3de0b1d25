/** By element: what all changes left on it. */

import type { Trace } from "./Trace";

export const tracesOn = new WeakMap<Element, readonly Trace[]>();
