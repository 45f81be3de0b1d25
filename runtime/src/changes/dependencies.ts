/** The changes that have to be applied before a change. Filled by inOrder.ts. */

import type { ChangeConfig } from "../config";

export const dependencies = new Map<ChangeConfig, readonly ChangeConfig[]>();
