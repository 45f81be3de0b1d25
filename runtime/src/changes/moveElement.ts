/** Moves an element beside or inside another. Tells whether it still is where it was put, or there still is nowhere to put it. */

import type { Position } from "./Position";

export const moveElement = (element: Element, to: string, position: Position): (() => boolean) => {
  const target = document.querySelector(to);
  target?.[position](element);
  const parent = element.parentNode;
  return () => (target ? element.parentNode === parent : !document.querySelector(to));
};
