/** Moves an element beside or inside another. Tells whether it still is where it was put, or there still is nowhere to put it. */

import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { leaveMark } from "./leaveMark";
import type { Position } from "./Position";

export const moveElement = (change: ChangeConfig, element: Element, to: string, position: Exclude<Position, "content">): (() => boolean) => {
  const target = genuine(document, "querySelector")(to);
  if (target) {
    leaveMark(change, element);
    genuine(target, position)(element);
  }
  const parent = genuine(element, "parentNode");
  return () => (target ? genuine(element, "parentNode") === parent : !genuine(document, "querySelector")(to));
};
