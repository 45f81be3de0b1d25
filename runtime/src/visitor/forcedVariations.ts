/** Ids of the variations that the visitor's tab asked for, filled by loadForced.ts, or that their preview link shows. */

import { previewed } from "../config";

export const forcedVariations: number[] = __PREVIEWED__ ? [...previewed] : [];
