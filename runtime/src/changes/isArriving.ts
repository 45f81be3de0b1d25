/** Whether the parser is still in the midst of an element: nothing stands behind it, nor behind anything it is in. */

import { genuine } from "../genuine";

export const isArriving = (node: Node): boolean => {
  let end: Node | null = genuine(document, "readyState") === "loading" ? document : null;
  while (end && end !== node) {
    // A form's field of that name may hold the form, and this would not end.
    end = genuine(end, "lastChild");
  }
  return !!end;
};
