/** What keepFirst.ts remembers under a key; `undefined` for nothing. */

import { decodePercent } from "./decodePercent";
import { recall } from "./recall";

export const firstSeen = (key: string): string | undefined => decodePercent(recall(key)) || undefined;
