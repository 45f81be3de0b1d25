/** The changes that have to be applied before a change. Filled by inOrder.ts. */

import { Map } from "../builtins/Map";
import type { ChangeConfig } from "../config";

export const dependencies = /* @__PURE__ */ new Map<ChangeConfig, readonly ChangeConfig[]>();
