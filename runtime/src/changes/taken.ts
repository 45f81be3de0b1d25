/** By node of the page that a change took from its place: what stands there since, if anything does. See tolerate.ts. */

import { WeakMap } from "../builtins/WeakMap";

export const taken = /* @__PURE__ */ new WeakMap<Node, ChildNode | null>();
