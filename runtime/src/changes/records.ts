/** What happened with each change so far. Records are made by recordOf.ts and end with undoChange.ts. */

import { Map } from "../builtins/Map";
import type { ChangeConfig } from "../config";
import type { ChangeRecord } from "./ChangeRecord";

export const records = /* @__PURE__ */ new Map<ChangeConfig, ChangeRecord>();
