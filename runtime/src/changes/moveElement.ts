/** Moves an element beside or inside another. Tells whether it still is where it was put, or there still is nowhere to put it. */

import type { ChangeConfig } from "../config";
import { leaveMark } from "./leaveMark";
import type { Position } from "./Position";

export const moveElement = (change: ChangeConfig, element: Element, to: string, position: Exclude<Position, "content">): (() => boolean) => {
  const target = document.querySelector(to);
  if (target) {
    leaveMark(change, element);
    target[position](element);
  }
  const parent = element.parentNode;
  return () => (target ? element.parentNode === parent : !document.querySelector(to));
};
