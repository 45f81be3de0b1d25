/** Which change brought an element into the page. Noted by addHtml.ts. */

import type { ChangeConfig } from "../config";

export const addedBy = new WeakMap<Element, ChangeConfig>();
