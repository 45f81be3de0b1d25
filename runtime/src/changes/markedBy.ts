/** A selector of all that a change put into the page, and of all copies of it: see mark.ts. */

import type { ChangeConfig } from "../config";
import { MARK } from "./mark";
import { recordOf } from "./recordOf";

export const markedBy = (change: ChangeConfig): string => `[${MARK}="${recordOf(change).id}"]`;
