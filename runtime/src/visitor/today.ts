/** The number of the day, counted from the beginning of 1970, in universal time. */

import { Date } from "../builtins/Date";

const DAY_MS = 24 * 60 * 60 * 1000;

export const today = (): number => Math.floor(Date.now() / DAY_MS);
