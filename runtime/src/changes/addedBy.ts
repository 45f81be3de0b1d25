/** Which change brought a node into the page. Of HTML that was added: what stands at its top, and all elements in it. */

import { WeakMap } from "../builtins/WeakMap";
import type { ChangeConfig } from "../config";

export const addedBy = /* @__PURE__ */ new WeakMap<Node, ChangeConfig>();
