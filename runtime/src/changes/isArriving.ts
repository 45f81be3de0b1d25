/** Whether the parser is still in the midst of an element: nothing stands behind it, nor behind anything it is in. */

export const isArriving = (node: Node): boolean => {
  // From the top: a form answers for `parentNode` with a field of that name.
  let end: Node | null = document.readyState === "loading" ? document : null;
  while (end && end !== node) {
    end = end.lastChild;
  }
  return !!end;
};
