/** What happened with each change so far. Records are made by recordOf.ts and end with undoChange.ts. */

import type { ChangeConfig } from "../config";
import type { ChangeRecord } from "./ChangeRecord";

export const records = new Map<ChangeConfig, ChangeRecord>();
