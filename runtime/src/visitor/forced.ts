/** What the visitor's tab asked for: variations and audiences to look at, whatever the rules say. */

import { decodePercent, queryParameter } from "../browser/address";
import { attempt } from "../browser/attempt";
import { previewed } from "../project/config";
import { memorize, recall } from "./memory";
import { storageKey } from "./storedEntry";
import { visitor } from "./visitor";

/**
 * Reads what the visitor's tab asked for, now or earlier: `?experimentation_x=5002,5012` for variations, and
 * `?experimentation_x_audiences=6001` for audiences. An empty list ends it.
 */
export const loadForced = (): void => {
  load("x", forcedVariations);
  if (__AUDIENCES__) {
    load("x_audiences", forcedAudiences);
  }
};

const load = (name: string, ids: number[]): void => {
  const asked = queryParameter("experimentation_" + name);
  if (asked !== undefined) {
    writeTabNote(":" + name, asked);
  }
  const list = decodePercent(asked ?? tabNote(":" + name));
  if (list) {
    // A list that ends with a comma names 0 with it, which is no variation's id.
    ids.push(...list.split(",").map(Number));
  }
};

/** Ids of the variations that the visitor's tab asked for, filled by `loadForced`, or that their preview link shows. */
export const forcedVariations: number[] = __PREVIEWED__ ? [...previewed] : [];

/** In session storage: ids of the audiences that a person who looks at a preview counts as in. Its panel writes it. */
export const PREVIEW_AUDIENCES = "experimentation_preview_audiences";

/** Ids of the audiences that the visitor's tab asked to count as being in. Filled by `loadForced`, or by the panel of a preview. */
export const forcedAudiences: number[] =
  __PREVIEWED__ && previewed.length > 0
    ? (attempt(() => sessionStorage.getItem(PREVIEW_AUDIENCES)) || "").split(",").filter((id) => id).map(Number)
    : [];

/**
 * A note for the visitor's tab, kept in session storage: it follows the tab to its next page, and no other tab sees it. Few visitors ever
 * have one, so session storage is read only for visitors who once had one. Empty for no note.
 */
const tabNote = (name: string): string =>
  (recall("tab") && attempt(() => sessionStorage.getItem(storageKey + name))) || "";

/** Leaves a note for the visitor's tab, or takes it away with an empty text. See `tabNote`. */
const writeTabNote = (name: string, text: string): void => {
  memorize("tab", "1");
  if (visitor.isKept) {
    attempt(() => sessionStorage.setItem(storageKey + name, text));
  }
};
