/** Nodes of the page: which of them changes have added, and whether the parser is through with them. */

import { genuine } from "../browser/genuine";
import { ChangeField, ChangeKind } from "../project/config";
import { noteOf } from "./notes";

/** Whether a change put a node beside what an element has, and not in its place. */
export const isInserted = (node: Node): boolean => __CHANGE_INSERT__ && noteOf(node).addedBy_?.[ChangeField.Kind] === ChangeKind.Insert;

/** Whether a browser's translator has put this in the place of a text: those of Chrome and Google wrap each in a `font` in a `font`. */
export const isTranslation = (node: Node): boolean => `${(node as Element).localName} ${(node as Element).firstElementChild?.localName}` === "font font";

/** Whether the parser is still inside an element: nothing follows it, nor any of its ancestors. */
export const isArriving = (node: Node): boolean => {
  let end: Node | null = genuine(document, "readyState") === "loading" ? document : null;
  while (end && end !== node) {
    // A form's field of that name may hold the form, and this would not end.
    end = genuine(end, "lastChild");
  }
  return !!end;
};

/** Takes nodes out of the page, wherever they are. */
export const removeNodes = (nodes: readonly ChildNode[] = []): void => {
  for (const node of nodes) {
    genuine(node, "remove")();
  }
};

/** What nodes of text say they are. A page may have a `Node` of its own. */
export const TEXT_NODE = 3;
