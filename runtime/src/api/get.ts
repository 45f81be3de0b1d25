/** `get(name)`: what the page can ask for. */

import { data } from "../data/data";
import { state } from "../state/state";
import { visitor } from "../visitor/visitor";
import { tools } from "../waiting/tools";

export const get = (name: unknown): unknown => {
  if (name === "state") {
    return state();
  }
  if (name === "visitor") {
    return { visitorId: visitor.id };
  }
  if (name === "data") {
    return data();
  }
  return __UTILS__ && name === "utils" ? tools() : undefined;
};
