/** Elements that leave their place. */

import { genuine } from "../browser/genuine";
import { ChangeField } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { MARK } from "./mark";
import { noteOf } from "./notes";
import { recordOf } from "./records";
import type { Position } from "./records";
import { tolerate } from "./tolerate";

/** Moves an element beside or inside another. Returns whether it is still in its new place, or still has none. */
export const moveElement = (change: ChangeConfig, element: Element, to: string, position: Exclude<Position, "content">): (() => boolean) => {
  const target = genuine(document, "querySelector")(to);
  if (target) {
    leaveMark(change, element);
    genuine(target, position)(element);
  }
  const parent = genuine(element, "parentNode");
  return () => (target ? genuine(element, "parentNode") === parent : !genuine(document, "querySelector")(to));
};

/** Selectors that find another element once one before it comes or goes. */
export const COUNTING = /[+~]|:(nth|first|last|only)/;

/**
 * Leaves an invisible mark in the place of an element that is about to be moved or removed, to restore it there. If a selector
 * counts elements, the mark counts too: otherwise the next element would take the place of the removed one, and follow it.
 */
export const leaveMark = (change: ChangeConfig, element: Element): void => {
  const mark = COUNTING.test(String(change[ChangeField.Selector])) ? standIn(change, element) : genuine(document, "createTextNode")("");
  const note = noteOf(element);
  note.replacement_?.remove();
  const parent = genuine(element, "parentElement");
  if (parent) {
    tolerate(parent);
  }
  genuine(element, "before")(mark);
  note.replacement_ = mark;
  noteOf(mark).addedBy_ = change;
};

/** One of a page's own kind would run the page's code. */
const standIn = (change: ChangeConfig, element: Element): ChildNode => {
  const name = genuine(element, "localName");
  const mark = genuine(document, "createElementNS")(genuine(element, "namespaceURI"), name.includes("-") ? "i" : name) as Element & Partial<ElementCSSInlineStyle>;
  mark.setAttribute(MARK, recordOf(change).id_);
  mark.style?.setProperty("display", "none", "important");
  return mark;
};
