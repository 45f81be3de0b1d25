/** `get(name)`: what the page can ask for. */

import { data } from "../data/data";
import { state } from "../state/state";
import { describeVisitor } from "../visitor/describeVisitor";
import { sessionId } from "../visitor/sessionId";
import { visitor } from "../visitor/visitor";
import { tools } from "../waiting/tools";
import { isAliased } from "./isAliased";

export const get = (name: unknown): unknown => {
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
