/**
 * Adds a change's HTML to the page, at a position seen from an element. Tells whether all of it is still there, and at the end where it
 * shall be: what the parser still had to bring of the element comes behind it, or within its last text.
 */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { addedBy } from "./addedBy";
import { fragmentOf } from "./fragmentOf";
import { isArriving } from "./isArriving";
import type { Position } from "./Position";
import { recordOf } from "./recordOf";
import { removeNodes } from "./removeNodes";

export const addHtml = (change: ChangeConfig, element: Element, position: Position): (() => boolean) => {
  const record = recordOf(change);
  const added = record.added || new Map<Element, readonly ChildNode[]>();
  const fragment = fragmentOf(String(change[ChangeField.Value]));
  const nodes = [...fragment.childNodes];
  fragment.querySelectorAll("*").forEach((inner) => addedBy.set(inner, change));
  removeNodes(added.get(element));
  record.added = added.set(element, nodes);
  element[position](fragment);
  const last = nodes[nodes.length - 1] as ChildNode | undefined;
  const text = last?.nodeValue;
  let isOpen = (position === "append" || position === "replaceChildren") && isArriving(element);
  return () => {
    const end = element.lastChild as Element | null;
    // To text of ours that was appended, the parser may have added the page's: it cannot be taken away again.
    const isAtEnd = !isOpen || !end || addedBy.has(end) || (end === last && (position === "append" || end.nodeValue === text));
    isOpen &&= isArriving(element);
    // What the page takes out has no parent.
    return isAtEnd && nodes.every((node) => node.parentNode);
  };
};
