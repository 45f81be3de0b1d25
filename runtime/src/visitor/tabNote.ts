/**
 * A note for the visitor's tab, kept in session storage: it follows the tab to its next page, and no other tab sees it. Few visitors
 * ever have one, so session storage is read only for those who once had.
 */

import { attempt } from "../attempt";
import { recall } from "./recall";
import { storageKey } from "./storageKey";

/** Empty for no note. */
export const tabNote = (name: string): string =>
  (recall("tab") && attempt(() => sessionStorage.getItem(storageKey + name))) || "";
