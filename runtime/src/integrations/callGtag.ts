/** Calls Google's tag. In its array a call is the `arguments` of a function; it takes nothing else for one. */

import { gtagDataLayer } from "../config";
import { dataLayer } from "./dataLayer";

export const callGtag: (...call: unknown[]) => void = function () {
  dataLayer(gtagDataLayer).push(arguments);
};
