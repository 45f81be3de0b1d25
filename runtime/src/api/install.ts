/**
 * Puts the in-page API under its global names, in place of the arrays of commands that wait there. A second snippet on the page finds
 * the first and does nothing; anything else under the name, an element's id say, is replaced.
 */

import { globalAliases } from "../config";
import { get } from "./get";
import { push } from "./push";
import { start } from "./start";

const GLOBAL_NAME = "experimentation";

/** @returns true once all is done */
export const install = (): true => {
  const globals = window as unknown as Record<string, unknown>;
  // A queue is an array, whatever libraries add to all arrays.
  const { get: hasGet, push: itsPush } = Object(globals[GLOBAL_NAME]) as { get?: unknown; push?: unknown };
  // A form has its fields as properties.
  if (hasGet && typeof itsPush === "function" && !Array.isArray(globals[GLOBAL_NAME])) {
    return true;
  }
  let queue: unknown[] = [];
  const api = { get, push };
  for (const name of __GLOBAL_ALIASES__ ? [GLOBAL_NAME, ...globalAliases] : [GLOBAL_NAME]) {
    const waiting = globals[name];
    if (Array.isArray(waiting)) {
      queue = queue.concat(waiting);
    }
    globals[name] = api;
  }
  start(queue);
  return true;
};
