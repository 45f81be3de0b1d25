/** Replaces an element's content. Tells whether all of it is still there. */

import type { ChangeConfig } from "../config";
import { addHtml } from "./addHtml";

export const setHtml = (change: ChangeConfig, element: Element): (() => boolean) => {
  element.textContent = "";
  return addHtml(change, element, "append");
};
