/**
 * Leaves a mark where an element stands that is about to be moved or removed: there it comes back. It cannot be seen. Where a selector
 * counts elements it counts too: or else the next element would stand in the place of the one that is gone, and follow it.
 */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { addedBy } from "./addedBy";
import { taken } from "./taken";
import { tolerate } from "./tolerate";

const COUNTING = /[+~]|:(nth|first|last|only)/;

export const leaveMark = (change: ChangeConfig, element: Element): void => {
  const mark = COUNTING.test(String(change[ChangeField.Selector])) ? standIn(element) : document.createTextNode("");
  taken.get(element)?.remove();
  if (element.parentElement) {
    tolerate(element.parentElement);
  }
  element.before(mark);
  taken.set(element, mark);
  addedBy.set(mark, change);
};

/** One of a page's own kind would run the page's code. */
const standIn = ({ namespaceURI, localName }: Element): ChildNode => {
  const mark = document.createElementNS(namespaceURI, localName.includes("-") ? "i" : localName) as Element & Partial<ElementCSSInlineStyle>;
  mark.style?.setProperty("display", "none", "important");
  return mark;
};
