/** Whether the parser is still in the midst of an element: nothing stands behind it, nor behind anything it is in. */

export const isArriving = (node: Node | null): boolean =>
  !node || (document.readyState === "loading" && !node.nextSibling && isArriving(node.parentNode));
