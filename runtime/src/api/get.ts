/** `get(name)`: what the page can ask for. */

import { projectId, revision } from "../config";
import { state } from "../state/state";
import { visitor } from "../visitor/visitor";

export const get = (name: unknown): unknown => {
  if (name === "state") {
    return state();
  }
  if (name === "visitor") {
    return { visitorId: visitor.id };
  }
  return name === "data" ? { projectId, revision } : undefined;
};
