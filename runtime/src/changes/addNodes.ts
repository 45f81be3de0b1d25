/**
 * Adds a change's text or HTML to the page, at a position seen from an element; in its place, what other changes insert stays. Tells
 * whether all of it is still there, and alone or at the end where it shall be: the parser may not be through with the element.
 */

import { Map } from "../builtins/Map";
import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { addedBy } from "./addedBy";
import { isArriving } from "./isArriving";
import { isInserted } from "./isInserted";
import type { Position } from "./Position";
import { recordOf } from "./recordOf";
import { removeNodes } from "./removeNodes";
import { takeContent } from "./takeContent";

/** A page may have a `Node` of its own. */
const COMMENT_NODE = 8;

export const addNodes = (change: ChangeConfig, element: Element, position: Position, fragment: DocumentFragment): (() => boolean) => {
  const record = recordOf(change);
  const added = record.added || new Map<Element, readonly ChildNode[]>();
  const nodes = [...fragment.childNodes];
  const texts = nodes.map((node) => node.nodeValue);
  [...nodes, ...(__CHANGE_HTML__ || __CHANGE_INSERT__ ? fragment.querySelectorAll("*") : [])].forEach((node) => addedBy.set(node, change));
  removeNodes(added.get(element));
  record.added = added.set(element, nodes);
  // The parser goes on within our last text, and behind it.
  let isOpen = isArriving(element);
  if (!__CHANGE_INSERT__ || position === "content") {
    takeContent(element, fragment);
    return () => {
      const isAlone = [...genuine(element, "childNodes")].every(
        (node) => nodes.includes(node) || isInserted(node) || (!isOpen && isBlank(node)),
      );
      isOpen &&= isArriving(element);
      return isAlone && nodes.every((node, at) => genuine(node, "parentNode") === element && node.nodeValue === texts[at]);
    };
  }
  genuine(element, position)(fragment);
  return () => {
    const end = genuine(element, "lastChild");
    const isAtEnd = position !== "append" || !isOpen || !end || addedBy.has(end);
    isOpen &&= isArriving(element);
    // What the page takes out has no parent.
    return isAtEnd && nodes.every((node) => genuine(node, "parentNode"));
  };
};

/** What says nothing may be put beside ours: an icon, say. */
const isBlank = (node: ChildNode): boolean => node.nodeType === COMMENT_NODE || !genuine(node, "textContent")?.trim();
