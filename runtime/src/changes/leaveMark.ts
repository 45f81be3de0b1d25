/**
 * Leaves a mark where an element stands that is about to be moved or removed: there it comes back. It cannot be seen. Where a selector
 * counts elements it counts too: or else the next element would stand in the place of the one that is gone, and follow it.
 */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { addedBy } from "./addedBy";
import { MARK } from "./mark";
import { recordOf } from "./recordOf";
import { taken } from "./taken";
import { tolerate } from "./tolerate";

const COUNTING = /[+~]|:(nth|first|last|only)/;

export const leaveMark = (change: ChangeConfig, element: Element): void => {
  const mark = COUNTING.test(String(change[ChangeField.Selector])) ? standIn(change, element) : genuine(document, "createTextNode")("");
  taken.get(element)?.remove();
  const parent = genuine(element, "parentElement");
  if (parent) {
    tolerate(parent);
  }
  genuine(element, "before")(mark);
  taken.set(element, mark);
  addedBy.set(mark, change);
};

/** One of a page's own kind would run the page's code. */
const standIn = (change: ChangeConfig, element: Element): ChildNode => {
  const name = genuine(element, "localName");
  const mark = genuine(document, "createElementNS")(genuine(element, "namespaceURI"), name.includes("-") ? "i" : name) as Element & Partial<ElementCSSInlineStyle>;
  mark.setAttribute(MARK, recordOf(change).id);
  mark.style?.setProperty("display", "none", "important");
  return mark;
};
