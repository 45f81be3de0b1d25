/** Walking through the page by arrow keys: up to the parent, down to the first child, left and right among siblings. */

import { genuine } from "../browser/genuine";

const WAYS = { ArrowUp: "parentElement", ArrowDown: "firstElementChild", ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" } as const;

/** The element that an arrow key leads to, the same one at an end, and the body from nowhere; nothing for another key. */
export const neighbour = (element: Element | undefined, key: string): Element | undefined => {
  const way = WAYS[key as keyof typeof WAYS];
  if (!way || !element) {
    return way && genuine(document, "body");
  }
  const onwards = way === "firstElementChild" ? "nextElementSibling" : way;
  let next = genuine(element, way);
  while (next && !isInView(next)) {
    next = genuine(next, onwards);
  }
  return next && genuine(next, "localName") !== "html" ? next : element;
};

/** Whether an element has a place in what is seen: heads, scripts, templates and the stand-in of a moved element do not. */
const isInView = (element: Element): boolean => {
  if (genuine(element, "localName") === "assay-editor") {
    return false;
  }
  let ancestor: Element | null = element;
  while (ancestor && getComputedStyle(ancestor).display !== "none") {
    ancestor = genuine(ancestor, "parentElement");
  }
  return !ancestor;
};
