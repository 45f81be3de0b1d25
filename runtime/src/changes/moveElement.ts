/** Moves an element beside or inside another; not yet while the other is not there. Tells whether it still is where it was put. */

import type { Position } from "./Position";

export const moveElement = (element: Element, to: string, position: Position): (() => boolean) | undefined => {
  const target = document.querySelector(to);
  if (!target) {
    return undefined;
  }
  target[position](element);
  const parent = element.parentNode;
  return () => element.parentNode === parent;
};
