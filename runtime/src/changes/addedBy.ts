/** Which change brought a node into the page. Of HTML that was added: what stands at its top, and all elements in it. */

import type { ChangeConfig } from "../config";

export const addedBy = new WeakMap<Node, ChangeConfig>();
