/** Adds a change's HTML to the page, at a position seen from an element. Tells whether all of it is still there. */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { addedBy } from "./addedBy";
import { fragmentOf } from "./fragmentOf";
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
  // What the page takes out has no parent.
  return () => nodes.every((node) => node.parentNode);
};
