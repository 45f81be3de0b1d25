/** The in-page API: how it gets its global names, and what the page can ask it for. */

import { attempt, warn } from "../browser/attempt";
import { globalNamed } from "../browser/globals";
import { globalAliases, projectId } from "../project/config";
import { isAliased } from "../project/items";
import { data } from "../state/data";
import { state } from "../state/state";
import { describeVisitor } from "../visitor/describeVisitor";
import { sessionId } from "../visitor/session";
import { visitor } from "../visitor/visitor";
import { tools } from "../waiting/tools";
import { push } from "./push";
import { start } from "./start";

const GLOBAL_NAME = "experimentation";

const globals = (): Record<string, unknown> => window as unknown as Record<string, unknown>;

/**
 * Puts the in-page API under its global names, in place of the arrays of commands that wait there. A second snippet on the page finds the
 * first and does nothing, but for saying so if it is of another project; anything else under the name, an element's id say, is replaced.
 * @returns true once all is done
 */
export const install = (): true => {
  // A queue is an array, whatever libraries add to all arrays.
  const present = globalNamed(GLOBAL_NAME) as { get?: unknown; push?: { call?: unknown } } | undefined;
  // A form has its fields as properties, and they are no functions.
  if (present?.get && present.push?.call && !Array.isArray(present)) {
    const { projectId: other } = Object(attempt(() => (present.get as typeof get)("data"))) as { projectId?: unknown };
    if (other && other !== projectId) {
      warn("page has project", other, "not", projectId);
    }
    return true;
  }
  let queue: readonly unknown[] = Array.isArray(present) ? [...(present as unknown[])] : [];
  const api = { get, push, ...(isAliased && { initialized: true }) };
  globals()[GLOBAL_NAME] = api;
  if (__GLOBAL_ALIASES__) {
    for (const name of globalAliases) {
      const waiting = globalNamed(name);
      // A page may have given one queue both names.
      if (Array.isArray(waiting) && waiting !== present) {
        queue = [...queue, ...(waiting as unknown[])];
      }
      globals()[name] = api;
    }
  }
  start(queue);
  return true;
};

/** `get(name)`: what the page can ask for. */
const get = (name: unknown): unknown => {
  if (name === "state") {
    return state();
  }
  if (name === "visitor") {
    return describeVisitor();
  }
  if (name === "data") {
    return data();
  }
  if (isAliased && name === "visitor_id") {
    return { randomId: visitor.id };
  }
  if (isAliased && name === "session") {
    return { sessionId: sessionId() };
  }
  return __UTILS__ && name === "utils" ? tools() : undefined;
};
