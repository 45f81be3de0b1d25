/** `get(name)`: what the page can ask for. */

import { data } from "../data/data";
import { state } from "../state/state";
import { describeVisitor } from "../visitor/describeVisitor";
import { tools } from "../waiting/tools";

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
  return __UTILS__ && name === "utils" ? tools() : undefined;
};
